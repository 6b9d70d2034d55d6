import { diffArrays } from 'diff';
import type { AnchorBlock } from './blocks-of.ts';
import { similarityOf, trigramsOf } from './similarity.ts';

/** More differences than these are too many to find the shortest list of; texts that moved or stayed are found all the same. */
const MAX_EDITS = 600;

/** More pairs of blocks than these are not compared by how similar they are. */
const MAX_PAIRS = 10_000;

/** From this on, a block between the same neighbours is the one from before, changed. */
const SIMILAR_IN_PLACE = 0.45;

/** The same for a block that stands elsewhere: there it must be plain. */
const SIMILAR_ELSEWHERE = 0.7;

/** In UTF-16 code units: shorter texts are similar by chance. */
const MIN_LENGTH_ELSEWHERE = 24;

interface Sides {
  readonly before: readonly AnchorBlock[];
  readonly after: readonly AnchorBlock[];
  /** For each block before, the index of the one after that it became; -1 for none. */
  readonly to: number[];
  /** For each block after, the index of the one before that it was; -1 for none. */
  readonly from: number[];
}

/**
 * Which block each block of a page became when the page was changed, by their keys; one without a successor is left out. No
 * block is the successor of two. When in doubt there is none: a reader is told that the text is gone rather than shown
 * another one.
 *
 * A block that stayed as it is keeps its place among its neighbours, also where others have the same text. What is left is
 * looked for elsewhere by its whole text, and then by how similar it is, first between the same neighbours.
 */
export function followBlocks(
  before: readonly AnchorBlock[],
  after: readonly AnchorBlock[],
): ReadonlyMap<string, string> {
  const sides: Sides = {
    before,
    after,
    to: before.map(() => -1),
    from: after.map(() => -1),
  };
  matchInOrder(sides);
  matchByText(sides, ({ type, text }) => `${familyOf(type)}\n${text}`);
  matchByText(sides, ({ text }) => text);
  matchSimilarInPlace(sides);
  matchSimilarElsewhere(sides);
  return new Map(
    before.flatMap(({ key }, at) => {
      const successor = after[sides.to[at] ?? -1];
      return successor === undefined ? [] : [[key, successor.key] as const];
    }),
  );
}

function matchInOrder(sides: Sides): void {
  const keyOf = ({ type, text }: AnchorBlock) => `${familyOf(type)}\n${text}`;
  const changes = diffArrays(sides.before.map(keyOf), sides.after.map(keyOf), { maxEditLength: MAX_EDITS });
  let from = 0;
  let to = 0;
  for (const { count, added, removed } of changes ?? []) {
    if (!added && !removed) for (let at = 0; at < count; at += 1) match(sides, from + at, to + at);
    if (!added) from += count;
    if (!removed) to += count;
  }
}

/** Matches blocks of the same text, in their order; those without text are like any other, so they have no successor. */
function matchByText(sides: Sides, keyOf: (block: AnchorBlock) => string): void {
  const { before, after, to, from } = sides;
  const free = Map.groupBy(
    after.flatMap((block, at) => (from[at] === -1 && block.text !== '' ? [at] : [])),
    (at) => keyOf(after[at] as AnchorBlock),
  );
  before.forEach((block, at) => {
    if (to[at] !== -1 || block.text === '') return;
    const successor = free.get(keyOf(block))?.shift();
    if (successor !== undefined) match(sides, at, successor);
  });
}

function matchSimilarInPlace(sides: Sides): void {
  for (const { before, after } of gapsOf(sides)) matchSimilar(sides, before, after, SIMILAR_IN_PLACE);
}

function matchSimilarElsewhere(sides: Sides): void {
  const isLong = ({ text }: AnchorBlock) => text.length >= MIN_LENGTH_ELSEWHERE;
  const free = (blocks: readonly AnchorBlock[], matched: readonly number[]) =>
    blocks.flatMap((block, at) => (matched[at] === -1 && isLong(block) ? [at] : []));
  matchSimilar(sides, free(sides.before, sides.to), free(sides.after, sides.from), SIMILAR_ELSEWHERE);
}

/** Runs of blocks without a match between blocks that follow each other on both sides. */
function gapsOf({ before, after, to, from }: Sides): { before: number[]; after: number[] }[] {
  const gaps: { before: number[]; after: number[] }[] = [];
  let at = 0;
  let last = -1;
  while (at <= before.length) {
    const gap: number[] = [];
    while (at < before.length && to[at] === -1) gap.push(at++);
    const next = at < before.length ? (to[at] as number) : after.length;
    if (gap.length > 0 && next > last) {
      const successors: number[] = [];
      for (let index = last + 1; index < next; index += 1) if (from[index] === -1) successors.push(index);
      if (successors.length > 0) gaps.push({ before: gap, after: successors });
    }
    last = next;
    at += 1;
  }
  return gaps;
}

/** Matches the most similar pairs first. */
function matchSimilar(
  sides: Sides,
  before: readonly number[],
  after: readonly number[],
  threshold: number,
): void {
  if (before.length * after.length > MAX_PAIRS) return;
  const grams = new Map<AnchorBlock, ReadonlyMap<string, number>>();
  const gramsOf = (block: AnchorBlock) => {
    const known = grams.get(block) ?? trigramsOf(block.text);
    grams.set(block, known);
    return known;
  };
  const pairs = before.flatMap((from) =>
    after.flatMap((to) => {
      const [a, b] = [sides.before[from] as AnchorBlock, sides.after[to] as AnchorBlock];
      if (familyOf(a.type) !== familyOf(b.type)) return [];
      const similarity = similarityOf(gramsOf(a), gramsOf(b));
      return similarity >= threshold ? [{ from, to, similarity }] : [];
    }),
  );
  for (const { from, to } of pairs.toSorted((a, b) => b.similarity - a.similarity)) {
    if (sides.to[from] === -1 && sides.from[to] === -1) match(sides, from, to);
  }
}

function match({ to, from }: Sides, before: number, after: number): void {
  to[before] = after;
  from[after] = before;
}

/** Types that a block takes by what it refers to, or that are levels of one thing, are one. */
function familyOf(type: string): string {
  if (type.startsWith('heading-')) return 'heading';
  if (type.startsWith('list-') && type !== 'list-item') return 'list';
  return ['content-ref', 'file', 'reusable-content'].includes(type) ? 'reference' : type;
}
