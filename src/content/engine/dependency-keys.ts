import type { RepoPath } from '../model/index.ts';

/** Asked by what was made from a kept value. */
export function madeKey(key: string): string {
  return `\0made ${key}`;
}

/** Asked by what depends on the lines on which a file's anchors stand. */
export function linesKey(path: RepoPath): string {
  return `\0lines ${path}`;
}

/** Asked by who looked a key up in a table. */
export function tableKey(name: string, key: string): string {
  return `\0table ${name} ${key}`;
}
