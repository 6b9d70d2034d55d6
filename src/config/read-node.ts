import type { TSchema } from 'typebox';
import { type Alias, isAlias, isMap, isScalar, isSeq, type Node, stringify, type YAMLMap } from 'yaml';
import { hintAt } from '../content/text/index.ts';
import { readValue, type ValueKind } from './value-kinds.ts';

/** Receives the mistakes, and knows the text of the file. */
export interface NodeReport {
  /** Reports a mistake at a node. */
  refuse(message: string, node: Node): void;
  lineOf(node: Node): number;
  /** What an alias (`*name`) stands for. */
  targetOf(alias: Alias): Node | undefined;
}

/** The keywords of a schema that `readNode` supports; the schema's own type has only those of its kind. */
interface Keywords {
  readonly type?: string;
  readonly title?: string;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly required?: readonly string[];
  readonly patternProperties?: Readonly<Record<string, TSchema>>;
  readonly items?: TSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly maxLength?: number;
  readonly reads?: ValueKind;
}

/** The YAML node of each object that was read. */
export type NodeOf = Map<unknown, YAMLMap>;

/**
 * Reads a YAML node according to its schema, and fills in defaults. Every mistake is reported at its position, and the
 * invalid value is left out. The depth of the schema and the limits of its lists bound the work, so that aliases cannot
 * multiply it. Objects in lists get the line where they start, and the node of each object is recorded in `nodes`.
 */
export function readNode(
  node: Node,
  schema: TSchema,
  key: string,
  report: NodeReport,
  nodes: NodeOf,
): unknown {
  const keywords = schema as Keywords;
  const target = isAlias(node) ? report.targetOf(node) : node;
  if (target === undefined || isAlias(target))
    return refuse(report, 'is an alias without an anchor.', key, node);
  if (keywords.enum !== undefined) return readChoice(target, keywords.enum, key, report);
  switch (keywords.type) {
    case 'object':
      return readObject(target, keywords, key, report, nodes);
    case 'array':
      return readList(target, keywords, key, report, nodes);
    case 'boolean':
      return isScalar(target) && typeof target.value === 'boolean'
        ? target.value
        : refuse(report, 'must be `true` or `false`.', key, target);
    default:
      return readText(target, keywords, key, report);
  }
}

/** The value of a key that is left out: its default, with the defaults inside it. */
export function defaultOf(schema: TSchema): unknown {
  const { type, properties, default: value } = schema as Keywords;
  if (value === undefined) return undefined;
  if (type !== 'object' || properties === undefined) return structuredClone(value);
  const inside = Object.entries(properties).map(([key, property]) => [key, defaultOf(property)] as const);
  return Object.fromEntries(inside.filter(([, value]) => value !== undefined));
}

function readObject(node: Node, schema: Keywords, key: string, report: NodeReport, nodes: NodeOf): unknown {
  if (!isMap(node)) return refuse(report, `must be keys and values${exampleOf(schema)}.`, key, node, schema);
  if (node.items.length > (schema.maxProperties ?? Number.POSITIVE_INFINITY)) {
    return refuse(report, `has more than ${schema.maxProperties} entries.`, key, node);
  }
  const read: Record<string, unknown> = {};
  nodes.set(read, node);
  if (schema.patternProperties !== undefined) {
    readPattern(node, schema.patternProperties, read, report, nodes);
    return read;
  }
  const known = schema.properties ?? {};
  refuseUnknownKeys(node, Object.keys(known), report);
  for (const [name, property] of Object.entries(known)) {
    const child = node.get(name, true) as Node | undefined;
    if (child === undefined && schema.required?.includes(name) && !('default' in property)) {
      report.refuse(`The key \`${name}\` is missing.`, node);
    }
    const value = child === undefined ? defaultOf(property) : readNode(child, property, name, report, nodes);
    if (value !== undefined) read[name] = value;
  }
  return read;
}

