import type { Span } from '../model/index.ts';
import { LineIndex } from '../text/index.ts';
import type { HtmlRange } from './scan-plain-html.ts';

/** Maps lines of an HTML node to the file: the parser removes the markers of containers (quotes, lists). */
export class SourceLines {
  readonly #source: string;
  #starts: readonly number[] | null = null;

  constructor(source: string) {
    this.#source = source;
  }

  /** Returns a function from ranges in the HTML `value` to spans in the file, where `node` is the span of the value. */
  spansIn(value: string, node: Span): (inner: HtmlRange) => Span {
    const lines = node.line === node.endLine ? [value] : value.split('\n');
    // Columns of the file before column 1 of a line of the node: both lines have the same end, whatever was removed before.
    const shift = (line: number) => {
      if (line === 1) return node.column - 1;
      const text = lines[line - 1] ?? '';
      const length = text.endsWith('\r') ? text.length - 1 : text.length;
      const fileLine = node.line + line - 1;
      const end = fileLine === node.endLine ? node.endColumn - 1 : this.#lineLength(fileLine);
      // Negative when a part of a tab was removed, and spaces replace its rest.
      return end - length;
    };
    return (inner) => ({
      line: node.line + inner.line - 1,
      column: Math.max(1, inner.column + shift(inner.line)),
      endLine: node.line + inner.endLine - 1,
      endColumn: Math.max(1, inner.endColumn + shift(inner.endLine)),
    });
  }

  #lineLength(line: number): number {
    this.#starts ??= new LineIndex(this.#source).starts;
    const start = this.#starts[line - 1] ?? 0;
    let end = this.#starts[line] ?? this.#source.length;
    while (end > start && isLineBreak(this.#source.charCodeAt(end - 1))) end -= 1;
    return end - start;
  }
}

function isLineBreak(code: number): boolean {
  return code === 10 || code === 13;
}
