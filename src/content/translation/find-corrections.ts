import { findSegments } from './find-segments.ts';
import { encodeParts, type Part, type Segment } from './segment.ts';

/** A text as a person wrote it, and the text of the source that it stands for. */
export interface Correction {
  readonly source: Segment;
  /** With the marks of the source; null where the person changed what is marked. */
  readonly text: string | null;
  /** As it stands in the page. */
  readonly raw: string;
}

export interface Corrections {
  readonly items: readonly Correction[];
  /** Whether they are all that the person changed in the page. */
  readonly isAll: boolean;
}

/** What a person changed in a translated page since it was written from its source. */
export function findCorrections(
  path: string,
  pages: { readonly source: string; readonly written: string; readonly current: string },
): Corrections {
  const none = { items: [], isAll: false };
  const source = findSegments(pages.source, path);
  const written = findSegments(pages.written, path);
  const current = findSegments(pages.current, path);
  if (source.length !== written.length) return none;
  const pairs = pairUp(
    written.map((one) => pages.written.slice(one.start, one.end)),
    current.map((one) => pages.current.slice(one.start, one.end)),
  );
  const items = pairs.map(([at, to]): Correction => {
    const [before, after] = [source[at] as Segment, current[to] as Segment];
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

/** The bytes that are in no segment. */
function between(text: string, segments: readonly Segment[]): string {
  let at = 0;
  const parts = segments.map((segment) => {
    const part = text.slice(at, segment.start);
    at = segment.end;
    return part;
  });
  return [...parts, text.slice(at)].join('\0');
}

/** Pairs what differs: between texts that stayed, as many on both sides. */
function pairUp(before: readonly string[], after: readonly string[]): [number, number][] {
  const pairs: [number, number][] = [];
  const pair = (from: number, to: number, otherFrom: number, otherTo: number) => {
    if (to - from !== otherTo - otherFrom) return;
    for (let at = 0; at < to - from; at += 1) {
      if (before[from + at] !== after[otherFrom + at]) pairs.push([from + at, otherFrom + at]);
    }
  };
  let [from, otherFrom] = [0, 0];
  if (before.length === after.length) pair(0, before.length, 0, after.length);
  else {
    for (const [at, to] of anchorsOf(before, after)) {
      pair(from, at, otherFrom, to);
      [from, otherFrom] = [at + 1, to + 1];
    }
    pair(from, before.length, otherFrom, after.length);
  }
  return pairs;
}

/** Texts that stand once on either side, in one order: what surely stayed. */
function anchorsOf(before: readonly string[], after: readonly string[]): [number, number][] {
  const places = new Map<string, number | null>();
  for (const [at, text] of after.entries()) places.set(text, places.has(text) ? null : at);
  const seen = new Map<string, number>();
  for (const text of before) seen.set(text, (seen.get(text) ?? 0) + 1);
  const found: [number, number][] = [];
  for (const [at, text] of before.entries()) {
    const to = places.get(text);
    if (to === undefined || to === null || seen.get(text) !== 1) continue;
    if (to > (found.at(-1)?.[1] ?? -1)) found.push([at, to]);
  }
  return found;
}

/** The text of a segment with the marks numbered as in another one that has the very same ones. */
function withMarksOf(source: Segment, written: Segment): string | null {
  const free: (readonly [number, string])[] = [];
  const number = (parts: readonly Part[]) => {
    for (const part of parts) {
      if (part.type === 'text') continue;
      free.push([free.length + 1, nameOf(part)]);
      if (part.type === 'wrap') number(part.parts);
    }
  };
  number(source.parts);
  const all = free.length;
  let used = 0;
  let fits = true;
  const encode = (parts: readonly Part[]): string =>
    parts
      .map((part) => {
        if (part.type === 'text') return encodeParts([part]);
        const at = free.findIndex(([, name]) => name === nameOf(part));
        const [id] = free.splice(at, at === -1 ? 0 : 1)[0] ?? [0];
        if (at === -1) fits = false;
        used += 1;
        return part.type === 'atom' ? `<x id="${id}"/>` : `<g id="${id}">${encode(part.parts)}</g>`;
      })
      .join('');
  const text = encode(written.parts);
  return fits && used === all ? text : null;
}

function nameOf(part: Exclude<Part, { type: 'text' }>): string {
  return part.type === 'atom' ? part.raw : `${part.open}\0${part.close}`;
}
