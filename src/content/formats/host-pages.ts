import { readingOfMarkdown } from '../facts/index.ts';
import type { Format, SpaceInput } from '../format-port/index.ts';
import type { TreeEntry } from '../model/index.ts';
import { isHostPage, isSourceOfSpace } from '../tree/index.ts';
import { githubRules } from './github/github-rules.ts';
import { withHostAnchors } from './host-anchors.ts';

/**
 * A format whose space at the repository's root has the pages of `.github` checked as GitHub shows them: a contributing
 * guide, a code of conduct. They belong to no builder's site.
 */
export function withHostPages(format: Format): Format {
  return {
    ...format,
    open(space) {
      const open = format.open(space);
      const pages = hostPages(space);
      if (pages.length === 0) return open;
      return {
        ...open,
        sources: mergeSources(open.sources, pages),
        readingOf: (path) => (isHostPage(path) ? readingOfMarkdown(path) : open.readingOf(path)),
        publish(files) {
          const publication = open.publish(files);
          const rules = withHostAnchors(githubRules(space.tree, space.repository), (path) => {
            const reading = open.readingOf(path);
            return reading !== null && reading.key !== readingOfMarkdown(path).key;
          });
          return {
            get pages() {
              return publication.pages;
            },
            get assets() {
              return publication.assets;
            },
            skips: (file, reference) => publication.skips?.(file, reference) === true,
            changesSince: (previous) => publication.changesSince?.(previous) ?? null,
            rulesOf: (file) => (isHostPage(file) ? rules : publication.rulesOf(file)),
          };
        },
      };
    },
  };
}

function hostPages({ tree, directory }: SpaceInput): readonly TreeEntry[] {
  return directory === '' ? tree.filter((entry) => isHostPage(entry.path) && isSourceOfSpace(entry)) : [];
}

/** Sources are in the order of the tree, in which `.github` is near the beginning. */
function mergeSources(sources: readonly TreeEntry[], pages: readonly TreeEntry[]): readonly TreeEntry[] {
  return [...sources, ...pages].sort((a, b) => (a.path < b.path ? -1 : 1));
}
