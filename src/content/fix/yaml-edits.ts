import { isMap, isPair, isScalar, type ParsedNode, visit, type YAMLMap } from 'yaml';
import type { FileEdit } from '../text/index.ts';
import { parseYamlDocument } from '../yaml/index.ts';

/** A text of a YAML file with its position. */
export interface YamlText {
  /** The keys and list indexes that lead to it. */
  readonly keys: readonly (string | number)[];
  readonly isKey: boolean;
  readonly value: string;
  /** Offsets, including its quotes. */
  readonly start: number;
  readonly end: number;
}

/** Returns the plain and quoted texts of a YAML file, in order; none for a file that is not valid. Blocks (`|`, `>`) are left out. */
export function yamlTexts(source: string): readonly YamlText[] {
  const document = read(source);
  const texts: YamlText[] = [];
  if (document === null) return texts;
  visit(document, {
    Scalar(key, node, path) {
      const range = (node as { range?: readonly [number, number, number] | null }).range;
      if (typeof node.value !== 'string' || range === null || range === undefined) return;
      const written = source.slice(range[0], range[1]);
      const isQuoted = node.type === 'QUOTE_DOUBLE' || node.type === 'QUOTE_SINGLE';
      if (!isQuoted && written !== node.value) return;
      texts.push({
        keys: keysOf([...path, node], key === 'key'),
        isKey: key === 'key',
        value: node.value,
        start: range[0],
        end: range[1],
      });
    },
  });
  return texts;
}

/** Writes another value for a text, in the same quotes. */
export function writeYamlText(source: string, { start }: YamlText, value: string): string {
  const quote = source[start];
  if (quote === '"') return JSON.stringify(value);
  if (quote === "'" || !isPlain(value)) return `'${value.replaceAll("'", "''")}'`;
  return value;
}

/**
 * Returns the edit that adds entries at the end of the mapping at `keys`, which is created when it is missing. Null when
 * that is not possible without changing anything else.
 */
export function addYamlEntries(
  source: string,
  keys: readonly string[],
  entries: readonly (readonly [key: string, value: string])[],
): Omit<FileEdit, 'file'> | null {
  const document = read(source);
  if (document === null) return null;
  const eol = source.includes('\r\n') ? '\r\n' : '\n';
  const lines = (indent: string) =>
    entries.map(([key, value]) => `${indent}${plain(key)}: ${plain(value)}${eol}`);
  const node = keys.length === 0 ? document.contents : document.getIn(keys, true);
  if (isMap(node) && node.items.length > 0) return addToMap(source, node as YAMLMap.Parsed, entries, lines);
  const isEmpty = isMap(node) || (isScalar(node) && node.value === null);
  if (node !== undefined && node !== null && !isEmpty) return null;
  const name = keys.at(-1);
  if (name === undefined) return null;
  const parent = keys.length === 1 ? document.contents : document.getIn(keys.slice(0, -1), true);
  const pair = isMap(parent)
    ? parent.items.find((item) => isPair(item) && isScalar(item.key) && item.key.value === name)
    : undefined;
  if (pair !== undefined && isScalar(pair.key) && pair.key.range) {
    // The key exists without a value.
    const isInline = isMap(parent) && parent.flow === true;
    const indent = `${indentAt(source, pair.key.range[0])}  `;
    const block = lines(indent).join('');
    if (isMap(node)) {
      const inline = entries.map(([key, value]) => `${plain(key)}: ${plain(value)}`).join(', ');
      const text = isInline ? ` { ${inline} }` : eol + block.slice(0, -eol.length);
      return replaceEmptyMap(source, node as YAMLMap.Parsed, text);
    }
    if (isInline) return null;
    return insertLine(source, endOfLine(source, pair.key.range[1]), block, eol);
  }
  if (keys.length > 1 || (parent !== null && !isMap(parent)) || (isMap(parent) && parent.flow)) return null;
  return insertLine(source, source.length, `${name}:${eol}${lines('  ').join('')}`, eol);
}

