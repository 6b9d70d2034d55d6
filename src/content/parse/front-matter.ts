import { LineCounter } from 'yaml';
import { MAX_FRONT_MATTER_LENGTH, type Problem, type Span } from '../model/index.ts';
import { parseYamlDocument, valuesOf } from '../yaml/index.ts';
import { readPlainYaml } from './read-plain-yaml.ts';

export interface FrontMatter {
  readonly values: Readonly<Record<string, unknown>>;
  readonly problem: Problem | null;
}

/**
 * Reads YAML front matter as plain JSON values. Hostile YAML (aliases that multiply, endless nesting) becomes a
 * problem. `firstLine` is the line of the file where the YAML starts.
 */
export function readFrontMatter(yaml: string, firstLine: number): FrontMatter {
  if (yaml.length > MAX_FRONT_MATTER_LENGTH) {
    const limit = MAX_FRONT_MATTER_LENGTH / 1024;
    return failed(`The front matter is larger than ${limit} KB and was not read.`, firstLine);
  }
  const plain = readPlainYaml(yaml);
  if (plain !== null) return { values: plain, problem: null };
  try {
    const lineCounter = new LineCounter();
    const document = parseYamlDocument(yaml, { lineCounter });
    const error = document.errors[0];
    if (error !== undefined) {
      const line = firstLine + lineCounter.linePos(error.pos[0]).line - 1;
      return failed(`The front matter is not valid YAML: ${firstSentence(error.message)}`, line);
    }
    const value: unknown = valuesOf(document);
    if (value === null || value === undefined) return { values: {}, problem: null };
    if (typeof value !== 'object' || Array.isArray(value)) {
      return failed('The front matter is not a mapping of keys to values.', firstLine);
    }
    return { values: toPlain(value), problem: null };
  } catch (error) {
    const reason = error instanceof Error ? firstSentence(error.message) : 'it cannot be read.';
    return failed(`The front matter is not valid YAML: ${reason}`, firstLine);
  }
}

function failed(message: string, line: number): FrontMatter {
  return { values: {}, problem: { message, line } };
}

function firstSentence(message: string): string {
  const line = message.split('\n', 1)[0] ?? '';
  return line.endsWith('.') ? line : `${line}.`;
}

/** Makes all strings storable: no NUL, which PostgreSQL refuses, and no lone surrogates. */
function toPlain(value: object): Record<string, unknown> {
  return JSON.parse(JSON.stringify(value), (_key, item: unknown) =>
    typeof item === 'string' ? item.toWellFormed().replaceAll('\0', '\u{fffd}') : item,
  );
}

/** A link in front matter: its key, or the path to it (`hero.image.file`), and the destination. */
export interface FrontMatterLink {
  readonly key: string;
  readonly target: string;
}

/**
 * Finds the spans of the links: the destination's text, else the key. `firstLine` is the line of the file where the YAML
 * starts.
 */
export function locateFrontMatterLinks(
  links: readonly FrontMatterLink[],
  { source, firstLine }: { readonly source: string; readonly firstLine: number },
): (FrontMatterLink & Span)[] {
  const next = new Map<string, number>();
  return links.map((link) => {
    const name = link.key.slice(link.key.lastIndexOf('.') + 1);
    const key = Math.max(0, source.indexOf(`${name}:`));
    const found = findWhole(source, link.target, Math.max(key + name.length, next.get(link.target) ?? 0));
    const at = found === -1 || link.target === '' ? key : found;
    if (found !== -1) next.set(link.target, found + link.target.length);
    const before = source.slice(0, at);
    const line = firstLine + before.split('\n').length - 1;
    const column = at - before.lastIndexOf('\n');
    const length = found === -1 ? name.length : link.target.length;
    return { ...link, line, column, endLine: line, endColumn: column + length };
  });
}

/** Finds a text that is not part of a longer word; else its first occurrence. */
function findWhole(source: string, text: string, from: number): number {
  const first = source.indexOf(text, from);
  for (let at = first, tries = 0; at !== -1 && tries < 100; at = source.indexOf(text, at + 1), tries += 1) {
    const [before, after] = [source[at - 1] ?? ' ', source[at + text.length] ?? ' '];
    if (/[\s"'[{,:]/.test(before) && /[\s"'\]},]/.test(after)) return at;
  }
  return first;
}
