/** A file that a page of MkDocs includes (https://facelessuser.github.io/pymdown-extensions/extensions/snippets/). */
export interface Snippet {
  /** As written, with lines or the name of a section: `parts/a.md:2:5`. */
  readonly target: string;
  readonly line: number;
  readonly column: number;
  /** White space before it on its line, which is added to each line of the file. */
  readonly indent: string;
  /** Offsets of the text that the file replaces, after the indent. */
  readonly start: number;
  readonly end: number;
}

export interface Snippets {
  readonly snippets: readonly Snippet[];
  /** Offsets of other lines that the extension removes, including their line breaks. */
  readonly marks: readonly { readonly start: number; readonly end: number }[];
}

/** `--8<-- "file"`, or lines with files between two `--8<--`. They work inside code, too. */
export function snippetsIn(source: string): Snippets {
  if (!source.includes('8<')) return { snippets: [], marks: [] };
  const snippets: Snippet[] = [];
  const marks: { start: number; end: number }[] = [];
  let isInside = false;
  let start = 0;
  for (const [at, line] of source.split('\n').entries()) {
    const end = start + line.length;
    const single = /^[ \t]*-+8<-+[ \t]+(["'])(.+?)\1[ \t]*\r?$/.exec(line);
    const target = single?.[2] ?? (isInside ? line.trim() : '');
    const isMark = /^[ \t]*-+8<-+[ \t]*\r?$/.test(line);
    if (isMark) isInside = !isInside;
    if (!isMark && target !== '' && !target.startsWith(';')) {
      const indent = /^[ \t]*/.exec(line)?.[0] ?? '';
      const column = line.indexOf(target) + 1;
      snippets.push({ target, line: at + 1, column, indent, start: start + indent.length, end });
    } else if (isMark || isInside) {
      marks.push({ start, end: Math.min(end + 1, source.length) });
    }
    start = end + 1;
  }
  return { snippets, marks };
}
