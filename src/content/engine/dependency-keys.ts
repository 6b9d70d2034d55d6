import type { RepoPath } from '../model/index.ts';

/** The key of a dependency on a value of `FilesRead.remember`. */
export function madeKey(key: string): string {
  return `\0made ${key}`;
}

/** The key of a dependency on the lines of a file's anchors. */
export function linesKey(path: RepoPath): string {
  return `\0lines ${path}`;
}

/** The key of a dependency on the rows of a table under `key`. */
export function tableKey(name: string, key: string): string {
  return `\0table ${name} ${key}`;
}
