/**
 * Tokens that the parser may have on its stack: those before a position in the text, counted in each open bracket from the
 * last comma or semicolon. Twice as many are safe on the smallest stack that the engine runs on, a worker thread's.
 */
const MAX_NESTED_TOKENS = 500;

/** Tokens of a script: 20 times as many as the largest configuration that was seen has. They take less than 0.1 s. */
const MAX_TOKENS = 60_000;

/** Type arguments that may be open at once; the parser tries each `<` twice. */
const MAX_TYPE_ARGUMENTS = 30;

/**
 * Largest sum of the squared line lengths (UTF-16 code units): for each error, the parser counts columns from the start
 * of the line.
 */
const MAX_SQUARED_LINES = 1_000_000_000;

const WORD = /(?:[\w$\u200c\u200d]|[^\P{ID_Continue}\p{ASCII}]|\\u(?:[\da-fA-F]{4}|\{[\da-fA-F]{1,6}\}))+/uy;
const BLANK = /\s+|\/\/[^\n\r\u2028\u2029]*/y;
const PATTERN =
  /\/(?:[^\n\r\u2028\u2029\\/[]|\\[^\n\r\u2028\u2029]|\[(?:[^\]\\\n\r\u2028\u2029]|\\[^\n\r\u2028\u2029]){0,1000}\]){1,1000}\//y;

