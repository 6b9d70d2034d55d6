import { LONG_LINE_LENGTH, MAX_LONG_LINES_COST } from '../model/index.ts';

/** What is removed from a line that costs too much, including the rows of marks that `findMarkRows` would find there. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant.
export const BEYOND_ASCII = /[^\u0000-\u007f]|[?!.,:*_~'"]{500,}/g;

/** Characters that begin or end a node of the syntax tree. */
const MARKS = new Set([...'[]<>`*_!:@&~{}'].map((character) => character.charCodeAt(0)));

/** Adds up the costs of the long lines of a file, and decides for each line whether they are too high. */
export class LongLines {
  #spent = 0;

  isTooCostly(source: string, start: number, end: number): boolean {
    const length = end - start;
    if (length <= LONG_LINE_LENGTH) return false;
    let marks = 0;
    let beyond = 0;
    for (let at = start; at < end; at += 1) {
      const code = source.charCodeAt(at);
      if (code > 127) beyond += 1;
      else if (MARKS.has(code)) marks += 1;
    }
    if (beyond === 0) return false;
    this.#spent += length * (marks + beyond / 4);
    return this.#spent > MAX_LONG_LINES_COST;
  }
}
