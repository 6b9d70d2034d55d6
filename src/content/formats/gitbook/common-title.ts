import type { Tag } from '../../dialect/index.ts';

const ASKS_FOR_VISITOR = /\bvisitor\b/;

interface Lines {
  readonly first: number;
  readonly last: number;
}

/**
 * Reads titles from headings as all visitors may see them, since the navigation shows the title of a page to everybody: a
 * heading that a condition shows to some of them is none, and what another one says of the visitor is left out.
 */
export function commonTitle(source: string, tags: readonly Tag[]): (text: string, line: number) => string {
  const hidden = ASKS_FOR_VISITOR.test(source) ? linesForSome(source, tags) : [];
  let next = 0;
  return (text, line) => {
    // Headings come in the order of the page.
    while ((hidden[next]?.last ?? Infinity) < line) next += 1;
    if (line >= (hidden[next]?.first ?? Infinity)) return '';
    if (!ASKS_FOR_VISITOR.test(text)) return text;
    const common = text.replace(/\{\{[^}]{0,500}\bvisitor\b[^}]{0,500}\}\}/g, '');
    return common.replace(/\s+/g, ' ').trim();
  };
}

/** The outermost conditions that ask for the visitor; one without an end hides the rest of the page. */
function linesForSome(source: string, tags: readonly Tag[]): readonly Lines[] {
  const hidden: Lines[] = [];
  const open: { readonly line: number; readonly asks: boolean }[] = [];
  let asking = 0;
  for (const { name, line, start, end } of tags) {
    if (name === 'if') {
      const asks = ASKS_FOR_VISITOR.test(source.slice(start, end));
      open.push({ line, asks });
      if (asks) asking += 1;
    } else if (name === 'endif') {
      const begin = open.pop();
      if (begin?.asks !== true) continue;
      asking -= 1;
      if (asking === 0) hidden.push({ first: begin.line, last: line });
    }
  }
  const unclosed = open.find(({ asks }) => asks);
  return unclosed === undefined ? hidden : [...hidden, { first: unclosed.line, last: Infinity }];
}