/** Reads a mapping whose keys only have to match a pattern. */
function readPattern(
  node: YAMLMap,
  patterns: Readonly<Record<string, TSchema>>,
  read: Record<string, unknown>,
  report: NodeReport,
  nodes: NodeOf,
): void {
  for (const { key, value } of node.items) {
    const name = isScalar(key) ? String(key.value) : '';
    const [, schema] = Object.entries(patterns).find(([pattern]) => new RegExp(pattern).test(name)) ?? [];
    if (schema === undefined) report.refuse(`\`${name}\` is not possible as a name here.`, key as Node);
    else if (value === null) report.refuse(`\`${name}\` must be text.`, key as Node);
    else {
      const entry = readNode(value as Node, schema, name, report, nodes);
      // A plain assignment would not add a key named `__proto__`.
      Object.defineProperty(read, name, { value: entry, enumerable: true });
    }
  }
}

function readList(node: Node, schema: Keywords, key: string, report: NodeReport, nodes: NodeOf): unknown {
  if (!isSeq(node)) {
    const example = schema.items === undefined ? '' : exampleOf(schema.items as Keywords, true);
    return refuse(report, `must be a list${exampleOf(schema) || example}.`, key, node);
  }
  const { items: itemSchema, minItems = 0, maxItems = 0 } = schema;
  if (node.items.length > maxItems) {
    const count = node.items.length;
    return refuse(report, `has ${count} entries, and at most ${maxItems} are possible.`, key, node);
  }
  if (node.items.length === 0 && (minItems > 0 || key === 'spaces')) {
    return refuse(report, 'is empty. Add at least one entry.', key, node);
  }
  if (itemSchema === undefined) return [];
  return node.items.flatMap((item) => {
    const read = readNode(item as Node, itemSchema, key, report, nodes);
    if (read === undefined) return [];
    return isObject(read) ? [Object.assign(read, { line: report.lineOf(item as Node) })] : [read];
  });
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function readChoice(node: Node, choices: readonly unknown[], key: string, report: NodeReport): unknown {
  if (!isScalar(node) || typeof node.value !== 'string') {
    return refuse(report, `must be one of ${choices.join(', ')}.`, key, node);
  }
  const value = node.value.trim();
  if (choices.includes(value)) return value;
  report.refuse(`\`${value}\` is not possible for \`${key}\`. ${hintAt(value, choices.map(String))}`, node);
  return undefined;
}

function readText(node: Node, { maxLength = 0, reads }: Keywords, key: string, report: NodeReport): unknown {
  const text = textOf(node)?.trim();
  if (text === undefined) return refuse(report, 'must be text.', key, node);
  if (text === '' && reads !== 'directory') return refuse(report, 'is empty.', key, node);
  if (text.length > maxLength) return refuse(report, `is longer than ${maxLength} characters.`, key, node);
  if (reads === undefined) return text;
  const read = readValue(reads, text, key);
  if ('value' in read) return read.value;
  report.refuse(read.problem, node);
  return undefined;
}

/** The text of a scalar. A number such as in `title: 2024` is read as text. */
function textOf(node: Node): string | undefined {
  if (!isScalar(node)) return undefined;
  if (typeof node.value === 'number') return node.source ?? String(node.value);
  return typeof node.value === 'string' ? node.value : undefined;
}

function refuseUnknownKeys(map: YAMLMap, known: readonly string[], report: NodeReport): void {
  for (const { key } of map.items) {
    const name = isScalar(key) ? String(key.value) : '?';
    if (isScalar(key) && known.includes(name)) continue;
    report.refuse(`\`${name}\` is not a key here. ${hintAt(name, known)}`, (key ?? map) as Node);
  }
}

function refuse(
  report: NodeReport,
  problem: string,
  key: string,
  node: Node,
  { title }: Keywords = {},
): undefined {
  const subject = key === '' ? 'The file' : title === undefined ? `\`${key}\`` : `Each ${title}`;
  report.refuse(`${subject} ${problem}`, node);
  return undefined;
}

/** An example of the value, in YAML. */
function exampleOf({ examples }: Keywords, isItem = false): string {
  const [example] = examples ?? [];
  if (example === undefined) return '';
  const yaml = stringify(isItem ? [example] : example, {
    collectionStyle: 'flow',
    flowCollectionPadding: false,
  });
  return `, such as \`${yaml.trim()}\``;
}
