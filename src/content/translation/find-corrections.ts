import { findSegments } from './find-segments.ts';
import { readCorrection } from './read-correction.ts';
import type { Segment } from './segment.ts';

/** A translation as a person wrote it, and the text that it translates. */
export interface Correction {
  readonly source: Segment;
  /** With the placeholders of the source; null when the person changed what they stand for. */
  readonly text: string | null;
  /** As written in the page. */
  readonly raw: string;
  /** The texts before and after `source` in the page; null at its ends. */
  readonly neighbours: readonly [before: string | null, after: string | null];
}

export interface Corrections {
  readonly items: readonly Correction[];
  /** Whether the person changed nothing else in the page. */
  readonly isAll: boolean;
}

/** Finds what a person changed in a translated page since it was written from its source. */
export function findCorrections(
  path: string,
  pages: { readonly source: string; readonly written: string; readonly current: string },
): Corrections {
  const none = { items: [], isAll: false };
  const source = findSegments(pages.source, path).segments;
  const written = findSegments(pages.written, path).segments;
  const current = findSegments(pages.current, path).segments;
  if (source.length !== written.length) return none;
  const pairs = pairUp(
    written.map(({ start, end }) => pages.written.slice(start, end)),
    current.map(({ start, end }) => pages.current.slice(start, end)),
  );
  const items = pairs.map(([sourceAt, currentAt]): Correction => {
    const [before, after] = [source[sourceAt] as Segment, current[currentAt] as Segment];
    return {
      source: before,
      text: readCorrection(before, after),
      raw: pages.current.slice(after.start, after.end),
      neighbours: neighboursOf(source, sourceAt),
    };
  });
  const isAll =
    written.length === current.length && between(pages.written, written) === between(pages.current, current);
  return { items, isAll };
}

/** The texts before and after a segment of a page; null at its ends. */
export function neighboursOf(segments: readonly Segment[], at: number): Correction['neighbours'] {
  return [segments[at - 1]?.text ?? null, segments[at + 1]?.text ?? null];
}

/** The text outside of segments. */
function between(text: string, segments: readonly Segment[]): string {
  let at = 0;
  const parts = segments.map((segment) => {
    const part = text.slice(at, segment.start);
    at = segment.end;
    return part;
  });
  return [...parts, text.slice(at)].join('\0');
}

/** Pairs the texts that differ, where both sides have the same number of texts between unchanged ones. */
function pairUp(before: readonly string[], after: readonly string[]): [number, number][] {
  const pairs: [number, number][] = [];
  const pair = (from: number, to: number, afterFrom: number, afterTo: number) => {
    if (to - from !== afterTo - afterFrom) return;
    for (let at = 0; at < to - from; at += 1) {
      if (before[from + at] !== after[afterFrom + at]) pairs.push([from + at, afterFrom + at]);
    }
  };
  let [from, afterFrom] = [0, 0];
  if (before.length === after.length) pair(0, before.length, 0, after.length);
  else {
    for (const [at, to] of anchorsOf(before, after)) {
      pair(from, at, afterFrom, to);
      [from, afterFrom] = [at + 1, to + 1];
    }
    pair(from, before.length, afterFrom, after.length);
  }
  return pairs;
}

/** The indexes of texts that occur once on each side, in the same order: they are certainly unchanged. */
function anchorsOf(before: readonly string[], after: readonly string[]): [number, number][] {
  const positions = new Map<string, number | null>();
  for (const [at, text] of after.entries()) positions.set(text, positions.has(text) ? null : at);
  const seen = new Map<string, number>();
  for (const text of before) seen.set(text, (seen.get(text) ?? 0) + 1);
  const found: [number, number][] = [];
  for (const [at, text] of before.entries()) {
    const to = positions.get(text);
    if (to === undefined || to === null || seen.get(text) !== 1) continue;
    if (to > (found.at(-1)?.[1] ?? -1)) found.push([at, to]);
  }
  return found;
}
