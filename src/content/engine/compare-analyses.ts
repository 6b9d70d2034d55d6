import type { Comparison, Link, Rename, RepoPath, SpaceAnalysis } from '../model/index.ts';
import { brokenListsOf } from './analysis-of-state.ts';

/**
 * What a change did to the links, by meaning and not by line. A broken link of the newer tree is `existing` when the
 * older one had a broken link from the same file to the same place (or written the same way), each counted once:
 * a second copy of an old broken link is `introduced`. Files are the same when a rename says so.
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
    // The same place in the tree: a moved file whose links were rewritten keeps its old damage.
    (link) => key(now(link.file), placeOf(link, now)),
    (link) =>
      key(
        link.file,
        placeOf(link, (path) => path),
      ),
  );
  const unmatched = matchOff(
    rest,
    // The same words: a moved file whose broken relative link now misses somewhere else.
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
 * Pairs links of both sides with equal keys, one for one: those that stand where they stood first, then those with equal
 * texts. Answers what stays alone.
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
  const alone = (link: Link) => !matched.has(link);
  return { old: sides.old.filter(alone), new: sides.new.filter(alone) };
}

const sameText = ({ text }: Link) => `\0${text}`;
const sameLine = ({ text, line }: Link) => `\0${text}\0${line}`;

/** Lists that both trees have, which is to say that nothing happened to the file's links, nor to where they lead. */
function sharedBy(
  base: readonly (readonly Link[])[],
  head: readonly (readonly Link[])[],
  renames: readonly Rename[],
): (list: readonly Link[]) => boolean {
  const moved = new Set(renames.flatMap(({ from, to }) => [from, to]));
  const shared = new Set(base).intersection(new Set(head));
  return (list) => shared.has(list) && !moved.has(list[0]?.file ?? '');
}

function placeOf(link: Link, now: (path: RepoPath) => RepoPath): string {
  if (link.destination === null) return `\0${link.target}`;
  return link.anchor === null ? now(link.destination) : `${now(link.destination)}#${link.anchor}`;
}

function key(file: RepoPath, place: string): string {
  return `${file}\0${place}`;
}
