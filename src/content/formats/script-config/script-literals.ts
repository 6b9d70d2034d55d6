import type { Node } from 'oxc-parser';
import { childrenOf, literalKey, parseScript } from './parse-script.ts';

/** A string literal and its position in a script. */
export interface ScriptLiteral {
  readonly value: string;
  /** Offsets between the quotes. */
  readonly start: number;
  readonly end: number;
  readonly quote: string;
  /** The key of the entry whose value it is, or whose list contains it; null when there is none. */
  readonly key: string | null;
  /** Whether it is itself the key of an entry. */
  readonly isKey: boolean;
  /** Whether the literal has neither escapes nor expressions, so that its text can be replaced. */
  readonly isPlain: boolean;
  /** The innermost bracket around it; null at the top. */
  readonly group: ScriptGroup | null;
}

/** An object, a block, a list, or a pair of parentheses. */
export interface ScriptGroup {
  readonly bracket: '{' | '[' | '(';
  /** The offset after the opening bracket. */
  readonly start: number;
  /** The offset of the closing bracket. */
  readonly end: number;
  /** The key of the entry whose value it is or contains; null when there is none. */
  readonly key: string | null;
  /** The called function for the parentheses of a call; otherwise empty. */
  readonly callee: string;
  readonly parent: ScriptGroup | null;
  /** The names of an object's own entries, including methods and getters. */
  readonly keys: readonly string[];
  /** Whether it is the default export of the script. */
  readonly isExported: boolean;
}

export interface ScriptLiterals {
  /** In the order of the text. */
  readonly literals: readonly ScriptLiteral[];
  /** In the order in which they open. */
  readonly groups: readonly ScriptGroup[];
  /** False when the script cannot be parsed, so that nothing is certain. */
  readonly isWhole: boolean;
}

const cache = new WeakMap<object, ScriptLiterals>();

/** Finds the string literals of a script (JavaScript, TypeScript or JSON) and their keys. */
export function findScriptLiterals(text: string): ScriptLiterals {
  const script = parseScript(text);
  if (script === null) return { literals: [], groups: [], isWhole: false };
  const known = cache.get(script);
  if (known !== undefined) return known;
  const finder = new LiteralFinder(text, script.ahead);
  for (const statement of script.program.body) finder.visit(statement, null, null);
  const found = { literals: finder.literals, groups: finder.groups, isWhole: true };
  cache.set(script, found);
  return found;
}

class LiteralFinder {
  readonly literals: ScriptLiteral[] = [];
  readonly groups: ScriptGroup[] = [];
  readonly #text: string;
  readonly #ahead: number;
  #isExported = false;

  constructor(text: string, ahead: number) {
    this.#text = text;
    this.#ahead = ahead;
  }

  visit(node: Node, key: string | null, group: ScriptGroup | null): void {
    const isExported = this.#isExported;
    this.#isExported = false;
    switch (node.type) {
      case 'Literal':
        if (typeof node.value === 'string') this.#add(node, node.value, { key, group, isKey: false });
        return;
      case 'TemplateLiteral':
        this.#add(node, this.#text.slice(node.start + 1 - this.#ahead, node.end - 1 - this.#ahead), {
          key,
          group,
          isKey: false,
        });
        for (const inner of node.expressions) this.visit(inner, null, group);
        return;
      case 'ObjectExpression': {
        const keys = node.properties.flatMap((property) =>
          property.type === 'Property' ? (literalKey(property.key, property.computed) ?? []) : [],
        );
        const inner = this.#open('{', node.start, node.end, { key, group, keys, isExported });
        for (const property of node.properties) this.#visitProperty(property, inner);
        return;
      }
      case 'ArrayExpression': {
        const inner = this.#open('[', node.start, node.end, { key, group });
        for (const item of node.elements) if (item !== null) this.visit(item, key, inner);
        return;
      }
      case 'BlockStatement': {
        const inner = this.#open('{', node.start, node.end, { key, group });
        for (const statement of node.body) this.visit(statement, null, inner);
        return;
      }
      case 'ParenthesizedExpression': {
        const isJson = node.start < this.#ahead;
        const inner = isJson ? group : this.#open('(', node.start, node.end, { key, group });
        this.visit(node.expression, key, inner);
        return;
      }
      case 'CallExpression': {
        this.visit(node.callee, null, group);
        const callee = this.#text.slice(node.callee.start - this.#ahead, node.callee.end - this.#ahead);
        const open = (node.typeArguments ?? node.callee).end;
        const at = this.#text.indexOf('(', open - this.#ahead) + this.#ahead;
        const inner = this.#open('(', at, node.end, { key, group, callee: callee.slice(0, 100) });
        for (const argument of node.arguments) this.visit(argument, key, inner);
        return;
      }
      case 'ExportDefaultDeclaration':
        this.#isExported = true;
        this.visit(node.declaration, null, group);
        return;
      case 'TSExportAssignment':
        this.#isExported = true;
        this.visit(node.expression, null, group);
        return;
      case 'AssignmentExpression':
        this.visit(node.left, null, group);
        this.#isExported = this.#text.slice(node.left.start, node.left.end) === 'module.exports';
        this.visit(node.right, null, group);
        return;
      default:
        if (node.type.startsWith('TS') && !('expression' in node)) return;
        if (node.type.startsWith('TSType') && node.type !== 'TSTypeAssertion') return;
        this.#isExported = isExported && 'expression' in node;
        for (const child of childrenOf(node)) if (!isType(child)) this.visit(child, key, group);
        this.#isExported = false;
    }
  }

  #visitProperty(property: Node, group: ScriptGroup): void {
    if (property.type !== 'Property') {
      this.visit(property, null, group);
      return;
    }
    const { key, value, computed } = property;
    if (computed) this.visit(key, null, group);
    else if (key.type === 'Literal' && typeof key.value === 'string')
      this.#add(key, key.value, { key: null, group, isKey: true });
    this.visit(value, literalKey(key, computed), group);
  }

  #add(node: Node, value: string, rest: Pick<ScriptLiteral, 'key' | 'group' | 'isKey'>): void {
    const [start, end] = [node.start + 1 - this.#ahead, node.end - 1 - this.#ahead];
    const written = this.#text.slice(start, end);
    const isOpen = node.type === 'TemplateLiteral' && node.expressions.length > 0;
    const quote = this.#text[start - 1] ?? '';
    this.literals.push({ value, start, end, quote, isPlain: !isOpen && !written.includes('\\'), ...rest });
  }

  #open(
    bracket: ScriptGroup['bracket'],
    start: number,
    end: number,
    rest: {
      readonly key: string | null;
      readonly group: ScriptGroup | null;
      readonly callee?: string;
      readonly keys?: readonly string[];
      readonly isExported?: boolean;
    },
  ): ScriptGroup {
    const { key, group, callee = '', keys = [], isExported = false } = rest;
    const opened = {
      bracket,
      start: start + 1 - this.#ahead,
      end: end - 1 - this.#ahead,
      key,
      callee,
      parent: group,
      keys,
      isExported,
    };
    this.groups.push(opened);
    return opened;
  }
}

function isType({ type }: Node): boolean {
  return /^TS(?:Type(?!Assertion)|Interface|Enum|Module|Declare)/.test(type);
}
