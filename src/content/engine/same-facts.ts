import type { FileFacts, Reference } from '../model/index.ts';

/**
 * Whether links of other files are judged the same by a file's older and newer contents: they see its anchors, what it takes
 * in from others, its front matter, and how far it was read; not its text, its links, and where anything stands.
 */
export function looksSame(older: FileFacts, newer: FileFacts): boolean {
  return (
    older === newer ||
    (older.complete === newer.complete &&
      older.opensAnchors === newer.opensAnchors &&
      older.symlinkTarget === newer.symlinkTarget &&
      haveSameAnchors(older, newer) &&
      isSameJson(older.frontMatter, newer.frontMatter) &&
      isSameJson(older.contents, newer.contents) &&
      isSameJson(older.regions, newer.regions) &&
      isSameJson(takenIn(older), takenIn(newer)))
  );
}

/** Names of one heading stand on one line; which line it is says nothing. */
function haveSameAnchors({ anchors: older }: FileFacts, { anchors: newer }: FileFacts): boolean {
  return (
    older.length === newer.length &&
    older.every((one, at) => {
      const other = newer[at];
      if (other === undefined || one.name !== other.name || one.heading !== other.heading) return false;
      const isWithLast = one.line === older[at - 1]?.line;
      return one.level === other.level && isWithLast === (other.line === newer[at - 1]?.line);
    })
  );
}

/** What a file shows of other files, in their order and between which of its own anchors. */
function takenIn({ references, anchors }: FileFacts): readonly unknown[] {
  const parts = references.filter(isTakenIn);
  const lines = parts.length === 0 ? [] : anchors.map(({ line }) => line).sort((a, b) => a - b);
  return parts
    .toSorted((a, b) => a.line - b.line)
    .map(({ kind, carrier, target, text, line }) => [
      kind,
      carrier ?? null,
      target,
      text,
      countUpTo(lines, line),
    ]);
}

/** How many of some sorted numbers are at most `limit`. */
function countUpTo(sorted: readonly number[], limit: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Whether what can be taken in line by line stands on the same lines in both. */
export function haveSameLines(older: FileFacts, newer: FileFacts): boolean {
  const linesOf = ({ anchors, references }: FileFacts) => [
    anchors.map(({ line }) => line),
    references.filter(isTakenIn).map(({ line }) => line),
  ];
  return older === newer || isSameJson(linesOf(older), linesOf(newer));
}

function isTakenIn({ kind, carrier }: Reference): boolean {
  return carrier === 'include' || kind === 'block' || kind === 'import';
}

/** Plain JSON, with keys in one order. */
export function isSameJson(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}
