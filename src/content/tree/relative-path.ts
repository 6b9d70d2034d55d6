import type { RepoPath } from '../model/index.ts';

/** Where a relative path leads: a path of the repository, or the levels above its root and the rest of the path. */
export type ResolvedPath =
  | { readonly inside: true; readonly path: RepoPath; readonly endsWithSlash: boolean }
  | { readonly inside: false; readonly levelsAbove: number; readonly rest: string };

/** Joins `relative` to the folder of `file`; a path that begins with `/` starts at the repository's root. */
export function resolvePath(file: RepoPath, relative: string): ResolvedPath {
  const segments = relative.startsWith('/') ? [] : file.split('/').slice(0, -1);
  let levelsAbove = 0;
  const parts = relative.split('/');
  for (const part of parts) {
    if (part === '' || part === '.') continue;
    if (part !== '..') segments.push(part);
    else if (segments.length > 0) segments.pop();
    else levelsAbove += 1;
  }
  if (levelsAbove > 0) return { inside: false, levelsAbove, rest: segments.join('/') };
  const last = parts.at(-1);
  return {
    inside: true,
    path: segments.join('/'),
    endsWithSlash: last === '' || last === '.' || last === '..',
  };
}

/** Returns the folder that contains `path`; '' for the root. */
export function folderOf(path: RepoPath): string {
  const slash = path.lastIndexOf('/');
  return slash === -1 ? '' : path.slice(0, slash);
}

/** Returns `path` relative to the folder of `file`, without a leading `./`. */
export function relativePath(file: RepoPath, path: RepoPath): string {
  const from = folderOf(file) === '' ? [] : folderOf(file).split('/');
  const to = path === '' ? [] : path.split('/');
  let shared = 0;
  while (shared < from.length && shared < to.length - 1 && from[shared] === to[shared]) shared += 1;
  return [...from.slice(shared).map(() => '..'), ...to.slice(shared)].join('/');
}

/** Removes leading and trailing slashes, in linear time however many there are. */
export function trimSlashes(path: string): string {
  let start = 0;
  while (path[start] === '/') start += 1;
  return trimEndSlashes(path.slice(start));
}

/** Removes trailing slashes. */
export function trimEndSlashes(path: string): string {
  let end = path.length;
  while (end > 0 && path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}
