import type { Rename } from '../../content/index.ts';

/** Git's renames, and those by equal bytes that its index does not know yet. */
export function mergeRenames(fromGit: readonly Rename[], exact: readonly Rename[]): readonly Rename[] {
  const known = new Set(fromGit.flatMap(({ from, to }) => [`from ${from}`, `to ${to}`]));
  const more = exact.filter(({ from, to }) => !known.has(`from ${from}`) && !known.has(`to ${to}`));
  return [...fromGit, ...more];
}
