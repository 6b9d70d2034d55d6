import type { FileFacts, Reference } from '../model/index.ts';

/**
 * Whether a file's older and newer facts give the same verdicts to links from other files. Those depend on its anchors,
 * its includes, its front matter and whether it was read completely; not on its text, its links and any positions.
 */
export function leadToSameVerdicts(older: FileFacts, newer: FileFacts): boolean {
  return (
    older === newer ||
    (older.complete === newer.complete &&
      older.opensAnchors === newer.opensAnchors &&
      older.symlinkTarget === newer.symlinkTarget &&
      haveSameAnchors(older, newer) &&
      isSameJson(older.frontMatter, newer.frontMatter) &&
      isSameJson(older.contents, newer.contents) &&
      isSameJson(older.regions, newer.regions) &&
      isSameJson(includedIn(older), includedIn(newer)))
  );
}

/** The names of one heading have the same line; the line number itself does not matter. */
function haveSameAnchors({ anchors: older }: FileFacts, { anchors: newer }: FileFacts): boolean {
  return (
    older.length === newer.length &&
    older.every((before, at) => {
      const after = newer[at];
      if (after === undefined || before.name !== after.name || before.heading !== after.heading) return false;
      const isWithLast = before.line === older[at - 1]?.line;
      return before.level === after.level && isWithLast === (after.line === newer[at - 1]?.line);
    })
  );
}

/** The includes of a file, in their order and with the number of its own anchors before each. */
function includedIn({ references, anchors }: FileFacts): readonly unknown[] {
  const parts = references.filter(isInclude);
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

/** Whether anchors and includes are on the same lines in both, which matters to pages that include some of the lines. */
export function haveSameLines(older: FileFacts, newer: FileFacts): boolean {
  const linesOf = ({ anchors, references }: FileFacts) => [
    anchors.map(({ line }) => line),
    references.filter(isInclude).map(({ line }) => line),
  ];
  return older === newer || isSameJson(linesOf(older), linesOf(newer));
}

function isInclude({ kind, carrier }: Reference): boolean {
  return carrier === 'include' || kind === 'block' || kind === 'import';
}

/** Whether two values are the same plain JSON, with their keys in the same order. */
export function isSameJson(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
