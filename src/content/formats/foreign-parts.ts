import { readingOfMarkdown } from '../facts/index.ts';
import type { Format } from '../format-port/index.ts';
import type { RepoPath } from '../model/index.ts';
import { isPageFile, isTestFixture, pathInside } from '../tree/index.ts';
import { adaptPublication } from './adapt-publication.ts';
import { readBuildTargets } from './build-targets.ts';
import {
  explainForeign,
  type ForeignProject,
  findForeignProjects,
  identifyBuilders,
  projectOf,
} from './github/foreign-builders.ts';
import { githubRules } from './github/github-rules.ts';
import { createProjectRules, readingInProjects } from './github/project-rules.ts';
import { readRedirectedPages } from './github/redirected-pages.ts';

/**
 * The format of a builder, with the folders of its space that another one publishes, whose rules are not known: their pages
 * are judged as in a space of plain Markdown that has such a folder. `shares` is whether the builder takes all Markdown of
 * its folder, so that it also has pages that only Hugo reads, by the name of the page beside them.
 */
export function withForeignParts(format: Format, { shares = false } = {}): Format {
  return {
    ...format,
    open(space) {
      const open = format.open(space);
      const projects = findForeignProjects(space).filter(({ folder }) => folder !== space.directory);
      if (projects.length === 0) return open;
      const rules = createProjectRules(space, githubRules(space.tree, space.repository), {
        redirected: readRedirectedPages(space),
        made: readBuildTargets(space),
      });
      const isPlain = (path: RepoPath) =>
        isPageFile(path) && open.readingOf(path)?.key === readingOfMarkdown(path).key;
      const isTaken = (project: ForeignProject) => shares && /(?:^|\/)_index\.md$/.test(project.marker);
      const withPages = projects.filter((project) =>
        space.entries.some(
          ({ path }) =>
            (isPlain(path) || isTaken(project)) &&
            isPageFile(path) &&
            !isTestFixture(pathInside(path, space.directory)) &&
            projectOf(projects, path) === project,
        ),
      );
      if (withPages.length === 0) return open;
      return {
        ...open,
        ...(open.signature === undefined ? {} : { signature: JSON.stringify([open.signature, withPages]) }),
        problems: [...open.problems, ...explainForeign(withPages)],
        generator: (index) => [open.generator?.(index), identifyBuilders(withPages, index)].join('\n'),
        readingOf: (path) =>
          isPlain(path) ? readingInProjects(withPages, path, space) : open.readingOf(path),
        publish(files) {
          const publication = open.publish(files);
          return adaptPublication(publication, {
            rulesOf(file) {
              const own = publication.rulesOf(file);
              const project = isPageFile(file) ? projectOf(withPages, file) : undefined;
              if (project === undefined || !(own.isLeftOut === true || isTaken(project))) return own;
              return rules.ofProject(project, files);
            },
          });
        },
      };
    },
  };
}
