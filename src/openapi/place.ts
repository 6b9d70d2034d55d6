/** A place in a text; both counted from 1, columns in UTF-16 code units. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** The places of offsets, by one pass over the text. */
export function placesAt(text: string, offsets: readonly number[]): readonly Place[] {
  const places = new Map<number, Place>();
  let line = 1;
  let start = 0;
  for (const offset of [...new Set(offsets)].sort((a, b) => a - b)) {
    for (let end = text.indexOf('\n', start); end !== -1 && end < offset; end = text.indexOf('\n', start)) {
      line++;
      start = end + 1;
    }
    places.set(offset, { line, column: offset - start + 1 });
  }
  return offsets.map((offset) => places.get(offset) ?? { line: 1, column: 1 });
}

export function placeAt(text: string, offset: number): Place {
  return placesAt(text, [offset])[0] ?? { line: 1, column: 1 };
}