/** Tokens after which an expression begins, so that a slash begins a regular expression. */
const BEFORE_PATTERN =
  /^(?:|[=(,:[&|?{;+*%~^<-]|=>|return|typeof|instanceof|in|new|delete|void|throw|case|do|else|default|extends)$/;
/** Tokens after which a slash may be either; after names and closed values it is a division. */
const BEFORE_EITHER = /^(?:[)}>!./]|\+\+|--|of|await|yield|async|as|satisfies|is|keyof|infer)$/;

/** Words at the start of a line that always begin a statement. */
const STATEMENT_START = /^(?:export|const|var|return|throw)$/;
const STATEMENT_START_AFTER_BLOCK = /^(?:function|class|if|for|switch|try|async|type|interface|let|enum)$/;

interface Level {
  readonly bracket: string;
  tokens: number;
  /** Tokens that stay on the stack after a comma: branches of `else`, and open type arguments. */
  nested: number;
  typeArguments: number;
}

/**
 * Whether a script can be passed to the parser, which is native code that recurses without a limit and could crash the
 * process. Accepts more than the language; in doubt, a text counts as too deep. Takes linear time.
 */
export function isSafeToParse(text: string): boolean {
  return squaredLines(text) <= MAX_SQUARED_LINES && new Guard(text).isSafe();
}

class Guard {
  readonly #text: string;
  #at = 0;
  #last = '';
  #beforeLast = '';
  #isLineStart = true;
  #count = 0;
  #read = 0;
  #level: Level = { bracket: '', tokens: 0, nested: 0, typeArguments: 0 };
  readonly #outer: Level[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  isSafe(): boolean {
    if (this.#text.startsWith('#!')) this.#at = Math.max(this.#text.search(/[\n\r\u2028\u2029]/), 2);
    while (this.#at < this.#text.length) {
      if (this.#skipBlank()) continue;
      this.#read += 1;
      if (!this.#readToken() || this.#count > MAX_NESTED_TOKENS || this.#read > MAX_TOKENS) return false;
    }
    return true;
  }

  #skipBlank(): boolean {
    const start = this.#at;
    if (this.#text.startsWith('/*', start)) {
      const end = this.#text.indexOf('*/', start + 2);
      this.#at = end === -1 ? this.#text.length : end + 2;
    } else if (this.#match(BLANK) === null) return false;
    this.#isLineStart ||= /[\n\r\u2028\u2029]/.test(this.#text.slice(start, this.#at));
    return true;
  }

  /** Reads a token; false when the text is not, or may not be, a script. */
  #readToken(): boolean {
    const character = this.#text[this.#at] ?? '';
    if (character === '"' || character === "'") return this.#readString(character);
    if (character === '`') return this.#readTemplate();
    if (character === '/') return this.#readSlash();
    const word = this.#match(WORD);
    if (word !== null) {
      this.#startStatement(word);
      this.#add(word);
      if (word === 'else') this.#addNested();
      return true;
    }
    if (this.#text.startsWith('<!--', this.#at)) return false;
    const pair = this.#text.slice(this.#at, this.#at + 2);
    const token = pair === '=>' || pair === '++' || pair === '--' ? pair : character;
    this.#at += token.length;
    return this.#readPunctuator(token);
  }

  #readPunctuator(token: string): boolean {
    if ('([{'.includes(token)) {
      this.#add(token);
      this.#open(token);
      return true;
    }
    if (')]}'.includes(token)) return this.#close(token);
    this.#add(token);
    if (token === ',' || token === ';') this.#separate();
    if (token === '<') {
      this.#level.typeArguments += 1;
      this.#addNested();
      return this.#level.typeArguments <= MAX_TYPE_ARGUMENTS;
    }
    if (token === '>' && this.#level.typeArguments > 0) {
      this.#level.typeArguments -= 1;
      this.#level.nested -= 1;
      this.#count -= 1;
    }
    return true;
  }

  #open(bracket: string): void {
    this.#outer.push(this.#level);
    this.#level = { bracket, tokens: 0, nested: 0, typeArguments: 0 };
  }

  #close(bracket: string): boolean {
    const { bracket: open, tokens, nested } = this.#level;
    const outer = this.#outer.pop();
    const isTemplate = bracket === '}' && open === '`';
    if (outer === undefined || (!isTemplate && open !== OPENING[bracket])) return false;
    this.#count -= tokens + nested;
    this.#level = outer;
    if (isTemplate) return this.#readTemplateText();
    this.#remember(bracket);
    return true;
  }

  #readString(quote: string): boolean {
    for (let at = this.#at + 1; at < this.#text.length; at += 1) {
      const character = this.#text[at];
      if (character === '\\') at += this.#text.startsWith('\r\n', at + 1) ? 2 : 1;
      else if (character === '\n' || character === '\r') return false;
      else if (character === quote) {
        this.#at = at + 1;
        this.#add('x');
        return true;
      }
    }
    return false;
  }

  #readTemplate(): boolean {
    this.#at += 1;
    this.#add('x');
    return this.#readTemplateText();
  }

  /** Reads up to the end of the template, or of the `${` that opens an expression in it. */
  #readTemplateText(): boolean {
    for (let at = this.#at; at < this.#text.length; at += 1) {
      const character = this.#text[at];
      if (character === '\\') at += 1;
      else if (character === '`') {
        this.#at = at + 1;
        this.#remember('x');
        return true;
      } else if (character === '$' && this.#text[at + 1] === '{') {
        this.#at = at + 2;
        this.#open('`');
        this.#remember('{');
        return true;
      }
    }
    return false;
  }

  #readSlash(): boolean {
    const isProperty = this.#beforeLast === '.';
    if (!isProperty && BEFORE_PATTERN.test(this.#last)) {
      if (this.#match(PATTERN) === null) return false;
      this.#add('x');
      return true;
    }
    if (!isProperty && BEFORE_EITHER.test(this.#last)) {
      const rest = /[^\n\r\u2028\u2029]*/.exec(this.#text.slice(this.#at + 1, this.#at + 2_000))?.[0] ?? '';
      if (rest.includes('/') || rest.length > 1_900) return false;
    }
    this.#at += 1;
    this.#add('÷');
    return true;
  }

  #startStatement(word: string): void {
    if (!this.#isLineStart || /^(?:as|satisfies|[<.])$/.test(this.#last)) return;
    const isImport = word === 'import' && /^\s+[\w${*"']/.test(this.#text.slice(this.#at, this.#at + 200));
    if (
      isImport ||
      STATEMENT_START.test(word) ||
      (this.#last === '}' && STATEMENT_START_AFTER_BLOCK.test(word))
    )
      this.#separate();
  }

  #separate(): void {
    this.#count -= this.#level.tokens;
    this.#level.tokens = 0;
  }

  #addNested(): void {
    this.#level.nested += 1;
    this.#count += 1;
  }

  #add(token: string): void {
    this.#level.tokens += 1;
    this.#count += 1;
    this.#remember(token);
  }

  #remember(token: string): void {
    this.#beforeLast = this.#last;
    this.#last = token;
    this.#isLineStart = false;
  }

  #match(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? null;
    this.#at += found?.length ?? 0;
    return found;
  }
}

const OPENING: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

function squaredLines(text: string): number {
  let sum = 0;
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start);
    const length = (end === -1 ? text.length : end) - start;
    sum += length * length;
    start += length + 1;
  }
  return sum;
}
