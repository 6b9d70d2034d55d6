import type { SourcePosition } from '../../dialect/index.ts';

/** From where in a composed text what follows stands in which file, until the next one; text without a source stands in none. */
export interface TextOrigin {
  readonly line: number;
  readonly column: number;
  readonly source?: SourcePosition;
}

/** Writes a text of pieces of several files, and notes where each came from. */
export class TextBuilder {
  readonly #parts: string[] = [];
  readonly origins: TextOrigin[] = [];
  #length = 0;
  #line = 1;
  #column = 1;

  /** In UTF-16 code units. */
  get length(): number {
    return this.#length;
  }

  /** Writes a piece that stands at `source`; `indent` goes before each of its lines but the first. */
  add(text: string, source: SourcePosition | null, indent = ''): void {
    if (indent === '' || !text.includes('\n')) {
      this.#write(text, source);
      return;
    }
    const lines = text.split('\n');
    for (const [at, line] of lines.entries()) {
      // What is written next may go on in the last one.
      const isEmpty = line.trim() === '' && at < lines.length - 1;
      if (at > 0) this.#write(`\n${isEmpty ? indent.trimEnd() : indent}`, null);
      this.#write(
        line,
        at === 0 || source === null ? source : { ...source, line: source.line + at, column: 1 },
      );
    }
  }

  text(): string {
    return this.#parts.join('');
  }

  #write(text: string, source: SourcePosition | null): void {
    if (text === '') return;
    const place = { line: this.#line, column: this.#column };
    this.origins.push(source === null ? place : { ...place, source });
    this.#parts.push(text);
    this.#length += text.length;
    const lastBreak = text.lastIndexOf('\n');
    if (lastBreak === -1) {
      this.#column += text.length;
      return;
    }
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) this.#line += 1;
    this.#column = text.length - lastBreak;
  }
}

/** Where what stands at a place of a composed text stands in its file; null where no file holds it. */
export function sourcePositionAt(
  origins: readonly TextOrigin[],
  line: number,
  column: number,
): SourcePosition | null {
  let low = 0;
  let high = origins.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const one = origins[middle] as TextOrigin;
    if (one.line < line || (one.line === line && one.column <= column)) low = middle + 1;
    else high = middle;
  }
  const origin = origins[low - 1];
  if (origin?.source === undefined) return null;
  const { source } = origin;
  return line === origin.line
    ? { ...source, column: source.column + column - origin.column }
    : { ...source, line: source.line + line - origin.line, column };
}
