import type { RepoPath } from '../model/index.ts';
import { relativePath, resolvePath } from '../tree/index.ts';

/** A path in a configuration file, relative to a folder. */
export interface PathSetting {
  /** The folder that it starts from, before the move and after. */
  readonly from: RepoPath;
  readonly newFrom: RepoPath;
  /** As written. */
  readonly written: string;
}

/**
 * Returns a path of a configuration after a move, with its `./` and its leading and trailing slashes as before; null when
 * it can stay as it is, or leads out of the repository. A leading slash means the folder that it starts from.
 */
export function movedSetting(
  { from, newFrom, written }: PathSetting,
  moved: (path: RepoPath) => RepoPath,
): string | null {
  if (/^[a-z][a-z\d+.-]*:|^\/\//i.test(written)) return null;
  const plain = written.replace(/^\/+/, '');
  const found = resolvePath(inside(from), plain);
  const unchanged = resolvePath(inside(newFrom), plain);
  if (!found.inside) return null;
  const target = moved(found.path);
  if (unchanged.inside && unchanged.path === target) return null;
  let newPath = target === newFrom ? '.' : relativePath(inside(newFrom), target);
  if (written.startsWith('/')) {
    // A path from the root of the folder cannot leave it.
    if (newPath.startsWith('.')) return null;
    newPath = `/${newPath}`;
  }
  if (written.startsWith('./') && !newPath.startsWith('.')) newPath = `./${newPath}`;
  if (written.endsWith('/') && !newPath.endsWith('/')) newPath += '/';
  return newPath;
}

function inside(folder: RepoPath): RepoPath {
  return folder === '' ? 'x' : `${folder}/x`;
}
