import { generatedVerdict, type LinkRules } from '../../format-port/index.ts';
import type { RepoPath } from '../../model/index.ts';
import { folderOf, isInside, pathInside, type TreeIndex } from '../../tree/index.ts';
import { joinPath } from '../folder-paths.ts';

/**
 * The folder of the package around a configuration that has no `package.json` beside it; null where it has one, or none is
 * around it. The builder runs in a package, so a script copies such a configuration, with its pages, into that folder.
 */
export function packageAround(folder: RepoPath, index: TreeIndex): RepoPath | null {
  if (index.entry(joinPath(folder, 'package.json')) !== undefined) return null;
  for (let outer = folder; outer !== ''; ) {
    outer = folderOf(outer);
    if (index.entry(joinPath(outer, 'package.json')) !== undefined) return outer;
  }
  return null;
}

/** The rules of a site that is built in another folder: what is missing beside its pages may be there. */
export function withFilesOf(
  builtIn: RepoPath,
  { folder, index }: { readonly folder: RepoPath; readonly index: TreeIndex },
  rules: LinkRules,
): LinkRules {
  const pathThere = (path: RepoPath) =>
    isInside(path, folder) ? joinPath(builtIn, pathInside(path, folder)) : null;
  return {
    ...rules,
    explainMissing(resolution, file, reference) {
      for (const path of resolution.candidates) {
        const there = pathThere(path);
        if (there !== null && index.has(there))
          return generatedVerdict(
            `There is no ${path}; the site may be built in the folder of ${joinPath(builtIn, 'package.json')}, where ${there} is.`,
          );
      }
      return rules.explainMissing?.(resolution, file, reference) ?? null;
    },
  };
}