/** Returns the offsets of the whole line of an entry of a block mapping; null when it is not on a separate line. */
export function yamlEntryLines(
  source: string,
  key: YamlText,
  value: YamlText,
): { readonly start: number; readonly end: number } | null {
  const start = source.lastIndexOf('\n', key.start - 1) + 1;
  const end = endOfLine(source, value.end);
  if (source.slice(start, key.start).trim() !== '' || !/^\s*(?:#.*)?$/.test(source.slice(value.end, end)))
    return null;
  return { start, end };
}

function read(source: string) {
  try {
    const document = parseYamlDocument(source);
    return document.errors.length > 0 ? null : document;
  } catch {
    return null;
  }
}

function addToMap(
  source: string,
  map: YAMLMap.Parsed,
  entries: readonly (readonly [string, string])[],
  lines: (indent: string) => readonly string[],
): Omit<FileEdit, 'file'> | null {
  const last = map.items.at(-1);
  const first = map.items[0];
  const end = endOf(last?.value ?? null) ?? endOf(last?.key ?? null);
  const start = (first?.key as ParsedNode | undefined)?.range?.[0];
  if (end === null || start === undefined) return null;
  if (map.flow) {
    const text = entries.map(([key, value]) => `, ${plain(key)}: ${plain(value)}`).join('');
    return { start: end, end, text };
  }
  const eol = source.includes('\r\n') ? '\r\n' : '\n';
  const at = source[end - 1] === '\n' ? end : endOfLine(source, end);
  return insertLine(source, at, lines(indentAt(source, start)).join(''), eol);
}

/** Replaces `{}` and the blanks before it; null when there is a comment in it. */
function replaceEmptyMap(
  source: string,
  { range: [start, end] }: YAMLMap.Parsed,
  text: string,
): Omit<FileEdit, 'file'> | null {
  if (!/^\{\s*\}$/.test(source.slice(start, end))) return null;
  return { start: source.slice(0, start).trimEnd().length, end, text };
}

function endOf(node: unknown): number | null {
  const range = (node as { range?: readonly [number, number, number] | null } | null)?.range;
  return range?.[1] ?? null;
}

/** Inserts at `at`: the start of a line, or the end of a file whose last line may have no line break. */
function insertLine(source: string, at: number, text: string, eol: string): Omit<FileEdit, 'file'> {
  const isOpen = at > 0 && source[at - 1] !== '\n';
  return { start: at, end: at, text: isOpen ? eol + text.slice(0, -eol.length) : text };
}

function endOfLine(source: string, at: number): number {
  const end = source.indexOf('\n', at);
  return end === -1 ? source.length : end + 1;
}

function indentAt(source: string, at: number): string {
  const start = source.lastIndexOf('\n', at - 1) + 1;
  return source.slice(start, at).replace(/[^ ]/g, ' ');
}

function plain(text: string): string {
  return isPlain(text) ? text : `'${text.replaceAll("'", "''")}'`;
}

/** Whether a text needs no quotes anywhere: words, dots and slashes that are not a number, date or boolean. */
function isPlain(text: string): boolean {
  return (
    /^[\p{L}_./][\p{L}\p{N} _./+*@=~-]*$/u.test(text) &&
    !/^(?:true|false|null|yes|no|on|off|\.|~)$|\s$|^\.\d|^-/i.test(text)
  );
}

function keysOf(path: readonly unknown[], isKey: boolean): (string | number)[] {
  const keys: (string | number)[] = [];
  for (const [at, node] of path.entries()) {
    const parent = path[at - 1];
    if (isPair(node) && isScalar(node.key) && !(isKey && at === path.length - 2))
      keys.push(String(node.key.value));
    else if (parent !== null && typeof parent === 'object' && 'items' in parent && !isPair(node)) {
      keys.push((parent.items as readonly unknown[]).indexOf(node));
    }
  }
  return keys;
}
