import { type Document, isAlias, isMap, isScalar, isSeq, type Node, parseDocument, visit } from 'yaml';
import { findJsonOffsets } from './find-json-offsets.ts';
import { MAX_SPEC_DEPTH, MAX_SPEC_VALUES } from './limits.ts';
import { isObject, partsOf, type ValuePath, writePointer } from './pointer.ts';
import { positionAt, positionsAt, type TextPosition } from './position.ts';
import type { SpecProblem } from './spec-problem.ts';

/** A parsed file of a description. */
export interface ParsedSource {
  readonly value: unknown;
  /** Positions of the values at the given paths: of their keys, or of the items of a list. When a path leads to nothing, of the last value on it. */
  positionsOf(paths: readonly (readonly string[])[]): readonly TextPosition[];
}

/** Parses JSON or YAML 1.2, which is detected from the text. */
export function parseSource(file: string, text: string): ParsedSource | SpecProblem {
  const source = /^\uFEFF?\s*[[{]/.test(text)
    ? (parseJson(text) ?? parseYaml(file, text))
    : parseYaml(file, text);
  return isProblem(source) ? source : (checkSize(file, source) ?? source);
}

export function isProblem(source: ParsedSource | SpecProblem): source is SpecProblem {
  return 'code' in source;
}

function parseJson(text: string): ParsedSource | null {
  try {
    const value: unknown = JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
    return { value, positionsOf: (paths) => positionsAt(text, findJsonOffsets(text, paths)) };
  } catch {
    // YAML accepts trailing commas and comments in JSON, and reports the position of what it rejects.
    return null;
  }
}

function parseYaml(file: string, text: string): ParsedSource | SpecProblem {
  const refuse = (message: string, offset: number): SpecProblem => ({
    code: 'INVALID_SYNTAX',
    message,
    file,
    // An error at the end of the file is reported after its last character, not on an empty line.
    ...positionAt(text, Math.min(offset, text.trimEnd().length)),
  });
  let document: Document.Parsed;
  try {
    document = parseDocument(text, {
      prettyErrors: false,
      uniqueKeys: false,
      merge: true,
      logLevel: 'silent',
    });
  } catch {
    return refuse('The file is nested too deeply to be read.', 0);
  }
  const [error] = document.errors;
  if (error) return refuse(`The file is not valid YAML: ${toSentence(error.message)}`, error.pos[0]);
  const repeated = findRepeatedKey(document);
  if (repeated) {
    return refuse(
      `The key "${repeated.name}" is defined twice. Remove or rename one of them.`,
      repeated.offset,
    );
  }
  try {
    // Aliases share their value; `checkSize` counts the repetitions.
    const value: unknown = document.toJS({ maxAliasCount: -1 });
    return {
      value,
      positionsOf: (paths) =>
        positionsAt(
          text,
          paths.map((parts) => offsetOf(document, parts)),
        ),
    };
  } catch (cause) {
    return refuse(
      `The file is not valid YAML: ${toSentence(cause instanceof Error ? cause.message : '')}`,
      0,
    );
  }
}

function toSentence(message: string): string {
  const [line = ''] = message.split('\n');
  return `${line.slice(0, 200).replace(/[.:]$/, '') || 'it cannot be read'}.`;
}

/** The parser's own check is quadratic in the number of keys. */
function findRepeatedKey(
  document: Document.Parsed,
): { readonly name: string; readonly offset: number } | null {
  let found: { readonly name: string; readonly offset: number } | null = null;
  visit(document, {
    Map(_key, map) {
      const names = new Set<unknown>();
      for (const { key } of map.items) {
        if (!isScalar(key) || key.value === '<<') continue;
        const name = String(key.value);
        if (names.has(name)) {
          found = { name: name.slice(0, 100), offset: key.range?.[0] ?? 0 };
          return visit.BREAK;
        }
        names.add(name);
      }
      return undefined;
    },
  });
  return found;
}

function offsetOf(document: Document.Parsed, parts: readonly string[]): number {
  let node: unknown = document.contents;
  let offset = startOf(node) ?? 0;
  for (const part of parts) {
    if (isAlias(node)) node = node.resolve(document);
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === part);
      if (!pair) break;
      offset = startOf(pair.key) ?? offset;
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(part)];
      offset = startOf(node) ?? offset;
    } else break;
  }
  return offset;
}

function startOf(node: unknown): number | undefined {
  return (node as Node | null | undefined)?.range?.[0];
}

/** Checks the size first, because all later steps walk the whole value. */
function checkSize(file: string, source: ParsedSource): SpecProblem | null {
  const stack: { readonly value: object; readonly path: ValuePath | null; readonly depth: number }[] = [];
  let count = 0;
  const refuse = (message: string, path: ValuePath | null): SpecProblem => {
    const parts = partsOf(path).slice(0, 20);
    return {
      code: 'TOO_LARGE',
      message,
      file,
      pointer: writePointer(parts),
      ...source.positionsOf([parts])[0],
    };
  };
  const enter = (value: unknown, path: ValuePath | null, depth: number) => {
    count++;
    if (typeof value === 'object' && value !== null) stack.push({ value, path, depth });
  };
  enter(source.value, null, 0);
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { value, path, depth } = next;
    if (depth > MAX_SPEC_DEPTH) return refuse(`The file nests more than ${MAX_SPEC_DEPTH} values.`, path);
    if (count > MAX_SPEC_VALUES) {
      return refuse(
        `The file contains more than ${MAX_SPEC_VALUES / 1_000_000} million values, aliases written out.`,
        path,
      );
    }
    if (Array.isArray(value)) {
      for (const [at, item] of value.entries()) enter(item, { parent: path, key: String(at) }, depth + 1);
    } else if (isObject(value)) {
      for (const key of Object.keys(value)) enter(value[key], { parent: path, key }, depth + 1);
    }
  }
  return null;
}
