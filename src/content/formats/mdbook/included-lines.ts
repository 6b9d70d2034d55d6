/** The lines that a directive takes: `2`, `2:`, `:10`, `2:10`; all for a name, whose marks only the file's text shows. */
export function linesOfDirective(part: string): (line: number) => boolean {
  const [, first = '', colon = '', last = ''] = /^(\d*)(:?)(\d*)(?::.*)?$/.exec(part) ?? [];
  const from = first === '' ? 1 : Number(first);
  const to = last !== '' ? Number(last) : first !== '' && colon === '' ? from : Number.POSITIVE_INFINITY;
  return (line) => line >= from && line <= to;
}

const ANCHOR = /ANCHOR(_END)?:\s{0,20}([\w-]{1,200})/;

/**
 * The same with the text at hand: `// ANCHOR: name` to `// ANCHOR_END: name` for a name, without the lines of any marks; null
 * where nothing has the name (https://rust-lang.github.io/mdBook/format/mdbook.html#including-portions-of-a-file).
 */
export function linesInText(part: string, text: string): ((line: number) => boolean) | null {
  const [name = ''] = part.split(':');
  if (name === '' || /^\d+$/.test(name)) return linesOfDirective(part);
  const taken = new Set<number>();
  let isKnown = false;
  let isInside = false;
  for (const [at, line] of text.split('\n').entries()) {
    const [mark, isEnd, marked] = (line.includes('ANCHOR') ? ANCHOR.exec(line) : null) ?? [];
    if (mark === undefined) {
      if (isInside) taken.add(at + 1);
    } else if (marked === name) {
      isInside = isEnd === undefined;
      isKnown = true;
    }
  }
  return isKnown ? (line) => taken.has(line) : null;
}
