/**
 * What the parser recurses over: the tokens around one place of the text, counted in each open bracket from the last
 * comma or semicolon. Twice as many are safe on the smallest stack that the engine runs on, a worker thread's.
 */
const MAX_NESTED_TOKENS = 500;

/** Type arguments that are open at once; the parser tries each `<` twice. */
const MAX_TYPE_ARGUMENTS = 30;

/** The parser counts columns from the start of the line for each error: the sum of the squares of the lines' lengths. */
const MAX_SQUARED_LINES = 1_000_000_000;

const WORD = /(?:[\w$\u200c\u200d]|[^\P{ID_Continue}\p{ASCII}]|\\u(?:[\da-fA-F]{4}|\{[\da-fA-F]{1,6}\}))+/uy;
const BLANK = /\s+|\/\/[^\n\r\u2028\u2029]*/y;
const PATTERN =
  /\/(?:[^\n\r\u2028\u2029\\/[]|\\[^\n\r\u2028\u2029]|\[(?:[^\]\\\n\r\u2028\u2029]|\\[^\n\r\u2028\u2029]){0,1000}\]){1,1000}\//y;

/** Words behind which an expression begins, and marks behind which a slash begins a regular expression. */
const BEFORE_PATTERN =
  /^(?:|[=(,:[&|?{;+*%~^<-]|=>|return|typeof|instanceof|in|new|delete|void|throw|case|do|else|default|extends)$/;
/** Behind these a slash may be either; names and closed values divide. */
const BEFORE_EITHER = /^(?:[)}>!./]|\+\+|--|of|await|yield|async|as|satisfies|is|keyof|infer)$/;

/** Statements that begin on a line of their own with a word that nothing else can begin or go on with. */
const STARTS = /^(?:export|const|var|return|throw)$/;
const STARTS_BEHIND_BLOCK = /^(?:function|class|if|for|switch|try|async|type|interface|let|enum)$/;

interface Level {
  readonly mark: string;
  tokens: number;
  /** Those that no comma ends: branches of `else`, and open type arguments. */
  kept: number;
  typeArguments: number;
}

/**
 * Whether a script can be given to the parser, which is native code that recurses without a limit and would take the
 * process with it. Answers for more than the language has: what is not certain counts as deep. Linear.
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
  #level: Level = { mark: '', tokens: 0, kept: 0, typeArguments: 0 };
  readonly #outer: Level[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  isSafe(): boolean {
    if (this.#text.startsWith('#!')) this.#at = Math.max(this.#text.search(/[\n\r\u2028\u2029]/), 2);
    while (this.#at < this.#text.length) {
      if (this.#skipBlank()) continue;
      if (!this.#takeToken() || this.#count > MAX_NESTED_TOKENS) return false;
    }
    return true;
  }

  #skipBlank(): boolean {
    const start = this.#at;
    if (this.#text.startsWith('/*', start)) {
      const end = this.#text.indexOf('*/', start + 2);
      this.#at = end === -1 ? this.#text.length : end + 2;
    } else if (this.#take(BLANK) === null) return false;
    this.#isLineStart ||= /[\n\r\u2028\u2029]/.test(this.#text.slice(start, this.#at));
    return true;
  }

  /** False for what is no script, or not certainly one. */
  #takeToken(): boolean {
    const mark = this.#text[this.#at] ?? '';
    if (mark === '"' || mark === "'") return this.#takeString(mark);
    if (mark === '`') return this.#takeTemplate();
    if (mark === '/') return this.#takeSlash();
    const word = this.#take(WORD);
    if (word !== null) {
      this.#startStatement(word);
      this.#add(word);
      if (word === 'else') this.#keep();
      return true;
    }
    if (this.#text.startsWith('<!--', this.#at)) return false;
    const pair = this.#text.slice(this.#at, this.#at + 2);
    const token = pair === '=>' || pair === '++' || pair === '--' ? pair : mark;
    this.#at += token.length;
    return this.#takeMark(token);
  }

  #takeMark(mark: string): boolean {
    if ('([{'.includes(mark)) {
      this.#add(mark);
      this.#open(mark);
      return true;
    }
    if (')]}'.includes(mark)) return this.#close(mark);
    this.#add(mark);
    if (mark === ',' || mark === ';') this.#separate();
    if (mark === '<') {
      this.#level.typeArguments += 1;
      this.#keep();
      return this.#level.typeArguments <= MAX_TYPE_ARGUMENTS;
    }
    if (mark === '>' && this.#level.typeArguments > 0) {
      this.#level.typeArguments -= 1;
      this.#level.kept -= 1;
      this.#count -= 1;
    }
    return true;
  }

  #open(mark: string): void {
    this.#outer.push(this.#level);
    this.#level = { mark, tokens: 0, kept: 0, typeArguments: 0 };
  }

  #close(mark: string): boolean {
    const { mark: open, tokens, kept } = this.#level;
    const outer = this.#outer.pop();
    const isTemplate = mark === '}' && open === '`';
    if (outer === undefined || (!isTemplate && open !== OPENING[mark])) return false;
    this.#count -= tokens + kept;
    this.#level = outer;
    if (isTemplate) return this.#takeTemplateText();
    this.#remember(mark);
    return true;
  }

  #takeString(quote: string): boolean {
    for (let at = this.#at + 1; at < this.#text.length; at += 1) {
      const mark = this.#text[at];
      if (mark === '\\') at += this.#text.startsWith('\r\n', at + 1) ? 2 : 1;
      else if (mark === '\n' || mark === '\r') return false;
      else if (mark === quote) {
        this.#at = at + 1;
        this.#add('x');
        return true;
      }
    }
    return false;
  }

  #takeTemplate(): boolean {
    this.#at += 1;
    this.#add('x');
    return this.#takeTemplateText();
  }

  /** To behind the end of the template, or of the `${` that opens an expression in it. */
  #takeTemplateText(): boolean {
    for (let at = this.#at; at < this.#text.length; at += 1) {
      const mark = this.#text[at];
      if (mark === '\\') at += 1;
      else if (mark === '`') {
        this.#at = at + 1;
        this.#remember('x');
        return true;
      } else if (mark === '$' && this.#text[at + 1] === '{') {
        this.#at = at + 2;
        this.#open('`');
        this.#remember('{');
        return true;
      }
    }
    return false;
  }

  #takeSlash(): boolean {
    const isProperty = this.#beforeLast === '.';
    if (!isProperty && BEFORE_PATTERN.test(this.#last)) {
      if (this.#take(PATTERN) === null) return false;
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
    if (isImport || STARTS.test(word) || (this.#last === '}' && STARTS_BEHIND_BLOCK.test(word)))
      this.#separate();
  }

  #separate(): void {
    this.#count -= this.#level.tokens;
    this.#level.tokens = 0;
  }

  #keep(): void {
    this.#level.kept += 1;
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

  #take(pattern: RegExp): string | null {
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
