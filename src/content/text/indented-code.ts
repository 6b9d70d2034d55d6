/** What opens a container on a line: its content stands below the text after the mark, or four columns in. */
const LIST_ITEM = /^([*+-]|\d{1,9}[.)])([ \t]+|$)/;
const CONTAINER = /^(?:(?:!!!|\?\?\?\+?|===)[ \t]|\[\^[^\]\s]{1,200}\]:|:[ \t])/;

const MAX_DEPTH = 100;

/**
 * Tracks code that is code by its indent alone, from line to line: after a blank line or a heading, four columns further in
 * than what it is in. Fences and quotes are not its concern.
 */
export class IndentedCode {
  /** The columns at which the contents of the open lists and containers begin. */
  readonly #contents: number[] = [];
  #mayBegin = true;
  #isOpen = false;

  /** Whether the next line is such code. */
  isInCode(line: string): boolean {
    let text = line.trimStart();
    if (text === '') {
      this.#mayBegin = true;
      return this.#isOpen;
    }
    let column = columnsOf(line.slice(0, line.length - text.length));
    while ((this.#contents.at(-1) ?? 0) > column) this.#contents.pop();
    if (column - (this.#contents.at(-1) ?? 0) >= 4 && (this.#mayBegin || this.#isOpen)) {
      this.#isOpen = true;
      return true;
    }
    this.#isOpen = false;
    for (let item = LIST_ITEM.exec(text); item !== null; item = LIST_ITEM.exec(text)) {
      const [whole, mark = '', space = ''] = item;
      const width = columnsOf(space);
      // A mark with more space than that begins with code.
      const content = column + mark.length + (width === 0 || width > 4 ? 1 : width);
      if (this.#contents.length < MAX_DEPTH) this.#contents.push(content);
      if (width > 4) return true;
      column = content;
      text = text.slice(whole.length);
    }
    if (CONTAINER.test(text) && this.#contents.length < MAX_DEPTH) this.#contents.push(column + 4);
    this.#mayBegin = /^#{1,6}[ \t]/.test(text);
    return false;
  }

  /** Tells that a block without blank lines around it, such as a fence, ended. */
  endBlock(): void {
    this.#mayBegin = true;
    this.#isOpen = false;
  }
}

function columnsOf(space: string): number {
  let column = 0;
  for (const character of space) column += character === '\t' ? 4 - (column % 4) : 1;
  return column;
}
