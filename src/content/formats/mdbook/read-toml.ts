/** Texts and switches of a TOML file by their dotted keys, such as `book.title`. */
export type TomlValues = ReadonlyMap<string, string | boolean>;

/** A key of a table's line: bare words, or text in quotes, joined by dots. */
const KEY =
  /^\s*((?:"(?:[^"\\]|\\.)*"|'[^']*'|[A-Za-z0-9_-]+)(?:\s*\.\s*(?:"(?:[^"\\]|\\.)*"|'[^']*'|[A-Za-z0-9_-]+))*)\s*=\s*/;

/** No configuration of a book has more lines. */
const MAX_LINES = 20_000;

/** Nor a longer one that says where pages are, in UTF-16 code units. */
const MAX_LINE_LENGTH = 2_000;

/**
 * Reads what a builder's configuration says in texts and switches (https://toml.io/en/v1.0.0); numbers, dates, lists and
 * inline tables are passed over. Linear, and never throws: a line that cannot be read is left out.
 */
export function readToml(text: string): TomlValues {
  const values = new Map<string, string | boolean>();
  let table = '';
  let open: string | null = null;
  for (const line of text.split(/\r?\n/, MAX_LINES)) {
    if (line.length > MAX_LINE_LENGTH) continue;
    if (open !== null) {
      if (line.includes(open)) open = null;
      continue;
    }
    const header = /^\s*\[\[?\s*([^\]]+?)\s*\]\]?\s*(?:#.*)?$/.exec(line);
    if (header !== null && !line.includes('=')) {
      table = joinKey(header[1] ?? '');
      continue;
    }
    const key = KEY.exec(line);
    if (key === null) continue;
    const rest = line.slice(key[0].length);
    const quotes = /^("""|''')/.exec(rest)?.[1];
    if (quotes !== undefined) {
      if (!rest.slice(3).includes(quotes)) open = quotes;
      continue;
    }
    const value = readValue(rest);
    if (value !== null) values.set([table, joinKey(key[1] ?? '')].filter(Boolean).join('.'), value);
  }
  return values;
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
  return text.replace(/\\(u[0-9a-fA-F]{4}|.)/g, (_all, mark: string) => {
    if (mark.startsWith('u') && mark.length === 5)
      return String.fromCharCode(Number.parseInt(mark.slice(1), 16));
    return { n: '\n', t: '\t', r: '\r' }[mark] ?? mark;
  });
}
