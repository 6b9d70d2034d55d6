import {
  type Alias,
  type Document,
  type DocumentOptions,
  isAlias,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  type Node,
  type ParseOptions,
  parseDocument,
  type SchemaOptions,
  YAMLParseError,
} from 'yaml';

type Options = Pick<ParseOptions & DocumentOptions & SchemaOptions, 'lineCounter' | 'merge'>;

/**
 * Parses YAML in linear time, with the errors of the library in the order of the text: the library compares each key of a
 * mapping with all before it, which takes minutes for a megabyte of keys.
 *
 * @throws where it is nested too deeply
 */
export function parseYamlDocument(text: string, options: Options = {}): Document.Parsed {
  const { stackTraceLimit } = Error;
  // There may be an error for every second character, and where each came from in the library takes most of its time.
  Error.stackTraceLimit = 0;
  try {
    const document = parseDocument(text, {
      ...options,
      prettyErrors: false,
      logLevel: 'silent',
      uniqueKeys: false,
    });
    document.errors.push(...findRepeatedKeys(document));
    document.errors.sort(({ pos: [a] }, { pos: [b] }) => a - b);
    return document;
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** Further keys that are repeated are not reported. */
const MAX_REPEATED = 100;

function findRepeatedKeys(document: Document): readonly YAMLParseError[] {
  const errors: YAMLParseError[] = [];
  for (const node of nodesOf(document)) {
    if (!isMap(node)) continue;
    const known = new Set<unknown>();
    for (const { key } of node.items) {
      if (!isScalar(key)) continue;
      if (known.has(key.value)) {
        const [start = 0, end = start] = key.range ?? [];
        errors.push(new YAMLParseError([start, end], 'DUPLICATE_KEY', 'Map keys must be unique'));
        if (errors.length === MAX_REPEATED) return errors;
      }
      known.add(key.value);
    }
  }
  return errors;
}

/**
 * Which node each alias (`*name`) of a document stands for, found in one pass: the library looks through all of the document
 * for each of them.
 */
export function resolveAliases(document: Document): (alias: Alias) => Node | undefined {
  const targets = new Map<Alias, Node>();
  const anchors = new Map<string, Node>();
  for (const node of nodesOf(document)) {
    if (isAlias(node)) {
      const target = anchors.get(node.source);
      if (target !== undefined) targets.set(node, target);
    } else if (node.anchor !== undefined) anchors.set(node.anchor, node);
  }
  return (alias) => targets.get(alias);
}

/** All nodes in the order of the text, however deep they are. */
function* nodesOf({ contents }: Document): Generator<Node & { readonly anchor?: string | undefined }> {
  const pending: unknown[] = [contents];
  while (pending.length > 0) {
    const next = pending.pop();
    if (isPair(next)) pending.push(next.value, next.key);
    if (!isNode(next)) continue;
    yield next;
    if (isMap(next) || isSeq(next)) {
      for (let at = next.items.length - 1; at >= 0; at -= 1) pending.push(next.items[at]);
    }
  }
}
