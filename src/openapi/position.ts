/** A position in a text; both counted from 1, columns in UTF-16 code units. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** The positions of offsets, found in one pass over the text. */
export function positionsAt(text: string, offsets: readonly number[]): readonly TextPosition[] {
  const positions = new Map<number, TextPosition>();
  let line = 1;
  let start = 0;
  for (const offset of [...new Set(offsets)].sort((a, b) => a - b)) {
    for (let end = text.indexOf('\n', start); end !== -1 && end < offset; end = text.indexOf('\n', start)) {
      line++;
      start = end + 1;
    }
    positions.set(offset, { line, column: offset - start + 1 });
  }
  return offsets.map((offset) => positions.get(offset) ?? { line: 1, column: 1 });
}

export function positionAt(text: string, offset: number): TextPosition {
  return positionsAt(text, [offset])[0] ?? { line: 1, column: 1 };
}
