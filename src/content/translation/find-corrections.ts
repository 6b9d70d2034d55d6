import { findSegments } from './find-segments.ts';
import { encodeParts, type Part, type Segment } from './segment.ts';

/** A translation as a person wrote it, and the text that it translates. */
export interface Correction {
  readonly source: Segment;
  /** With the placeholders of the source; null when the person changed what they stand for. */
  readonly text: string | null;
  /** As written in the page. */
  readonly raw: string;
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
      text: withMarksOf(before, after),
      raw: pages.current.slice(after.start, after.end),
    };
  });
  const isAll =
    written.length === current.length && between(pages.written, written) === between(pages.current, current);
  return { items, isAll };
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

/** The text of a segment with its placeholders numbered as in the source; null unless both have the same placeholders. */
function withMarksOf(source: Segment, written: Segment): string | null {
  const unused: (readonly [number, string])[] = [];
  const number = (parts: readonly Part[]) => {
    for (const part of parts) {
      if (part.type === 'text') continue;
      unused.push([unused.length + 1, nameOf(part)]);
      if (part.type === 'wrap') number(part.parts);
    }
  };
  number(source.parts);
  const all = unused.length;
  let used = 0;
  let isSame = true;
  const encode = (parts: readonly Part[]): string =>
    parts
      .map((part) => {
        if (part.type === 'text') return encodeParts([part]);
        const at = unused.findIndex(([, name]) => name === nameOf(part));
        const [id] = unused.splice(at, at === -1 ? 0 : 1)[0] ?? [0];
        if (at === -1) isSame = false;
        used += 1;
        return part.type === 'atom' ? `<x id="${id}"/>` : `<g id="${id}">${encode(part.parts)}</g>`;
      })
      .join('');
  const text = encode(written.parts);
  return isSame && used === all ? text : null;
}

function nameOf(part: Exclude<Part, { type: 'text' }>): string {
  return part.type === 'atom' ? part.raw : `${part.open}\0${part.close}`;
}
