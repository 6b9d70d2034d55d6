import { diffArrays, diffWordsWithSpace } from 'diff';

/** A part of a line; marked where it is what differs from the line that it replaces. */
export interface LineSpan {
  readonly text: string;
  readonly marked?: true;
}

export interface DiffLine {
  readonly kind: 'context' | 'added' | 'removed';
  readonly spans: readonly LineSpan[];
  /** Whether the text ends here without a line break. */
  readonly noNewline?: true;
}

/** A part of two texts in which they differ, with the lines around it, as in a unified diff. */
export interface DiffHunk {
  /** The first line, counted from 1; the line before it where the hunk has none of this side. */
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  readonly lines: readonly DiffLine[];
}

export interface TextDifference {
  readonly added: number;
  readonly removed: number;
  readonly hunks: readonly DiffHunk[];
}

/** Equal lines around a difference. */
const CONTEXT = 3;

/** Beyond it the texts have so little in the same order that all lines count as replaced. */
const MAX_EDITS = 10_000;
const TIMEOUT_MS = 3_000;

/** Lines longer than this, in UTF-16 code units, are marked as a whole. */
const MAX_WORDS_LENGTH = 2_000;

interface Line {
  readonly kind: DiffLine['kind'];
  /** With its line break. */
  readonly text: string;
}

/** Compares two texts line by line; the words that differ are marked in lines that replace each other. */
export function compareTexts(before: string, after: string): TextDifference {
  const lines = diffOfLines(splitLines(before), splitLines(after));
  return {
    added: lines.filter(({ kind }) => kind === 'added').length,
    removed: lines.filter(({ kind }) => kind === 'removed').length,
    hunks: toHunks(lines),
  };
}

/** The lines of a text, each with its line break. */
export function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function diffOfLines(before: readonly string[], after: readonly string[]): Line[] {
  const lines: Line[] = [];
  let [old, now] = [0, 0];
  const advance = (oldEnd: number, newEnd: number) => {
    for (; old < oldEnd; old++) lines.push({ kind: 'removed', text: before[old] ?? '' });
    for (; now < newEnd; now++) lines.push({ kind: 'added', text: after[now] ?? '' });
  };
  for (const [oldAt, newAt] of matchSharedLines(before, after)) {
    advance(oldAt, newAt);
    lines.push({ kind: 'context', text: before[oldAt] ?? '' });
    [old, now] = [oldAt + 1, newAt + 1];
  }
  advance(before.length, after.length);
  return lines;
}

/** The lines that stayed, as indexes into both texts. A line that only one of them has did not, without a comparison. */
function matchSharedLines(
  before: readonly string[],
  after: readonly string[],
): readonly (readonly [number, number])[] {
  const oldAt = indexesOf(before, new Set(after));
  const newAt = indexesOf(after, new Set(before));
  const changes = diffArrays(
    oldAt.map((at) => before[at]),
    newAt.map((at) => after[at]),
    { maxEditLength: MAX_EDITS, timeout: TIMEOUT_MS },
  );
  const pairs: (readonly [number, number])[] = [];
  let [old, now] = [0, 0];
  for (const { added, removed, count } of changes ?? []) {
    if (!added && !removed)
      for (let at = 0; at < count; at++) pairs.push([oldAt[old + at] ?? 0, newAt[now + at] ?? 0]);
    if (!added) old += count;
    if (!removed) now += count;
  }
  return pairs;
}

function indexesOf(lines: readonly string[], kept: ReadonlySet<string>): readonly number[] {
  return lines.flatMap((line, at) => (kept.has(line) ? [at] : []));
}

function toHunks(lines: readonly Line[]): DiffHunk[] {
  const hunks: DiffHunk[] = [];
  let [oldLine, newLine] = [1, 1];
  let at = 0;
  const advance = (to: number) => {
    for (; at < to; at++) {
      const kind = lines[at]?.kind;
      if (kind !== 'added') oldLine += 1;
      if (kind !== 'removed') newLine += 1;
    }
  };
  for (const { from, to } of changedRanges(lines)) {
    advance(from);
    const own = lines.slice(from, to);
    const oldLines = own.filter(({ kind }) => kind !== 'added').length;
    const newLines = own.filter(({ kind }) => kind !== 'removed').length;
    hunks.push({
      oldStart: oldLines === 0 ? oldLine - 1 : oldLine,
      oldLines,
      newStart: newLines === 0 ? newLine - 1 : newLine,
      newLines,
      lines: markWords(own),
    });
  }
  return hunks;
}

/** The ranges of lines that hunks show; those that would touch are one. */
function changedRanges(lines: readonly Line[]): readonly { from: number; to: number }[] {
  const ranges: { from: number; to: number }[] = [];
  lines.forEach(({ kind }, index) => {
    if (kind === 'context') return;
    const from = Math.max(0, index - CONTEXT);
    const to = Math.min(lines.length, index + CONTEXT + 1);
    const last = ranges.at(-1);
    if (last !== undefined && from <= last.to) last.to = to;
    else ranges.push({ from, to });
  });
  return ranges;
}

/** Marks the words that differ in removed lines and the lines that were added in their place. */
function markWords(lines: readonly Line[]): DiffLine[] {
  const shown: DiffLine[] = [];
  for (let at = 0; at < lines.length; ) {
    const kind = lines[at]?.kind;
    if (kind === 'context') {
      shown.push(showLine(lines[at] as Line, [{ text: withoutBreak((lines[at] as Line).text) }]));
      at += 1;
      continue;
    }
    let end = at;
    while (end < lines.length && lines[end]?.kind !== 'context') end += 1;
    const removed = lines.slice(at, end).filter((line) => line.kind === 'removed');
    const added = lines.slice(at, end).filter((line) => line.kind === 'added');
    const pairs = removed.map((line, index) => spansOfPair(line.text, added[index]?.text));
    removed.forEach((line, index) => {
      shown.push(showLine(line, pairs[index]?.before ?? []));
    });
    added.forEach((line, index) => {
      shown.push(showLine(line, pairs[index]?.after ?? [{ text: withoutBreak(line.text) }]));
    });
    at = end;
  }
  return shown;
}

function showLine({ kind, text }: Line, spans: readonly LineSpan[]): DiffLine {
  return { kind, spans, ...(text.endsWith('\n') ? {} : { noNewline: true as const }) };
}

function withoutBreak(text: string): string {
  return text.endsWith('\n') ? text.slice(0, -1) : text;
}

/** Two lines that replace each other. With little in common nothing is marked, since all of it differs. */
function spansOfPair(
  before: string,
  after: string | undefined,
): { readonly before: readonly LineSpan[]; readonly after?: readonly LineSpan[] } {
  const old = withoutBreak(before);
  if (after === undefined) return { before: [{ text: old }] };
  const now = withoutBreak(after);
  const whole = { before: [{ text: old }], after: [{ text: now }] };
  if (old.length + now.length > MAX_WORDS_LENGTH) return whole;
  const changes = diffWordsWithSpace(old, now);
  const shared = changes
    .filter(({ added, removed }) => !added && !removed)
    .reduce((length, { value }) => length + value.trim().length, 0);
  if (shared * 3 < Math.min(old.trim().length, now.trim().length)) return whole;
  const spans = (side: 'added' | 'removed') =>
    changes
      .filter((change) => change[side] || (!change.added && !change.removed))
      .map((change) =>
        change[side] ? { text: change.value, marked: true as const } : { text: change.value },
      );
  return { before: spans('removed'), after: spans('added') };
}
