import type { Node } from 'oxc-parser';
import { childrenOf, parseScript, writtenKey } from './parse-script.ts';

/** A text in quotes, where it stands in a script. */
export interface ScriptLiteral {
  readonly value: string;
  /** Offsets between the quotes. */
  readonly start: number;
  readonly end: number;
  readonly quote: string;
  /** The key of the entry that it is the value of, or stands in as an item of a list; null where there is none. */
  readonly key: string | null;
  /** Whether it is itself the key of an entry. */
  readonly isKey: boolean;
  /** Whether its characters stand in the file as they are, so that another text can be put in their place. */
  readonly isPlain: boolean;
  /** The innermost bracket around it; null at the top. */
  readonly group: ScriptGroup | null;
}

/** An object or a block, a list, or what is in parentheses. */
export interface ScriptGroup {
  readonly mark: '{' | '[' | '(';
  /** The offset behind the opening bracket, and that of the closing one. */
  readonly start: number;
  readonly end: number;
  /** The key of the entry that it is the value of, or stands in; null where there is none. */
  readonly key: string | null;
  /** The function of a call; empty for all else. */
  readonly word: string;
  readonly parent: ScriptGroup | null;
  /** The names of an object's own entries, those of methods and getters among them. */
  readonly keys: readonly string[];
  /** Whether it is what the script exports by default. */
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

const retained = new WeakMap<object, ScriptLiterals>();

/** Finds the texts in quotes of a script (JavaScript, TypeScript or JSON) with the keys that they stand under. */
export function findScriptLiterals(text: string): ScriptLiterals {
  const script = parseScript(text);
  if (script === null) return { literals: [], groups: [], isWhole: false };
  const known = retained.get(script);
  if (known !== undefined) return known;
  const finder = new LiteralFinder(text, script.ahead);
  for (const statement of script.program.body) finder.visit(statement, null, null);
  const found = { literals: finder.literals, groups: finder.groups, isWhole: true };
  retained.set(script, found);
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
          property.type === 'Property' ? (writtenKey(property.key, property.computed) ?? []) : [],
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
        const word = this.#text.slice(node.callee.start - this.#ahead, node.callee.end - this.#ahead);
        const open = (node.typeArguments ?? node.callee).end;
        const at = this.#text.indexOf('(', open - this.#ahead) + this.#ahead;
        const inner = this.#open('(', at, node.end, { key, group, word: word.slice(0, 100) });
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
    this.visit(value, writtenKey(key, computed), group);
  }

  #add(node: Node, value: string, rest: Pick<ScriptLiteral, 'key' | 'group' | 'isKey'>): void {
    const [start, end] = [node.start + 1 - this.#ahead, node.end - 1 - this.#ahead];
    const written = this.#text.slice(start, end);
    const isOpen = node.type === 'TemplateLiteral' && node.expressions.length > 0;
    const quote = this.#text[start - 1] ?? '';
    this.literals.push({ value, start, end, quote, isPlain: !isOpen && !written.includes('\\'), ...rest });
  }

  #open(
    mark: ScriptGroup['mark'],
    start: number,
    end: number,
    rest: {
      readonly key: string | null;
      readonly group: ScriptGroup | null;
      readonly word?: string;
      readonly keys?: readonly string[];
      readonly isExported?: boolean;
    },
  ): ScriptGroup {
    const { key, group, word = '', keys = [], isExported = false } = rest;
    const opened = {
      mark,
      start: start + 1 - this.#ahead,
      end: end - 1 - this.#ahead,
      key,
      word,
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
