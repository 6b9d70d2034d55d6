/** A text in a TOML file, and its position. */
export interface TomlText {
  /** The table and key, with dots: `output.html.theme`. */
  readonly key: string;
  readonly value: string;
  /** Offsets between the quotes. */
  readonly start: number;
  readonly end: number;
  /** The line, including its line break. */
  readonly line: { readonly start: number; readonly end: number };
  /** Whether the line contains only the key and this text. */
  readonly isAlone: boolean;
}

export interface TomlTexts {
  readonly texts: readonly TomlText[];
  /** Table by name → the offset after its last line that is neither empty nor a comment. */
  readonly tables: ReadonlyMap<string, number>;
}

const KEY = /^\s*((?:"[^"\\]*"|'[^']*'|[\w-]+)(?:\s*\.\s*(?:"[^"\\]*"|'[^']*'|[\w-]+))*)\s*=\s*/;
const MAX_LINE_LENGTH = 2_000;

/** Finds the texts in quotes without escapes, also in lists. Texts of several lines are ignored. */
export function findTomlTexts(source: string): TomlTexts {
  const texts: TomlText[] = [];
  const tables = new Map<string, number>([['', 0]]);
  let [table, key, open] = ['', '', ''];
  let at = 0;
  for (const line of source.split(/(?<=\n)/)) {
    const start = at;
    at += line.length;
    if (line.length > MAX_LINE_LENGTH) continue;
    if (open !== '') {
      if (line.includes(open)) open = '';
      tables.set(table, at);
      continue;
    }
    const header = /^\s*\[\s*([^[\]=]+?)\s*\]\s*(?:#.*)?$/.exec(line.trimEnd());
    if (header !== null) {
      table = partsOf(header[1] ?? '').join('.');
      key = '';
      tables.set(table, at);
      continue;
    }
    if (/^\s*(?:#|$)/.test(line)) continue;
    tables.set(table, at);
    const found = KEY.exec(line);
    if (found !== null) key = [table, ...partsOf(found[1] ?? '')].filter(Boolean).join('.');
    const rest = line.slice(found?.[0].length ?? 0);
    const quotes = /^("""|''')/.exec(rest)?.[1];
    if (quotes !== undefined) {
      if (!rest.slice(3).includes(quotes)) open = quotes;
      continue;
    }
    for (const match of rest.matchAll(/#.*$|"([^"\\\n]*)"|'([^'\n]*)'/g)) {
      const value = match[1] ?? match[2];
      if (value === undefined) continue;
      const from = start + (found?.[0].length ?? 0) + match.index + 1;
      const isAlone =
        found !== null && match.index === 0 && /^\s*(?:#.*)?$/.test(rest.slice(match[0].length).trimEnd());
      texts.push({ key, value, start: from, end: from + value.length, line: { start, end: at }, isAlone });
    }
  }
  return { texts, tables };
}

/** `output."html"` and `output.html` are one key. */
function partsOf(key: string): string[] {
  return (key.match(/"[^"\\]*"|'[^']*'|[^.\s]+/g) ?? []).map((part) => part.replace(/^["']|["']$/g, ''));
}
