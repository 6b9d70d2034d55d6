import type { TSchema } from 'typebox';
import { type Document, isAlias, isMap, isScalar, isSeq, type Node, stringify, type YAMLMap } from 'yaml';
import { hintAt } from '../content/text/index.ts';
import { readValue, type ValueKind } from './value-kinds.ts';

/** What the reading of the file needs of its text. */
export interface NodeReport {
  /** Notes a mistake at a node. */
  refuse(message: string, node: Node): void;
  lineOf(node: Node): number;
  /** What an alias (`*name`) stands for. */
  readonly document: Document;
}

/** The keywords of a schema that the reading obeys; the schema's own type knows only those of its kind. */
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

/** Where in the file the objects stand that were read from it. */
export type NodeOf = Map<unknown, YAMLMap>;

/**
 * Reads a node of YAML as its schema says, with the defaults of what is left out. Every mistake is reported where it
 * stands, and what holds it is left out. The schema's depth and its lists' limits bound the work, so that aliases cannot
 * multiply it. The objects of lists carry the line where they begin, and all objects are found again in `nodes`.
 */
export function readNode(
  node: Node,
  schema: TSchema,
  key: string,
  report: NodeReport,
  nodes: NodeOf,
): unknown {
  const keywords = schema as Keywords;
  const target = isAlias(node) ? node.resolve(report.document) : node;
  if (target === undefined || isAlias(target)) return refuse(report, 'leads to nothing.', key, node);
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

/** The value of what is left out: the default, with the defaults inside of it. */
export function defaultOf(schema: TSchema): unknown {
  const { type, properties, default: value } = schema as Keywords;
  if (value === undefined) return undefined;
  if (type !== 'object' || properties === undefined) return structuredClone(value);
  const inside = Object.entries(properties).map(([key, one]) => [key, defaultOf(one)] as const);
  return Object.fromEntries(inside.filter(([, one]) => one !== undefined));
}

function readObject(node: Node, schema: Keywords, key: string, report: NodeReport, nodes: NodeOf): unknown {
  if (!isMap(node)) return refuse(report, `must be keys and values${exampleOf(schema)}.`, key, node, schema);
  if (node.items.length > (schema.maxProperties ?? Number.POSITIVE_INFINITY)) {
    return refuse(report, `holds more than ${schema.maxProperties} entries.`, key, node);
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

/** Reads a mapping whose keys are free but for their form. */
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
      const said = readNode(value as Node, schema, name, report, nodes);
      // A header may well be called `__proto__`.
      Object.defineProperty(read, name, { value: said, enumerable: true });
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
    return refuse(report, `holds ${count} entries, and at most ${maxItems} are possible.`, key, node);
  }
  if (node.items.length === 0 && (minItems > 0 || key === 'spaces')) {
    return refuse(report, 'is empty. Name at least one.', key, node);
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
  const said = node.value.trim();
  if (choices.includes(said)) return said;
  report.refuse(`\`${said}\` is not possible for \`${key}\`. ${hintAt(said, choices.map(String))}`, node);
  return undefined;
}

function readText(node: Node, { maxLength = 0, reads }: Keywords, key: string, report: NodeReport): unknown {
  const said = textOf(node)?.trim();
  if (said === undefined) return refuse(report, 'must be text.', key, node);
  if (said === '' && reads !== 'directory') return refuse(report, 'is empty.', key, node);
  if (said.length > maxLength) return refuse(report, `is longer than ${maxLength} characters.`, key, node);
  if (reads === undefined) return said;
  const read = readValue(reads, said, key);
  if ('value' in read) return read.value;
  report.refuse(read.problem, node);
  return undefined;
}

/** `title: 2024` is a number in YAML; people mean its text. */
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

/** How the value may look, in YAML. */
function exampleOf({ examples }: Keywords, isItem = false): string {
  const [example] = examples ?? [];
  if (example === undefined) return '';
  const yaml = stringify(isItem ? [example] : example, {
    collectionStyle: 'flow',
    flowCollectionPadding: false,
  });
  return `, such as \`${yaml.trim()}\``;
}
