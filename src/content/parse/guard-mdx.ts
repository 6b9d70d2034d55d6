import { CodeLiterals } from './code-literals.ts';

/**
 * What the parser of MDX, native code, is trusted with. It takes quadratic time for open braces, for expressions and for
 * elements, most of all for those that stay open: with these numbers half a second. Of 1,400 large pages of public
 * repositories the most had 640 elements, 350 expressions, and open elements that add up to 100,000.
 */
const MAX_OPEN_BRACES = 500;
const MAX_EXPRESSIONS = 10_000;
const MAX_ELEMENTS = 10_000;
/** Elements that are open at each tag, added up over all tags. */
const MAX_OPEN_ELEMENTS = 20_000_000;

/**
 * What may be on its stack in one expression, import or export: an open bracket counts as ten, an operator or a space as
 * one, until a comma or a semicolon follows it. The smallest stack overflows at four times as much.
 */
const MAX_NESTING = 5_000;
const BRACKET = 10;

/**
 * Elements that are open in an expression at the same time double its time, each, when it is invalid: 12 take 5 ms. This is
 * the sum over all expressions of a page; of 1,400 large pages of public repositories none comes near it.
 */
const MAX_ATTEMPTS = 2 ** 17;

const OPERATORS = new Set([...'!~?:=+-*/%&|^<>@'].map((operator) => operator.charCodeAt(0)));

