import type { RepoPath } from '../model/index.ts';
import { relativePath, resolvePath } from '../tree/index.ts';

/** A path that a configuration file says from a folder. */
export interface PathSetting {
  /** The folder that it starts from, before the move and after. */
  readonly from: RepoPath;
  readonly newFrom: RepoPath;
  /** As written. */
  readonly said: string;
}

/**
 * How a path of a configuration is said after a move, with the `./` and the slashes at its ends as they were; null when
 * it may stay as it is, or leads out of the repository. A slash in front means the folder that it starts from.
 */
export function movedSetting(
  { from, newFrom, said }: PathSetting,
  moved: (path: RepoPath) => RepoPath,
): string | null {
  if (/^[a-z][a-z\d+.-]*:|^\/\//i.test(said)) return null;
  const plain = said.replace(/^\/+/, '');
  const found = resolvePath(inside(from), plain);
  const still = resolvePath(inside(newFrom), plain);
  if (!found.inside) return null;
  const target = moved(found.path);
  if (still.inside && still.path === target) return null;
  let way = target === newFrom ? '.' : relativePath(inside(newFrom), target);
  if (said.startsWith('/')) {
    // A path from the root of the folder cannot leave it.
    if (way.startsWith('.')) return null;
    way = `/${way}`;
  }
  if (said.startsWith('./') && !way.startsWith('.')) way = `./${way}`;
  if (said.endsWith('/') && !way.endsWith('/')) way += '/';
  return way;
}

function inside(folder: RepoPath): RepoPath {
  return folder === '' ? 'x' : `${folder}/x`;
}
