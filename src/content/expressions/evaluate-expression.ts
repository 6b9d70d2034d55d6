import { ExpressionError, readTokens, type Token } from './tokens.ts';

/** The values that an expression can use, by its first name: plain data, never functions. */
export type Scope = Readonly<Record<string, unknown>>;

const MAX_LENGTH = 2_000;
const MAX_DEPTH = 40;
const MAX_TEXT = 20_000;

/** Methods that expressions may call, with the value before the dot. */
const METHODS: Readonly<Record<string, (value: unknown, args: readonly unknown[]) => unknown>> = {
  toUpperCase: (value) => toText(value).toUpperCase(),
  toLowerCase: (value) => toText(value).toLowerCase(),
  trim: (value) => toText(value).trim(),
  includes: (value, [part]) =>
    Array.isArray(value) ? value.includes(part) : toText(value).includes(String(part)),
  startsWith: (value, [part]) => toText(value).startsWith(String(part)),
  endsWith: (value, [part]) => toText(value).endsWith(String(part)),
  slice: (value, [start, end]) =>
    toText(value).slice(Number(start ?? 0), end === undefined ? undefined : Number(end)),
  replace: (value, [from, to]) => toText(value).replace(toText(from), () => toText(to)),
};

const LEVELS: readonly (readonly string[])[] = [
  ['??', '||'],
  ['&&'],
  ['===', '!==', '==', '!='],
  ['<', '>', '<=', '>='],
  ['+', '-'],
  ['*', '/', '%'],
];

/**
 * Evaluates an expression of literals, names of the scope, their own properties, arithmetic, comparisons, `&&`, `||`,
 * `??`, `? :`, and a few methods of texts and lists. It runs no code: only the scope's data can be reached, and length,
 * depth and results are limited.
 *
 * @throws {ExpressionError} when it cannot be parsed, or uses a name that is not in the scope.
 */
export function evaluateExpression(text: string, scope: Scope): unknown {
  if (text.length > MAX_LENGTH)
    throw new ExpressionError(`The expression is longer than ${MAX_LENGTH} characters.`);
  return new Evaluator(readTokens(text), scope).evaluate();
}

/** Returns the first names that an expression uses, such as `space` in `space.vars.x`. */
export function rootNamesOf(text: string): ReadonlySet<string> {
  const tokens = readTokens(text.slice(0, MAX_LENGTH));
  const literals = ['true', 'false', 'null', 'undefined'];
  return new Set(
    tokens.flatMap(({ kind, value }, at) => {
      const before = tokens[at - 1];
      const isProperty = before?.kind === 'symbol' && (before.value === '.' || before.value === '?.');
      return kind === 'name' && !isProperty && !literals.includes(value) ? [value] : [];
    }),
  );
}

