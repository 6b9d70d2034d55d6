import type { Comparison, Link, Rename, RepoPath, SpaceAnalysis } from '../model/index.ts';
import { brokenListsOf } from './analysis-of-state.ts';

/**
 * Compares the broken links of two trees by meaning and not by line. A broken link of the newer tree is `existing` when
 * the older tree had a broken link from the same file to the same target (or with the same text), each counted once:
 * a second copy of an old broken link is `introduced`. Renamed files count as the same file.
 */
export function compareAnalyses(
  base: Pick<SpaceAnalysis, 'links'>,
  head: Pick<SpaceAnalysis, 'links'>,
  renames: readonly Rename[] = [],
): Comparison {
  const newPath = new Map(renames.map(({ from, to }) => [from, to]));
  const now = (path: RepoPath) => newPath.get(path) ?? path;
  const [baseLists, headLists] = [brokenListsOf(base), brokenListsOf(head)];
  const isShared = sharedBy(baseLists, headLists, renames);

  const rest = matchOff(
    {
      old: baseLists.flatMap((list) => (isShared(list) ? [] : list)),
      new: headLists.flatMap((list) => (isShared(list) ? [] : list)),
    },
    // The same target in the tree: the links of a moved file may have been rewritten.
    (link) => key(now(link.file), targetOf(link, now)),
    (link) =>
      key(
        link.file,
        targetOf(link, (path) => path),
      ),
  );
  const unmatched = matchOff(
    rest,
    // The same text: a broken relative link in a moved file now misses another path.
    (link) => key(now(link.file), link.target),
    (link) => key(link.file, link.target),
  );
  const introduced = new Set(unmatched.new);
  return {
    introduced: unmatched.new,
    existing: headLists.flatMap((list) => list.filter((link) => !introduced.has(link))),
    fixed: unmatched.old,
  };
}

interface Sides {
  readonly old: readonly Link[];
  readonly new: readonly Link[];
}

/**
 * Pairs links of both sides with equal keys, one to one: first those on the same line, then those with equal texts.
 * Returns the unpaired links.
 */
function matchOff(sides: Sides, oldKey: (link: Link) => string, newKey: (link: Link) => string): Sides {
  const matched = new Set<Link>();
  for (const suffix of [sameLine, sameText, () => '']) {
    const waiting = new Map<string, Link[]>();
    for (const link of sides.old) {
      if (matched.has(link)) continue;
      const name = oldKey(link) + suffix(link);
      const group = waiting.get(name);
      if (group === undefined) waiting.set(name, [link]);
      else group.push(link);
    }
    for (const group of waiting.values()) group.reverse();
    for (const link of sides.new) {
      if (matched.has(link)) continue;
      const old = waiting.get(newKey(link) + suffix(link))?.pop();
      if (old === undefined) continue;
      matched.add(link);
      matched.add(old);
    }
  }
  const isUnmatched = (link: Link) => !matched.has(link);
  return { old: sides.old.filter(isUnmatched), new: sides.new.filter(isUnmatched) };
}

const sameText = ({ text }: Link) => `\0${text}`;
const sameLine = ({ text, line }: Link) => `\0${text}\0${line}`;

/** Lists that both trees share: neither the file's links nor their targets changed. */
function sharedBy(
  base: readonly (readonly Link[])[],
  head: readonly (readonly Link[])[],
  renames: readonly Rename[],
): (list: readonly Link[]) => boolean {
  const moved = new Set(renames.flatMap(({ from, to }) => [from, to]));
  const shared = new Set(base).intersection(new Set(head));
  return (list) => shared.has(list) && !moved.has(list[0]?.file ?? '');
}

function targetOf(link: Link, now: (path: RepoPath) => RepoPath): string {
  if (link.destination === null) return `\0${link.target}`;
  return link.anchor === null ? now(link.destination) : `${now(link.destination)}#${link.anchor}`;
}

function key(file: RepoPath, target: string): string {
  return `${file}\0${target}`;
}
