import { type Place, placeAt } from './place.ts';

/**
 * Where the value of a pointer stands in a text that `JSON.parse` takes: at its key in an object, at itself in a list.
 * Where the way ends early, the last value on it. One pass over the text, without building anything.
 */
export function findJsonPlace(text: string, parts: readonly string[]): Place {
  let at = skipSpace(text, text.charCodeAt(0) === 0xfeff ? 1 : 0);
  let place = at;
  for (const part of parts) {
    const found =
      text[at] === '{' ? findKey(text, at, part) : text[at] === '[' ? findItem(text, at, part) : null;
    if (found === null) break;
    place = found.place;
    at = found.value;
  }
  return placeAt(text, place);
}

interface Found {
  /** What people are led to. */
  readonly place: number;
  readonly value: number;
}

/** The last member of that name counts, as for `JSON.parse`. */
function findKey(text: string, start: number, name: string): Found | null {
  let found: Found | null = null;
  for (let at = skipSpace(text, start + 1); text[at] === '"'; ) {
    const end = skipString(text, at);
    const value = skipSpace(text, skipSpace(text, end) + 1);
    if (isString(text, at, end, name)) found = { place: at, value };
    at = skipSpace(text, skipValue(text, value));
    if (text[at] !== ',') break;
    at = skipSpace(text, at + 1);
  }
  return found;
}

function findItem(text: string, start: number, index: string): Found | null {
  let at = skipSpace(text, start + 1);
  for (let left = Number(index); at < text.length && text[at] !== ']'; left--) {
    if (left === 0) return { place: at, value: at };
    at = skipSpace(text, skipValue(text, at));
    if (text[at] !== ',') break;
    at = skipSpace(text, at + 1);
  }
  return null;
}

function isString(text: string, start: number, end: number, name: string): boolean {
  const raw = text.slice(start + 1, end - 1);
  return raw === name || (raw.includes('\\') && JSON.parse(text.slice(start, end)) === name);
}

const SPACE = /[\t\n\r ]*/y;
const STRING = /"[^"\\]*/y;
const UNTIL_MARK = /[^"[\]{}]*/y;
const PLAIN = /[^\t\n\r ,\]}]*/y;

function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  pattern.test(text);
  return Math.max(pattern.lastIndex, at);
}

function skipSpace(text: string, at: number): number {
  return skip(SPACE, text, at);
}

function skipString(text: string, start: number): number {
  let at = skip(STRING, text, start);
  while (text[at] === '\\') {
    at += 2;
    while (at < text.length && text[at] !== '"' && text[at] !== '\\') at++;
  }
  return at + 1;
}

function skipValue(text: string, start: number): number {
  if (text[start] === '"') return skipString(text, start);
  if (text[start] !== '{' && text[start] !== '[') return skip(PLAIN, text, start);
  let depth = 0;
  for (let at = start; at < text.length; ) {
    const mark = text[at];
    if (mark === '"') at = skipString(text, at);
    else {
      if (mark === '{' || mark === '[') depth++;
      else if (mark === '}' || mark === ']') depth--;
      at++;
      if (depth === 0) return at;
    }
    at = skip(UNTIL_MARK, text, at);
  }
  return text.length;
}
