import type { RepoPath } from '../model/index.ts';
import { LineFence } from '../text/index.ts';

/** A position in a file of the repository. Lines and columns start at 1. */
export interface SourcePosition {
  readonly path: RepoPath;
  readonly line: number;
  readonly column: number;
}

/** A text by its lines. */
export class SourceText {
  readonly #starts: number[] = [0];
  readonly #text: string;
  #code: ReadonlySet<number> | null = null;

  constructor(text: string) {
    this.#text = text;
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) this.#starts.push(at + 1);
  }

  positionAt(path: RepoPath, offset: number): SourcePosition {
    let low = 0;
    let high = this.#starts.length;
    while (low + 1 < high) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return { path, line: low + 1, column: offset - (this.#starts[low] ?? 0) + 1 };
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
    for (const [at, start] of this.#starts.entries()) {
      if (!covers(at + 1)) continue;
      const end = this.#starts[at + 1] ?? this.#text.length;
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
