import { type Node, type Program, parseSync, visitorKeys } from 'oxc-parser';
import { isSafeToParse } from './guard-script.ts';

/** A script (JavaScript, TypeScript or JSON) that could be parsed. */
export interface ParsedScript {
  readonly text: string;
  readonly program: Program;
  /** Difference between offsets in the tree and in the text: 1 for JSON, which is parsed in parentheses. */
  readonly ahead: number;
}

/** Number of parsed scripts that are cached, since a configuration is read for several purposes. */
const MAX_CACHED = 30;
const cache = new Map<string, ParsedScript | null>();

/** Parses a script; null when it is invalid, or nests too deep to be parsed safely. Nothing is run. */
export function parseScript(text: string): ParsedScript | null {
  let parsed = cache.get(text);
  if (parsed === undefined) {
    parsed = parse(text);
    const [oldest] = cache.keys();
    if (cache.size >= MAX_CACHED && oldest !== undefined) cache.delete(oldest);
    cache.set(text, parsed);
  }
  return parsed;
}

function parse(text: string): ParsedScript | null {
  if (!isSafeToParse(text)) return null;
  // Without parentheses, the braces of JSON would be a block.
  const isJson = /^\s*[{[]/.test(text);
  const source = isJson ? `(${text}\n)` : text;
  const { program, errors } = parseSync('script.ts', source, { lang: 'ts', sourceType: 'module' });
  if (program.body.length === 0 && errors.length > 0) return null;
  return { text, program, ahead: isJson ? 1 : 0 };
}

/** The nodes directly below a node, in the order of the text. */
export function* childrenOf(node: Node): Iterable<Node> {
  for (const key of visitorKeys[node.type] ?? []) {
    const value = (node as unknown as Readonly<Record<string, Node | readonly (Node | null)[] | null>>)[key];
    if (Array.isArray(value)) for (const child of value) if (child !== null) yield child;
    if (value !== null && value !== undefined && 'type' in value) yield value;
  }
}

/** Removes parentheses, types and `!` around an expression, which do not change its value. */
export function bareExpression(node: Node): Node {
  let bare = node;
  for (;;) {
    switch (bare.type) {
      case 'ParenthesizedExpression':
      case 'TSAsExpression':
      case 'TSSatisfiesExpression':
      case 'TSNonNullExpression':
      case 'TSTypeAssertion':
      case 'TSInstantiationExpression':
      case 'ChainExpression':
        bare = bare.expression;
        break;
      default:
        return bare;
    }
  }
}

/** The name of a literal key; null for a computed one. */
export function literalKey(key: Node, isComputed: boolean): string | null {
  if (key.type === 'Identifier' && !isComputed) return key.name;
  if (key.type !== 'Literal' || isComputed) return null;
  return typeof key.value === 'string' || typeof key.value === 'number' ? String(key.value) : null;
}
