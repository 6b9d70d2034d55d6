/** Excludes control characters, special spaces and marks that YAML may interpret, and lone surrogates. */
const PRINTABLE =
  /^[\n -~\u00a1-\u2027\u202a-\u2fff\u3001-\ud7ff\uf900-\ufefe\uff00-\uffef\u{1f300}-\u{1faff}]*$/u;

/**
 * An indentation, a key of word characters, and a value that YAML reads literally: plain text that begins with a letter
 * or a whole number, without characters that YAML interprets inside a line (`: `, ` #`), text in quotes without escapes,
 * the indicator of folded text (`>-`), or nothing, for a mapping.
 */
const LINE =
  /^( *)([A-Za-z][\w-]*):(?: +(?:((?:[A-Za-z\u00aa-\ud7ff\uf900-\uffef]|[\ud83c-\ud83e][\udc00-\udfff])(?:[^\n:#]|:(?=[^ \n])|(?<=[^ ])#)*$|0(?= *$)|[1-9]\d{0,8}(?= *$))|"([^"\\\n]*)"|'([^'\n]*)'|(>-)))? *$/;

/** Words that YAML does not read as text, as keys or as values (https://yaml.org/spec/1.2.2/#103-core-schema). */
const WORDS = /^(?:null|true|false)$/i;

/** Deeper mappings are left to the YAML parser. */
const MAX_DEPTH = 10;

interface Mapping {
  readonly indent: number;
  readonly values: Record<string, unknown>;
}

/**
 * Reads front matter of mappings from keys to plain text, whole numbers, `true` and `false`, as nearly all is, with the
 * same result as the YAML parser; null for any other front matter, which that parser must read.
 */
export function readPlainYaml(yaml: string): Readonly<Record<string, unknown>> | null {
  if (!PRINTABLE.test(yaml)) return null;
  const open: Mapping[] = [];
  /** A mapping whose first line comes next. */
  let started: Mapping['values'] | null = {};
  const all = started;
  const lines = yaml.split('\n');
  for (let at = 0; at < lines.length; at += 1) {
    const [, space = '', key = '', plain, double, single, fold] = LINE.exec(lines[at] ?? '') ?? [];
    if (key === '' || WORDS.test(key)) return null;
    const mapping = enter(open, started, space.length);
    if (mapping === null || Object.hasOwn(mapping.values, key)) return null;
    started = null;
    if (plain !== undefined) {
      const value = readValue(plain.trimEnd());
      if (value === null) return null;
      mapping.values[key] = value;
    } else if (fold !== undefined) {
      const folded = readFolded(lines, at + 1, space.length);
      if (folded === null) return null;
      mapping.values[key] = folded.join(' ');
      at += folded.length;
    } else if (double !== undefined || single !== undefined) {
      mapping.values[key] = double ?? single ?? '';
    } else {
      started = {};
      mapping.values[key] = started;
    }
  }
  // The last key has no value, which YAML reads as null.
  return started === null ? all : null;
}

/** The mapping that a line with this indentation belongs to; null for none. */
function enter(open: Mapping[], started: Mapping['values'] | null, indent: number): Mapping | null {
  if (started !== null) {
    const isDeeper = indent > (open.at(-1)?.indent ?? -1);
    if (!isDeeper || open.length === MAX_DEPTH || (open.length === 0 && indent > 0)) return null;
    const mapping = { indent, values: started };
    open.push(mapping);
    return mapping;
  }
  while ((open.at(-1)?.indent ?? -1) > indent) open.pop();
  const mapping = open.at(-1);
  return mapping?.indent === indent ? mapping : null;
}

function readValue(plain: string): string | number | boolean | null {
  if (/^\d/.test(plain)) return Number(plain);
  if (plain === 'true') return true;
  if (plain === 'false') return false;
  return WORDS.test(plain) ? null : plain;
}

/** The lines of a folded text when all have the same indentation and none is empty, else null. */
function readFolded(lines: readonly string[], start: number, parent: number): readonly string[] | null {
  const indent = indentOf(lines[start] ?? '');
  const folded: string[] = [];
  for (let at = start; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const own = indentOf(line);
    if (line !== '' && own <= parent) break;
    if (line === '' || own !== indent || own === line.length || line.endsWith(' ')) return null;
    folded.push(line.slice(indent));
  }
  return folded.length === 0 ? null : folded;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
