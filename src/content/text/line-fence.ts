/** Tracks fenced code from line to line, so that its content can be left alone. */
export class LineFence {
  #open: { readonly character: string; readonly length: number } | null = null;

  /** Whether a fence is open, so that the next line is part of its code or closes it. */
  get isOpen(): boolean {
    return this.#open !== null;
  }

  /** Whether the next line is part of fenced code. `text` is without the quote markers and indent of its container. */
  isInFence(text: string): boolean {
    const match = /^[ \t>]*(?:(?:[*+-]|\d{1,9}[.)])[ \t]+)?(`{3,}|~{3,})(.*)$/.exec(text);
    const fence = match?.[1] ?? '';
    const rest = match?.[2] ?? '';
    if (this.#open !== null) {
      const closes = fence.startsWith(this.#open.character) && fence.length >= this.#open.length;
      if (closes && rest.trim() === '') this.#open = null;
      return true;
    }
    if (fence === '' || (fence.startsWith('`') && rest.includes('`'))) return false;
    this.#open = { character: fence.charAt(0), length: fence.length };
    return true;
  }

  /** Closes an open fence, as the end of its container does. */
  close(): void {
    this.#open = null;
  }
}

/** Returns the index of the first line after front matter. */
export function skipFrontMatter(lines: readonly string[]): number {
  if (!/^---[ \t]*\r?$/.test(lines[0] ?? '')) return 0;
  const end = lines.findIndex((line, at) => at > 0 && /^(?:---|\.\.\.)[ \t]*\r?$/.test(line));
  return end + 1;
}