/** Parses from left to right with the precedence of JavaScript, and evaluates at the same time. */
class Evaluator {
  readonly #tokens: readonly Token[];
  readonly #scope: Scope;
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly Token[], scope: Scope) {
    this.#tokens = tokens;
    this.#scope = scope;
  }

  evaluate(): unknown {
    const value = this.#choice();
    if (this.#at < this.#tokens.length) throw new ExpressionError('The expression continues after its end.');
    return value;
  }

  #choice(): unknown {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw new ExpressionError('It is nested too deep.');
    const condition = this.#binary(0);
    if (!this.#accept('?')) {
      this.#depth -= 1;
      return condition;
    }
    const yes = this.#choice();
    this.#expect(':');
    const no = this.#choice();
    this.#depth -= 1;
    return condition ? yes : no;
  }

  #binary(level: number): unknown {
    const operators = LEVELS[level];
    if (operators === undefined) return this.#unary();
    let left = this.#binary(level + 1);
    for (;;) {
      const operator = operators.find((candidate) => this.#accept(candidate));
      if (operator === undefined) return left;
      left = combine(operator, left, this.#binary(level + 1));
    }
  }

  #unary(): unknown {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw new ExpressionError('It is nested too deep.');
    const value = this.#accept('!')
      ? !this.#unary()
      : this.#accept('-')
        ? -Number(this.#unary())
        : this.#path();
    this.#depth -= 1;
    return value;
  }

  #path(): unknown {
    let value = this.#primary();
    for (;;) {
      if (this.#accept('.') || this.#accept('?.')) {
        const token = this.#tokens[this.#at];
        if (token?.kind !== 'name') throw new ExpressionError('A name is missing after a dot.');
        this.#at += 1;
        value = this.#accept('(') ? this.#call(token.value, value) : propertyOf(value, token.value);
      } else if (this.#accept('[')) {
        const key = this.#choice();
        this.#expect(']');
        value = propertyOf(value, typeof key === 'number' ? key : String(key));
      } else {
        return value;
      }
    }
  }

  #call(name: string, value: unknown): unknown {
    const args = this.#list(')');
    const method = Object.hasOwn(METHODS, name) ? METHODS[name] : undefined;
    if (method === undefined) throw new ExpressionError(`${name} cannot be called.`);
    return bounded(method(value, args));
  }

  #list(end: string): unknown[] {
    const values: unknown[] = [];
    if (this.#accept(end)) return values;
    do values.push(this.#choice());
    while (this.#accept(','));
    this.#expect(end);
    return values;
  }

  #primary(): unknown {
    const token = this.#tokens[this.#at];
    this.#at += 1;
    if (token === undefined) throw new ExpressionError('The expression is incomplete.');
    if (token.kind === 'number' || token.kind === 'text') return token.value;
    if (token.kind === 'name') return this.#nameOf(token.value);
    if (token.value === '[') return this.#list(']');
    if (token.value !== '(') throw new ExpressionError(`${token.value} is not expected here.`);
    const value = this.#choice();
    this.#expect(')');
    return value;
  }

  #nameOf(name: string): unknown {
    if (name === 'true' || name === 'false') return name === 'true';
    if (name === 'null') return null;
    if (name === 'undefined') return undefined;
    if (Object.hasOwn(this.#scope, name)) return this.#scope[name];
    throw new ExpressionError(`${name} is not known.`);
  }

  #accept(symbol: string): boolean {
    const token = this.#tokens[this.#at];
    if (token?.kind !== 'symbol' || token.value !== symbol) return false;
    this.#at += 1;
    return true;
  }

  #expect(symbol: string): void {
    if (!this.#accept(symbol)) throw new ExpressionError(`${symbol} is missing.`);
  }
}

/** Own properties only, so that nothing of the language itself is reached. */
function propertyOf(value: unknown, key: string | number): unknown {
  if (value === undefined || value === null) return undefined;
  if (key === 'length' && (typeof value === 'string' || Array.isArray(value))) return value.length;
  if (typeof value === 'string' && typeof key === 'number') return value[key];
  if (typeof value !== 'object') return undefined;
  return Object.hasOwn(value, key) ? (value as Record<string | number, unknown>)[key] : undefined;
}

function combine(operator: string, left: unknown, right: unknown): unknown {
  switch (operator) {
    case '??':
      return left ?? right;
    case '||':
      return left || right;
    case '&&':
      return left && right;
    case '==':
    case '===':
      return left === right;
    case '!=':
    case '!==':
      return left !== right;
    case '+':
      return typeof left === 'number' && typeof right === 'number'
        ? left + right
        : bounded(toText(left) + toText(right));
    case '-':
      return Number(left) - Number(right);
    case '*':
      return Number(left) * Number(right);
    case '/':
      return Number(left) / Number(right);
    case '%':
      return Number(left) % Number(right);
    default:
      return compare(operator, left, right);
  }
}

function compare(operator: string, left: unknown, right: unknown): boolean {
  const areTexts = typeof left === 'string' && typeof right === 'string';
  const [a, b] = areTexts ? [left, right] : [Number(left), Number(right)];
  if (operator === '<') return a < b;
  if (operator === '>') return a > b;
  return operator === '<=' ? a <= b : a >= b;
}

/** Returns a value as readers see it. */
export function toText(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'object') return Array.isArray(value) ? value.map(toText).join(', ') : '';
  return String(value);
}

function bounded(value: unknown): unknown {
  if (typeof value === 'string' && value.length > MAX_TEXT)
    throw new ExpressionError('The value is too long.');
  return value;
}
