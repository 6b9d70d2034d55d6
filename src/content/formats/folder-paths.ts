import type { RepoPath } from '../model/index.ts';
import { folderOf, isInside } from '../tree/index.ts';

/** A path inside a folder of the repository; an empty `folder` is the root. */
export function joinPath(folder: RepoPath, path: string): RepoPath {
  return folder === '' ? path : `${folder}/${path}`;
}

/** The innermost folder that contains both folders. */
export function commonFolder(first: RepoPath, second: RepoPath): RepoPath {
  let folder = first;
  while (folder !== '' && folder !== second && !isInside(second, folder)) folder = folderOf(folder);
  return folder;
}
