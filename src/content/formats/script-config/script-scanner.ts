import type { ScriptPlaces } from './script-places.ts';
import { isList, isObject, type ScriptValue, UNKNOWN } from './script-value.ts';

/** Values nest no deeper in a configuration that people write. */
const MAX_NESTING = 60;

/** Values that the spreads of one constant may copy. */
const MAX_COPIED = 10_000;

/** Calls that answer their first argument, as far as a configuration is concerned. */
const WRAPPERS = /^(?:define\w*|with[A-Z]\w*|mergeConfig|Object\.freeze)$/;

/** Reads one value of JavaScript or TypeScript from a text, forward only; what is no literal is skipped as `UNKNOWN`. */
export class ScriptScanner {
  readonly #text: string;
  readonly #lookUp: (name: string) => ScriptValue;
  readonly #places: ScriptPlaces | undefined;
  #at: number;
  #nesting = 0;
  #copied = 0;
  /** Where the text inside the quotes of the last literal stands. */
  #literal = { start: -1, end: -1 };

  /** `places` is told where texts of lists and objects stand. */
  constructor(
    text: string,
    at: number,
    lookUp: (name: string) => ScriptValue,
    places: ScriptPlaces | undefined = undefined,
  ) {
    this.#text = text;
    this.#at = at;
    this.#lookUp = lookUp;
    this.#places = places;
  }

  /** The expression that begins here, up to the comma, bracket or semicolon that ends it. */
  value(): ScriptValue {
    this.#nesting += 1;
    const value = this.#nesting > MAX_NESTING ? UNKNOWN : this.#primary();
    this.#nesting -= 1;
    this.#skipTypes();
    const next = this.#text[this.#at];
    if (next === undefined || ',}]);'.includes(next) || this.#startsStatement()) return value;
    this.#skipExpression();
    return UNKNOWN;
  }

  #primary(): ScriptValue {
    this.#skipSpace();
    const mark = this.#text[this.#at];
    if (mark === undefined) return UNKNOWN;
    if (mark === '{') return this.#object();
    if (mark === '[') return this.#list();
    if (mark === '(') return this.#parenthesis();
    if (mark === '"' || mark === "'" || mark === '`') return this.#string(mark);
    const number = this.#take(/-?\d[\d_]*(?:\.\d+)?/y);
    if (number !== null) return Number(number.replaceAll('_', ''));
    const name = this.#take(/[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)*/y);
    return name === null ? UNKNOWN : this.#named(name);
  }

