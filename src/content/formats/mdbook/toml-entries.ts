/** The key of a line: bare words or texts in quotes, joined by dots. */
const KEY =
  /^\s*((?:"(?:[^"\\]|\\.)*"|'[^']*'|[A-Za-z0-9_-]+)(?:\s*\.\s*(?:"(?:[^"\\]|\\.)*"|'[^']*'|[A-Za-z0-9_-]+))*)\s*=\s*/;

/** Lines beyond this number are ignored; real configurations are shorter. */
const MAX_LINES = 20_000;

/** Longer lines are ignored. In UTF-16 code units. */
const MAX_LINE_LENGTH = 2_000;

/** An entry, with the offsets of its value in the text, without quotes; the end is exclusive. */
export interface TomlEntry {
  readonly key: string;
  readonly value: string | boolean;
  readonly start: number;
  readonly end: number;
}

/**
 * The entries whose values are texts or booleans, in their order and with their offsets, which the TOML library does not
 * report (https://toml.io/en/v1.0.0). Takes linear time, and never throws: a line that cannot be read is left out.
 */
export function* tomlEntries(text: string): Iterable<TomlEntry> {
  let table: readonly string[] = [];
  let open: string | null = null;
  let next = 0;
  for (const line of text.split('\n', MAX_LINES)) {
    const start = next;
    next += line.length + 1;
    if (line.length > MAX_LINE_LENGTH) continue;
    if (open !== null) {
      if (line.includes(open)) open = null;
      continue;
    }
    const header = /^\s*\[\[?\s*([^\]]+?)\s*\]\]?\s*(?:#.*)?$/.exec(line);
    if (header !== null && !line.includes('=')) {
      table = [joinKey(header[1] ?? '')];
      continue;
    }
    const key = KEY.exec(line);
    if (key === null) continue;
    const at = key[0].length;
    const quotes = /^("""|''')/.exec(line.slice(at))?.[1];
    if (quotes !== undefined) {
      if (!line.slice(at + 3).includes(quotes)) open = quotes;
      continue;
    }
    const path = [...table, joinKey(key[1] ?? '')];
    yield* line[at] === '{' ? inlineEntries(line, at + 1, start, path) : entryAt(line, at, start, path);
  }
}

/** The entries of `{ a = "b", c = "d" }`, which is on one line. */
function* inlineEntries(
  line: string,
  from: number,
  start: number,
  path: readonly string[],
): Iterable<TomlEntry> {
  for (let at = from; at < line.length; ) {
    const key = KEY.exec(line.slice(at));
    if (key === null) return;
    at += key[0].length;
    const [entry] = entryAt(line, at, start, [...path, joinKey(key[1] ?? '')]);
    if (entry === undefined) return;
    yield entry;
    const rest = /^["']?\s*,/.exec(line.slice(entry.end - start));
    if (rest === null) return;
    at = entry.end - start + rest[0].length;
  }
}

function entryAt(line: string, at: number, start: number, path: readonly string[]): readonly TomlEntry[] {
  const rest = line.slice(at);
  const value = readValue(rest);
  if (value === null) return [];
  const key = path.filter(Boolean).join('.');
  if (typeof value === 'boolean') {
    return [{ key, value, start: start + at, end: start + at + String(value).length }];
  }
  const length = (/^(?:"(?:[^"\\]|\\.)*"|'[^']*')/.exec(rest)?.[0].length ?? 2) - 2;
  return [{ key, value, start: start + at + 1, end: start + at + 1 + length }];
}

function readValue(text: string): string | boolean | null {
  const basic = /^"((?:[^"\\]|\\.)*)"/.exec(text);
  if (basic !== null) return unescapeText(basic[1] ?? '');
  const literal = /^'([^']*)'/.exec(text);
  if (literal !== null) return literal[1] ?? '';
  const word = /^(true|false)\b/.exec(text);
  return word === null ? null : word[1] === 'true';
}

/** `output."html"` and `output.html` are one key. */
function joinKey(key: string): string {
  const parts = key.match(/"(?:[^"\\]|\\.)*"|'[^']*'|[^.\s]+/g) ?? [];
  return parts
    .map((part) => (part.startsWith('"') ? unescapeText(part.slice(1, -1)) : part.replace(/^'|'$/g, '')))
    .join('.');
}

function unescapeText(text: string): string {
  return text.replace(/\\(u[0-9a-fA-F]{4}|.)/g, (_all, escaped: string) => {
    if (escaped.startsWith('u') && escaped.length === 5)
      return String.fromCharCode(Number.parseInt(escaped.slice(1), 16));
    return { n: '\n', t: '\t', r: '\r' }[escaped] ?? escaped;
  });
}