const FRONT_MATTER = /^---[ \t]*\r?\n(?:[^\n]*\n)*?---[ \t]*(?:\r?\n|$)/;
const FENCE = /([ \t]*)(?:(`{3,})[^\n`]*|(~{3,})[^\n]*)(?=\n|$)/y;
const TICKS = /`+/y;

/** What `isCostlyMdx` means, for people. */
export const COSTLY_CODE =
  'The code of this page is nested too deep, or has too many elements, to be read safely: split the page, or move the code into a component.';

/** Longer code in a line is looked at, which may count too much. */
const MAX_CODE_SPAN = 1_000;

/**
 * Whether the parser of MDX would take unreasonable time for a page, or could overflow its stack: it recurses without a
 * limit, and tries elements in expressions in two ways. Takes linear time.
 *
 * This is a guess about hostile pages, which depends on where the parser sees strings and comments: in doubt code counts as
 * nested deeper than it is. `mayOverflow` is the certain one, and says yes for some harmless pages.
 */
export function isCostlyMdx(source: string): boolean {
  return new MdxCost(source).isTooHigh();
}

/** A bracket that is open in code, or a template literal. */
interface Level {
  readonly isTemplate: boolean;
  /** What counts at this level, its own bracket included. */
  count: number;
}

/** One pass over a page, which follows its expressions, imports and exports. */
class MdxCost {
  readonly #source: string;
  readonly #literals: CodeLiterals;
  readonly #levels: Level[] = [];
  #nesting = 0;
  /** The part of `#nesting` outside of all brackets. */
  #outside = 0;
  #isModule = false;
  #elements = 0;
  #mostElements = 0;
  #attempts = 0;
  /** The end of the code is not certain any more, so it ends with the page. */
  #isLost = false;
  #braces = 0;
  #expressions = 0;
  #tags = 0;
  #openTags = 0;
  #sumOfOpenTags = 0;

  constructor(source: string) {
    this.#source = source;
    this.#literals = new CodeLiterals(source);
  }

  isTooHigh(): boolean {
    const source = this.#source;
    for (let at = FRONT_MATTER.exec(source)?.[0].length ?? 0; at < source.length; at += 1) {
      const isCode = this.#levels.length > 0 || this.#isModule;
      if (!isCode) {
        const skipped = skipCode(source, at);
        if (skipped > at) {
          at = skipped;
          continue;
        }
      }
      this.#enterOrLeaveModule(at);
      const inCode = this.#levels.length > 0 || this.#isModule || source.charCodeAt(at) === 123;
      const end = inCode ? this.#read(at) : at;
      for (; at < end; at += 1) this.#countTags(at);
      this.#countTags(at);
      if (this.#nesting > MAX_NESTING || this.#hasTooMuch()) return true;
    }
    this.#endCode();
    return this.#attempts > MAX_ATTEMPTS;
  }

  #hasTooMuch(): boolean {
    return (
      this.#braces > MAX_OPEN_BRACES ||
      this.#expressions > MAX_EXPRESSIONS ||
      this.#tags > MAX_ELEMENTS ||
      this.#sumOfOpenTags > MAX_OPEN_ELEMENTS
    );
  }

  #countTags(at: number): void {
    const code = this.#source.charCodeAt(at);
    if (code === 123) {
      this.#braces += 1;
      this.#expressions += 1;
    } else if (code === 125 && this.#braces > 0) {
      this.#braces -= 1;
    } else if (code === 60) {
      if (this.#source.charCodeAt(at + 1) !== 47) {
        this.#tags += 1;
        this.#openTags += 1;
      } else if (this.#openTags > 0) this.#openTags -= 1;
      this.#sumOfOpenTags += this.#openTags;
    } else if (code === 47 && this.#source.charCodeAt(at + 1) === 62 && this.#openTags > 0) {
      // `/>`: the element closes itself. Text with these characters can hide no more than `MAX_ELEMENTS`.
      this.#openTags -= 1;
    }
  }

  #enterOrLeaveModule(at: number): void {
    const source = this.#source;
    const isLineStart = at === 0 || source.charCodeAt(at - 1) === 10;
    if (!isLineStart || this.#levels.length > 0) return;
    const code = source.charCodeAt(at);
    if (this.#isModule && (code === 10 || code === 13)) {
      this.#isModule = false;
      this.#endCode();
    }
    this.#isModule ||= source.startsWith('export', at) || source.startsWith('import', at);
  }

  /** Reads the code that begins here, and returns the position of its last code unit. */
  #read(at: number): number {
    const source = this.#source;
    const level = this.#levels.at(-1);
    if (level?.isTemplate === true) return this.#readTemplate(at);
    const code = source.charCodeAt(at);
    if (code === 96) {
      this.#levels.push({ isTemplate: true, count: 0 });
      return at;
    }
    const end = this.#literals.endOf(at, this.#elements > 0);
    if (end > at) {
      this.#countHidden(at, end);
      return end - 1;
    }
    // `(`, `[` and `{`
    if (code === 40 || code === 91 || code === 123) this.#open();
    else if (code === 41 || code === 93 || code === 125) this.#close();
    else if (code === 44 || code === 59) this.#reset();
    else if (code <= 32 || OPERATORS.has(code)) {
      this.#add(1);
      if (!this.#isModule) this.#countElement(at, code);
    }
    return at;
  }

  #readTemplate(at: number): number {
    const source = this.#source;
    let end = at;
    for (; end < source.length; end += 1) {
      const code = source.charCodeAt(end);
      if (code === 96 || (code === 36 && source.charCodeAt(end + 1) === 123)) break;
      if (code === 92) end += 1;
    }
    this.#countHidden(at, Math.min(end, source.length));
    if (source.charCodeAt(end) === 96) {
      this.#levels.pop();
      return end;
    }
    if (end < source.length) this.#open();
    return end + 1;
  }

  #open(): void {
    this.#levels.push({ isTemplate: false, count: BRACKET });
    this.#nesting += BRACKET;
  }

  #close(): void {
    if (this.#isLost && this.#levels.length === 1) return;
    const level = this.#levels.pop();
    if (level === undefined) return;
    this.#nesting -= level.count;
    if (this.#levels.length === 0 && !this.#isModule) this.#endCode();
  }

  /** A comma or a semicolon ends what is nested without brackets. */
  #reset(): void {
    const level = this.#levels.at(-1);
    const rest = level === undefined ? 0 : BRACKET;
    this.#nesting -= (level?.count ?? this.#outside) - rest;
    if (level === undefined) this.#outside = rest;
    else level.count = rest;
  }

  #add(count: number): void {
    const level = this.#levels.at(-1);
    if (level === undefined) this.#outside += count;
    else level.count += count;
    this.#nesting += count;
  }

  #endCode(): void {
    this.#attempts += this.#mostElements === 0 ? 0 : 2 ** Math.min(this.#mostElements, 30);
    this.#elements = 0;
    this.#mostElements = 0;
    this.#nesting = 0;
    this.#outside = 0;
    this.#levels.length = 0;
  }

  /** An element begins wherever a name follows, also after a value: the parser tries it. */
  #countElement(at: number, code: number): void {
    const next = this.#source.charCodeAt(at + 1);
    if (code === 60 && isNameStart(next)) {
      this.#elements += 1;
      this.#mostElements = Math.max(this.#mostElements, this.#elements);
    } else if (this.#elements > 0 && ((code === 60 && next === 47) || (code === 47 && next === 62))) {
      this.#elements -= 1;
    }
  }

  /**
   * What looks like a string or a comment may be the text of an element, where quotes mean nothing. So what opens in it
   * counts until the code ends, and what closes in it closes nothing else.
   */
  #countHidden(start: number, end: number): void {
    const source = this.#source;
    const mayBeText = this.#elements > 0 && source.charCodeAt(start - 1) !== 61;
    let open = 0;
    let most = 0;
    for (let at = start; at < end; at += 1) {
      const code = source.charCodeAt(at);
      if (code === 40 || code === 91 || code === 123) {
        open += 1;
        most = Math.max(most, open);
      } else if (open > 0 && (code === 41 || code === 93 || code === 125)) open -= 1;
      else if (mayBeText && (code === 60 || code === 47)) {
        this.#isLost ||= code === 60;
        this.#countElement(at, code);
      }
    }
    if (this.#nesting + most * BRACKET > MAX_NESTING) this.#nesting += most * BRACKET;
    else this.#nesting += open * BRACKET;
  }
}

