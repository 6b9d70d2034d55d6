import { type Document, isAlias, isMap, isScalar, isSeq, type Node, parseDocument, visit } from 'yaml';
import { findJsonOffsets } from './find-json-place.ts';
import { MAX_SPEC_DEPTH, MAX_SPEC_VALUES } from './limits.ts';
import { type Place, placeAt, placesAt } from './place.ts';
import { isObject, partsOf, type Way, writePointer } from './pointer.ts';
import type { SpecProblem } from './spec-problem.ts';

/** A file of a description, read. */
export interface ParsedSource {
  readonly value: unknown;
  /** Where the values at the ends of the ways stand: at their keys, or at themselves in a list; else the last on the way. */
  placesOf(ways: readonly (readonly string[])[]): readonly Place[];
}

/** Reads JSON or YAML 1.2; which of the two it is shows in the text. */
export function parseSource(file: string, text: string): ParsedSource | SpecProblem {
  const source = /^\uFEFF?\s*[[{]/.test(text)
    ? (parseJson(text) ?? parseYaml(file, text))
    : parseYaml(file, text);
  return isProblem(source) ? source : (measure(file, source) ?? source);
}

export function isProblem(source: ParsedSource | SpecProblem): source is SpecProblem {
  return 'code' in source;
}

function parseJson(text: string): ParsedSource | null {
  try {
    const value: unknown = JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
    return { value, placesOf: (ways) => placesAt(text, findJsonOffsets(text, ways)) };
  } catch {
    // YAML takes what people forget to take out of JSON, and knows the place of what it does not take.
    return null;
  }
}

function parseYaml(file: string, text: string): ParsedSource | SpecProblem {
  const refuse = (message: string, offset: number): SpecProblem => ({
    code: 'INVALID_SYNTAX',
    message,
    file,
    // What is missing at the end is missing after the last thing that is there, and not on a line that is none.
    ...placeAt(text, Math.min(offset, text.trimEnd().length)),
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
    return refuse('It nests too deep to be read.', 0);
  }
  const [error] = document.errors;
  if (error) return refuse(`It is no valid YAML: ${toSentence(error.message)}`, error.pos[0]);
  const repeated = findRepeatedKey(document);
  if (repeated) {
    return refuse(
      `The key "${repeated.name}" is there twice, so one of the two would be lost.`,
      repeated.offset,
    );
  }
  try {
    // Aliases share their value; how often they repeat it is measured afterwards.
    const value: unknown = document.toJS({ maxAliasCount: -1 });
    return {
      value,
      placesOf: (ways) =>
        placesAt(
          text,
          ways.map((parts) => offsetOf(document, parts)),
        ),
    };
  } catch (cause) {
    return refuse(`It is no valid YAML: ${toSentence(cause instanceof Error ? cause.message : '')}`, 0);
  }
}

function toSentence(message: string): string {
  const [line = ''] = message.split('\n');
  return `${line.slice(0, 200).replace(/[.:]$/, '') || 'it cannot be read'}.`;
}

/** The parser's own check compares each key with each. */
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

/** Everything later walks the whole of it, so its size is known first. */
function measure(file: string, source: ParsedSource): SpecProblem | null {
  const stack: { readonly value: object; readonly way: Way | null; readonly depth: number }[] = [];
  let count = 0;
  const refuse = (message: string, way: Way | null): SpecProblem => {
    const parts = partsOf(way).slice(0, 20);
    return { code: 'TOO_LARGE', message, file, pointer: writePointer(parts), ...source.placesOf([parts])[0] };
  };
  const enter = (value: unknown, way: Way | null, depth: number) => {
    count++;
    if (typeof value === 'object' && value !== null) stack.push({ value, way, depth });
  };
  enter(source.value, null, 0);
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { value, way, depth } = next;
    if (depth > MAX_SPEC_DEPTH) return refuse(`It nests more than ${MAX_SPEC_DEPTH} values.`, way);
    if (count > MAX_SPEC_VALUES) {
      return refuse(
        `It holds more than ${MAX_SPEC_VALUES / 1_000_000} million values, aliases written out.`,
        way,
      );
    }
    if (Array.isArray(value)) {
      for (const [at, one] of value.entries()) enter(one, { above: way, key: String(at) }, depth + 1);
    } else if (isObject(value)) {
      for (const key of Object.keys(value)) enter(value[key], { above: way, key }, depth + 1);
    }
  }
  return null;
}
