/** A position in a text. Lines and columns start at 1; columns count UTF-16 code units. */
export interface LinePosition {
  readonly line: number;
  readonly column: number;
}

/** The lines of a text by their offsets. */
export class LineIndex {
  /** The offset of the start of each line. */
  readonly starts: readonly number[];

  constructor(text: string) {
    const starts = [0];
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
    this.starts = starts;
  }

  positionAt(offset: number): LinePosition {
    let low = 0;
    let high = this.starts.length;
    while (low + 1 < high) {
      const middle = (low + high) >> 1;
      if ((this.starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: offset - (this.starts[low] ?? 0) + 1 };
  }
}
