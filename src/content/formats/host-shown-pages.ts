import { readingOfMarkdown } from '../facts/index.ts';
import type { Format, SpaceInput } from '../format-port/index.ts';
import type { RepoPath, TreeEntry } from '../model/index.ts';
import { isDotGithubPage, isSourceOfSpace, isTestFixture, isTestInput, pathInside } from '../tree/index.ts';
import { adaptPublication } from './adapt-publication.ts';
import { withCommentIncludes } from './comment-includes.ts';
import { joinPath } from './folder-paths.ts';
import { githubRules } from './github/github-rules.ts';
import { withHostAnchors } from './host-anchors.ts';
import { withSymlinkedPages } from './symlinked-pages.ts';

/**
 * A format with what holds for files that its builder does not publish: data of tests is no documentation, so its links
 * are not checked, and in a space at the repository's root the pages of `.github` are checked as GitHub shows them.
 */
export function withHostShownPages(format: Format): Format {
  return {
    ...format,
    open(space) {
      const open = format.open(space);
      const pages = hostPages(space);
      // A builder reads MDX in its own way wherever it is, so that the reading says nothing about it.
      const isBuilt = (path: RepoPath) => {
        const asMarkdown = path.replace(/\.mdx$/i, '.md');
        const reading = open.readingOf(asMarkdown);
        return reading !== null && reading.key !== readingOfMarkdown(asMarkdown).key;
      };
      const has = (path: RepoPath) => space.index.entry(joinPath(space.directory, path)) !== undefined;
      const isOfTest = (path: RepoPath) => isTestFixture(path) || isTestInput(path, has);
      const isData = (file: RepoPath) =>
        !isDotGithubPage(file) && isOfTest(pathInside(file, space.directory)) && !isBuilt(file);
      return {
        ...open,
        sources: pages.length === 0 ? open.sources : mergeSources(open.sources, pages),
        readingOf: (path) => (isDotGithubPage(path) ? readingOfMarkdown(path) : open.readingOf(path)),
        publish(files) {
          const publication = open.publish(files);
          const rules = withHostAnchors(githubRules(space.tree, space.repository), isBuilt);
          return adaptPublication(publication, {
            skips: isData,
            rulesOf(file) {
              if (isDotGithubPage(file)) return rules;
              const own = publication.rulesOf(file);
              if (own.isLeftOut !== true) return own;
              return withSymlinkedPages(withCommentIncludes(own, files, space.index), files, isBuilt);
            },
          });
        },
      };
    },
  };
}

function hostPages({ tree, directory }: SpaceInput): readonly TreeEntry[] {
  return directory === ''
    ? tree.filter((entry) => isDotGithubPage(entry.path) && isSourceOfSpace(entry))
    : [];
}

/** Sources are in the order of the tree, in which `.github` is near the beginning. */
function mergeSources(sources: readonly TreeEntry[], pages: readonly TreeEntry[]): readonly TreeEntry[] {
  return [...sources, ...pages].sort((a, b) => (a.path < b.path ? -1 : 1));
}
