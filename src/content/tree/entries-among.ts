import type { TreeEntry } from '../model/index.ts';

/**
 * Returns the entries of `some` whose paths are in `all`, which may be of an earlier tree. A few are searched one by one,
 * which avoids building a set of all.
 */
export function entriesAmong(some: readonly TreeEntry[], all: readonly TreeEntry[]): readonly TreeEntry[] {
  if (some.length === 0) return some;
  if (some.length <= 8) return some.filter(({ path }) => all.some((entry) => entry.path === path));
  const paths = new Set(all.map((entry) => entry.path));
  return some.filter(({ path }) => paths.has(path));
}
