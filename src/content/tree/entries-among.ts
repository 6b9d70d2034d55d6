import type { TreeEntry } from '../model/index.ts';

/**
 * Those of some entries whose paths stand among all of these, which may be of an earlier tree. A few are looked for one by
 * one, which takes no set of all.
 */
export function entriesAmong(some: readonly TreeEntry[], all: readonly TreeEntry[]): readonly TreeEntry[] {
  if (some.length === 0) return some;
  if (some.length <= 8) return some.filter(({ path }) => all.some((one) => one.path === path));
  const paths = new Set(all.map((one) => one.path));
  return some.filter(({ path }) => paths.has(path));
}
