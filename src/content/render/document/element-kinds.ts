import type { Element } from 'hast';

/** Block elements; those of no kind in `BLOCKS` are replaced with their content. */
const BLOCK_NAMES: ReadonlySet<string> = new Set(
  'blockquote dd details div dl dt figcaption figure h1 h2 h3 h4 h5 h6 hr li ol p picture pre section summary table ul'.split(
    ' ',
  ),
);

const known = new WeakMap<Element, boolean>();

/** Whether an element is a block, or contains one, such as `<b>` around paragraphs. A link never is: its content stays in it. */
export function isBlock(element: Element): boolean {
  const cached = known.get(element);
  if (cached !== undefined) return cached;
  const is =
    element.tagName === 'picture'
      ? false
      : BLOCK_NAMES.has(element.tagName) ||
        (element.tagName !== 'a' &&
          element.children.some((child) => child.type === 'element' && isBlock(child)));
  known.set(element, is);
  return is;
}

/** Returns a formula without its delimiters. */
export function formulaOf(text: string): string {
  return text.replace(/^\${1,2}|\${1,2}$/g, '').trim();
}