function isNameStart(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    code === 36 ||
    code === 95 ||
    code === 62 ||
    code > 127
  );
}

/** Where code in Markdown that begins here ends, its last code unit; the position itself if there is none. */
function skipCode(source: string, at: number): number {
  const code = source.charCodeAt(at);
  if (code === 92) return at + 1;
  const isLineStart = at === 0 || source.charCodeAt(at - 1) === 10;
  if (isLineStart && (code === 96 || code === 126 || code === 32 || code === 9)) {
    FENCE.lastIndex = at;
    const fence = FENCE.exec(source);
    if (fence !== null) return skipFence(source, FENCE.lastIndex, fence[1] ?? '', fence[2] ?? fence[3] ?? '');
  }
  if (code !== 96) return at;
  TICKS.lastIndex = at;
  const ticks = TICKS.exec(source)?.[0] ?? '';
  const rest = source.slice(at + ticks.length, at + MAX_CODE_SPAN);
  const end = rest.indexOf(ticks);
  const line = rest.indexOf('\n');
  return at + (end === -1 || (line !== -1 && line < end) ? ticks.length : end + 2 * ticks.length) - 1;
}

/** The end of the line that closes a fence, or of the last one before a line that is indented less. */
function skipFence(source: string, opened: number, indent: string, mark: string): number {
  let end = opened;
  while (end < source.length) {
    const start = end + 1;
    const next = source.indexOf('\n', start);
    const stop = next === -1 ? source.length : next;
    const line = source.slice(start, stop);
    if (line.trim() !== '' && !line.startsWith(indent)) return end;
    end = stop;
    if (line.trim().startsWith(mark) && line.trim().replaceAll(mark[0] as string, '') === '') return end;
  }
  return end;
}
