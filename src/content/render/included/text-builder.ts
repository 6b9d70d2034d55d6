import type { SourcePosition } from '../../dialect/index.ts';

/** The start of a piece of a composed text and its position in its file; text without a source is from no file. A piece ends where the next one starts. */
export interface TextOrigin {
  readonly line: number;
  readonly column: number;
  readonly source?: SourcePosition;
}

/** Composes a text of pieces of several files, and records the origin of each. */
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

  /** Adds a piece whose position in its file is `source`; `indent` is written before each of its lines but the first. */
  add(text: string, source: SourcePosition | null, indent = ''): void {
    if (indent === '' || !text.includes('\n')) {
      this.#write(text, source);
      return;
    }
    const lines = text.split('\n');
    for (const [at, line] of lines.entries()) {
      // The next piece may continue the last line.
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
    const start = { line: this.#line, column: this.#column };
    this.origins.push(source === null ? start : { ...start, source });
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

/** Maps a position in a composed text to the position in its file; null when the text there is from no file. */
export function sourcePositionAt(
  origins: readonly TextOrigin[],
  line: number,
  column: number,
): SourcePosition | null {
  let low = 0;
  let high = origins.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const candidate = origins[middle] as TextOrigin;
    if (candidate.line < line || (candidate.line === line && candidate.column <= column)) low = middle + 1;
    else high = middle;
  }
  const origin = origins[low - 1];
  if (origin?.source === undefined) return null;
  const { source } = origin;
  return line === origin.line
    ? { ...source, column: source.column + column - origin.column }
    : { ...source, line: source.line + line - origin.line, column };
}
