import type { RepoPath } from '../model/index.ts';
import { LineFence, LineIndex, type LinePosition } from '../text/index.ts';

/** A position in a file of the repository. */
export interface SourcePosition extends LinePosition {
  readonly path: RepoPath;
}

/** A text by its lines. */
export class SourceText {
  readonly #lines: LineIndex;
  readonly #text: string;
  #code: ReadonlySet<number> | null = null;

  constructor(text: string) {
    this.#text = text;
    this.#lines = new LineIndex(text);
  }

  positionAt(path: RepoPath, offset: number): SourcePosition {
    return { path, ...this.#lines.positionAt(offset) };
  }

  /** Whether a part of the text begins a line and has nothing but spaces after it. */
  hasLines(start: number, end: number): boolean {
    if (start > 0 && this.#text[start - 1] !== '\n') return false;
    let at = end;
    while (/[ \t\r]/.test(this.#text[at] ?? '')) at += 1;
    return at === this.#text.length || this.#text[at] === '\n';
  }

  /** Whether a line, by its number, is fenced code. */
  isCode(line: number): boolean {
    this.#code ??= codeLines(this.#text);
    return this.#code.has(line);
  }

  /** Returns the runs of covered lines, without a line break at the end of the text. */
  ranges(covers: (line: number) => boolean): readonly { readonly start: number; readonly end: number }[] {
    const ranges: { start: number; end: number }[] = [];
    const { starts } = this.#lines;
    for (const [at, start] of starts.entries()) {
      if (!covers(at + 1)) continue;
      const end = starts[at + 1] ?? this.#text.length;
      const last = ranges.at(-1);
      if (last?.end === start) last.end = end;
      else ranges.push({ start, end });
    }
    const last = ranges.at(-1);
    if (last !== undefined && last.end < this.#text.length) {
      last.end -= this.#text.startsWith('\r\n', last.end - 2) ? 2 : 1;
    }
    return ranges;
  }
}

function codeLines(text: string): ReadonlySet<number> {
  const code = new Set<number>();
  const fence = new LineFence();
  for (const [at, line] of text.split('\n').entries()) if (fence.isInFence(line)) code.add(at + 1);
  return code;
}
