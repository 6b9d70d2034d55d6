/** Follows fenced code from line to line, so that what stands in it is left alone. */
export class LineFence {
  #open: { readonly sign: string; readonly length: number } | null = null;

  /** Whether the line is part of fenced code. `text` is without the quote marks and indent of its container. */
  isInFence(text: string): boolean {
    const marks = /^[ \t>]*(?:(?:[*+-]|\d{1,9}[.)])[ \t]+)?(`{3,}|~{3,})(.*)$/.exec(text);
    const signs = marks?.[1] ?? '';
    const rest = marks?.[2] ?? '';
    if (this.#open !== null) {
      const closes = signs.startsWith(this.#open.sign) && signs.length >= this.#open.length;
      if (closes && rest.trim() === '') this.#open = null;
      return true;
    }
    if (signs === '' || (signs.startsWith('`') && rest.includes('`'))) return false;
    this.#open = { sign: signs.charAt(0), length: signs.length };
    return true;
  }

  /** The code ends with the container that it stands in. */
  close(): void {
    this.#open = null;
  }
}

/** The first line after front matter, from 0. */
export function skipFrontMatter(lines: readonly string[]): number {
  if (!/^---[ \t]*\r?$/.test(lines[0] ?? '')) return 0;
  const end = lines.findIndex((line, at) => at > 0 && /^(?:---|\.\.\.)[ \t]*\r?$/.test(line));
  return end + 1;
}
