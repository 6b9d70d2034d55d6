/**
 * Selects the lines of a part: `2`, `2:`, `:10`, `2:10`; all lines for a name, whose markers are only in the file's
 * text.
 */
export function linesOfDirective(part: string): (line: number) => boolean {
  const [, first = '', colon = '', last = ''] = /^(\d*)(:?)(\d*)(?::.*)?$/.exec(part) ?? [];
  const from = first === '' ? 1 : Number(first);
  const to = last !== '' ? Number(last) : first !== '' && colon === '' ? from : Number.POSITIVE_INFINITY;
  return (line) => line >= from && line <= to;
}

const ANCHOR = /ANCHOR(_END)?:\s{0,20}([\w-]{1,200})/;

/**
 * Like `linesOfDirective`, but selects `// ANCHOR: name` to `// ANCHOR_END: name` for a name, without the lines of
 * markers; null when the text does not contain the name
 * (https://rust-lang.github.io/mdBook/format/mdbook.html#including-portions-of-a-file).
 */
export function linesInText(part: string, text: string): ((line: number) => boolean) | null {
  const [name = ''] = part.split(':');
  if (name === '' || /^\d+$/.test(name)) return linesOfDirective(part);
  const included = new Set<number>();
  let isFound = false;
  let isInside = false;
  for (const [at, line] of text.split('\n').entries()) {
    const [marker, isEnd, section] = (line.includes('ANCHOR') ? ANCHOR.exec(line) : null) ?? [];
    if (marker === undefined) {
      if (isInside) included.add(at + 1);
    } else if (section === name) {
      isInside = isEnd === undefined;
      isFound = true;
    }
  }
  return isFound ? (line) => included.has(line) : null;
}
