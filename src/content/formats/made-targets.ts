import { type Format, generatedVerdict, type LinkRules, type SpaceInput } from '../format-port/index.ts';
import type { RepoPath } from '../model/index.ts';
import { folderOf, isHostFile, isInside, isReadme } from '../tree/index.ts';
import { adaptPublication } from './adapt-publication.ts';

/**
 * Says in a sentence what may make a path that is not in the repository when the site is built; null when nothing does.
 * `written` is the destination that leads there.
 */
export type ExplainMade = (path: RepoPath, written: string) => string | null;

/** Rules under which a missing target that the build may make is unchecked, with the reason. */
export function withMadeTargets(rules: LinkRules, explain: ExplainMade): LinkRules {
  return {
    ...rules,
    explainMissing(resolution, file, reference) {
      const own = rules.explainMissing?.(resolution, file, reference) ?? null;
      if (own !== null && own.status !== 'broken') return own;
      for (const path of resolution.candidates) {
        const reason = explain(path, reference.target);
        if (reason !== null) return generatedVerdict(reason);
      }
      return own;
    },
  };
}

/**
 * The format of a builder with such rules. `explainIn` reads what a space says about its build, among the texts with which
 * it is opened; null when that is nothing.
 */
export function makingTargets(format: Format, explainIn: (space: SpaceInput) => ExplainMade | null): Format {
  return {
    ...format,
    open(space) {
      const open = format.open(space);
      const explain = explainIn(space);
      if (explain === null) return open;
      const wrapped = new WeakMap<LinkRules, LinkRules>();
      return {
        ...open,
        publish(files) {
          const publication = open.publish(files);
          return adaptPublication(publication, {
            rulesOf(file) {
              const rules = publication.rulesOf(file);
              // Files that people read on the repository's host show what the repository holds.
              if (isHostFile(file) && !isReadmeOfPages(file, space.directory)) return rules;
              const known = wrapped.get(rules) ?? withMadeTargets(rules, explain);
              wrapped.set(rules, known);
              return known;
            },
          });
        },
      };
    },
  };
}

/** Whether a README is the first page of a folder of a site: below the folder of pages, and not the one that shows it. */
function isReadmeOfPages(file: RepoPath, directory: RepoPath): boolean {
  return directory !== '' && isReadme(file) && isInside(file, directory) && folderOf(file) !== directory;
}