  #named(name: string): ScriptValue {
    if (name === 'true' || name === 'false') return name === 'true';
    if (name === 'null') return null;
    if (name === 'undefined') return undefined;
    this.#skipTypeArguments();
    this.#skipSpace();
    if (this.#text[this.#at] === '(') {
      const given = this.#arguments();
      if (name === 'require.resolve' || WRAPPERS.test(name)) return given[0];
      return given.length === 0 ? this.#lookUp(`${name}()`) : UNKNOWN;
    }
    const [head = '', ...path] = name.split('.');
    let found = this.#lookUp(head);
    for (const key of path) found = isObject(found) && !found.isOpen ? found.entries.get(key) : UNKNOWN;
    return found;
  }

  #arguments(): readonly ScriptValue[] {
    const values: ScriptValue[] = [];
    this.#at += 1;
    for (;;) {
      this.#skipSpace();
      if (this.#ends(')')) return values;
      values.push(this.value());
      this.#skipComma();
    }
  }

  #parenthesis(): ScriptValue {
    const first = this.#arguments()[0];
    this.#skipSpace();
    return this.#text.startsWith('=>', this.#at) ? UNKNOWN : first;
  }

  #list(): ScriptValue {
    const values: ScriptValue[] = [];
    this.#at += 1;
    for (;;) {
      this.#skipSpace();
      if (this.#ends(']')) return values;
      const isSpread = this.#take(/\.\.\./y) !== null;
      this.#skipSpace();
      const start = this.#at;
      const value = this.value();
      if (isSpread && isList(value) && this.#mayCopy(value.length)) {
        for (const [at, one] of value.entries()) {
          this.#places?.copy(value, at, values, values.length);
          values.push(one);
        }
      } else {
        if (!isSpread) this.#note(values, values.length, value, start);
        values.push(isSpread ? UNKNOWN : value);
      }
      this.#skipComma();
    }
  }

  #object(): ScriptValue {
    const entries = new Map<string, ScriptValue>();
    let isOpen = false;
    this.#at += 1;
    for (;;) {
      this.#skipSpace();
      if (this.#ends('}')) return { entries, isOpen };
      if (this.#take(/\.\.\./y) !== null) {
        const value = this.value();
        const copied = isObject(value) && this.#mayCopy(value.entries.size) ? value : null;
        for (const [key, one] of copied?.entries ?? []) {
          entries.set(key, one);
          if (copied !== null) this.#places?.copy(copied.entries, key, entries, key);
        }
        isOpen ||= copied === null || copied.isOpen;
      } else {
        const key = this.#key();
        if (key === null) isOpen = true;
        const [value, start] = this.#member(key);
        if (key !== null) {
          entries.set(key, value);
          this.#note(entries, key, value, start);
        }
      }
      this.#skipComma();
    }
  }

  /** Notes where a text stands that is written out where it is used. */
  #note(container: object, key: string | number, value: ScriptValue, start: number): void {
    const isLiteral = typeof value === 'string' && this.#literal.start === start + 1;
    if (isLiteral) this.#places?.set(container, key, this.#literal);
    else this.#places?.drop(container, key);
  }

  /** Spreads that multiply each other end as unknown. */
  #mayCopy(count: number): boolean {
    this.#copied += count + 1;
    return this.#copied <= MAX_COPIED;
  }

  /** The key of an entry; null when it is computed or cannot be read. */
  #key(): string | null {
    const mark = this.#text[this.#at];
    if (mark === '"' || mark === "'") {
      const text = this.#string(mark);
      return typeof text === 'string' ? text : null;
    }
    if (mark === '[') {
      const list = this.#list();
      const only = isList(list) && list.length === 1 ? list[0] : null;
      return typeof only === 'string' ? only : null;
    }
    return this.#take(/[\w$]+/y);
  }

  /** The value of an entry, and where it begins. */
  #member(key: string | null): readonly [ScriptValue, number] {
    this.#skipSpace();
    const mark = this.#text[this.#at];
    if (mark === ':') {
      this.#at += 1;
      this.#skipSpace();
      const start = this.#at;
      return [this.value(), start];
    }
    if ((mark === ',' || mark === '}') && key !== null) return [this.#lookUp(key), -2];
    // A method, a getter, or what is no JavaScript.
    this.#skipExpression();
    return [UNKNOWN, -2];
  }

  #string(quote: string): ScriptValue {
    let text = '';
    let isKnown = true;
    this.#at += 1;
    const start = this.#at;
    for (; this.#at < this.#text.length; this.#at += 1) {
      const mark = this.#text[this.#at] ?? '';
      if (mark === quote) {
        this.#literal = { start, end: this.#at };
        this.#at += 1;
        return isKnown ? text : UNKNOWN;
      }
      if (mark === '\n' && quote !== '`') return UNKNOWN;
      if (quote === '`' && mark === '$' && this.#text[this.#at + 1] === '{') {
        isKnown = false;
        this.#at += 1;
        this.#skipBrackets();
        this.#at -= 1;
      } else if (mark === '\\') {
        this.#at += 1;
        const next = this.#text[this.#at] ?? '';
        text += { n: '\n', t: '\t', r: '\r', '\n': '' }[next] ?? next;
      } else {
        text += mark;
      }
    }
    return UNKNOWN;
  }

  /** Skips to the comma, bracket or semicolon that ends the expression. */
  #skipExpression(): void {
    while (this.#at < this.#text.length) {
      this.#skipSpace();
      const mark = this.#text[this.#at] ?? '';
      if (',}]);'.includes(mark)) return;
      if ('{[('.includes(mark)) this.#skipBrackets();
      else this.#skipOne(mark);
    }
  }

  /** Skips from an opening bracket to behind the one that closes it. */
  #skipBrackets(): void {
    let depth = 0;
    while (this.#at < this.#text.length) {
      this.#skipSpace();
      const mark = this.#text[this.#at] ?? '';
      if ('{[('.includes(mark)) depth += 1;
      else if ('}])'.includes(mark)) depth -= 1;
      else {
        this.#skipOne(mark);
        continue;
      }
      this.#at += 1;
      if (depth <= 0) return;
    }
  }

  #skipOne(mark: string): void {
    if (mark === '"' || mark === "'" || (mark === '`' && this.#nesting < MAX_NESTING)) {
      this.#nesting += 1;
      this.#string(mark);
      this.#nesting -= 1;
    } else if (
      mark === '/' &&
      /[=(,:;!&|?[{}>]\s*$/.test(this.#text.slice(Math.max(0, this.#at - 20), this.#at))
    ) {
      if (this.#take(/\/(?:[^\n\\/[]|\\.|\[(?:[^\]\\\n]|\\.){0,200}\]){1,500}\/[a-z]{0,9}/y) === null)
        this.#at += 1;
    } else if (this.#take(/[\w$]+/y) === null) {
      this.#at += 1;
    }
  }

  /** `as const`, `satisfies Config<Theme>` and `!` say nothing of the value. */
  #skipTypes(): void {
    this.#skipSpace();
    while (this.#take(/(?:as|satisfies)\s+[\w$.]+|!(?!=)/y) !== null) {
      this.#skipTypeArguments();
      this.#take(/(?:\[(?:\]|'[^'\n]*'\]|"[^"\n]*"\]))+/y);
      this.#skipSpace();
    }
  }

  #skipTypeArguments(): void {
    this.#take(/<[\w$.\s,'"[\]|<>]{1,200}?>+(?=\s*(?:\(|,|\}|\]|\)|;|$|\n))/y);
  }

  /** Statements may end at the end of a line, without a semicolon. */
  #startsStatement(): boolean {
    const before = this.#text.slice(Math.max(0, this.#at - 200), this.#at);
    if (!/\n\s*(?:\/\/[^\n]*\n\s*)*$/.test(before)) return false;
    return /(?:export|const|let|var|function|async|import|module|if|for|return|type|interface|class)\b/y.test(
      this.#text.slice(this.#at, this.#at + 12),
    );
  }

  #skipSpace(): void {
    for (;;) {
      const mark = this.#text.charCodeAt(this.#at);
      if (mark === 32 || (mark >= 9 && mark <= 13) || mark === 0xfeff || mark === 0xa0) this.#at += 1;
      else if (mark === 47 && this.#text[this.#at + 1] === '/') this.#skipPast('\n');
      else if (mark === 47 && this.#text[this.#at + 1] === '*') this.#skipPast('*/');
      else return;
    }
  }

  #skipPast(mark: string): void {
    const end = this.#text.indexOf(mark, this.#at + 2);
    this.#at = end === -1 ? this.#text.length : end + mark.length;
  }

  /** After an entry: a comma, or anything else that is not understood, so that reading always moves on. */
  #skipComma(): void {
    this.#skipSpace();
    const mark = this.#text[this.#at];
    if (mark === ',' || mark === ';') this.#at += 1;
  }

  /** Whether the bracket closes here, or the text or another bracket ends what is read. */
  #ends(bracket: string): boolean {
    const mark = this.#text[this.#at];
    if (mark === undefined) return true;
    if (!'}])'.includes(mark)) return false;
    if (mark === bracket) this.#at += 1;
    return true;
  }

  #take(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match === null) return null;
    this.#at += match[0].length;
    return match[0];
  }
}
