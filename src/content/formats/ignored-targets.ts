import { type Format, generatedVerdict, type LinkRules, type SpaceInput } from '../format-port/index.ts';
import type { RepoPath } from '../model/index.ts';
import { folderOf, isHostFile, isInside, isLeftOut, matchGitignore, pathInside } from '../tree/index.ts';
import { adaptPublication } from './adapt-publication.ts';

/** What a repository's `.gitignore` files name. */
export interface IgnoredTargets {
  /** Equal for two trees in which they name the same. */
  readonly key: string;
  /** Returns the file that names a path; null when none does. */
  fileNaming(path: RepoPath): RepoPath | null;
}

/** Files beyond this number are ignored, the deepest first. */
const MAX_FILES = 50;

/** Reads the repository's `.gitignore` files: what they name is made by a build, and not kept. */
export function readIgnoredTargets({ index, text }: Pick<SpaceInput, 'index' | 'text'>): IgnoredTargets {
  const files = index
    .named('.gitignore')
    .filter((path) => folderOf(path) === '' || !isLeftOut(folderOf(path)))
    .toSorted((a, b) => a.length - b.length)
    .slice(0, MAX_FILES)
    .map((path) => ({ path, folder: folderOf(path), ignores: matchGitignore(text(path) ?? '') }));
  return {
    key: files.map(({ path }) => `${path} ${index.entry(path)?.oid}`).join('\n'),
    fileNaming: (path) =>
      files.find(({ folder, ignores }) => isInside(path, folder) && ignores(pathInside(path, folder)))
        ?.path ?? null,
  };
}

/** The rules of a builder's files: a missing target that `.gitignore` names may be made when the site is built. */
export function withIgnoredTargets(rules: LinkRules, ignored: IgnoredTargets): LinkRules {
  return {
    ...rules,
    explainMissing(resolution, file, reference) {
      const own = rules.explainMissing?.(resolution, file, reference) ?? null;
      if (own !== null && own.status !== 'broken') return own;
      for (const path of resolution.candidates) {
        const source = ignored.fileNaming(path);
        if (source === null) continue;
        return generatedVerdict(
          `${path} is not in the repository: ${source} names it, so a build may make it.`,
        );
      }
      return own;
    },
  };
}

/** The format of a builder that makes a site of the repository, possibly with files that git ignores. */
export function withBuild(format: Format): Format {
  return {
    ...format,
    open(space) {
      const open = format.open(space);
      const ignored = readIgnoredTargets(space);
      const wrapped = new WeakMap<LinkRules, LinkRules>();
      return {
        ...open,
        publish(files) {
          const publication = open.publish(files);
          // The rules of `.gitignore` are among the texts with which a space is opened.
          return adaptPublication(publication, {
            rulesOf(file) {
              const rules = publication.rulesOf(file);
              // Files that people read on the repository's host show what the repository holds.
              if (isHostFile(file)) return rules;
              const known = wrapped.get(rules) ?? withIgnoredTargets(rules, ignored);
              wrapped.set(rules, known);
              return known;
            },
          });
        },
      };
    },
  };
}
