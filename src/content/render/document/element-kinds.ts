import type { Element } from 'hast';

/** Elements that stand among blocks; those of no kind below are seen through. */
const BLOCK_NAMES: ReadonlySet<string> = new Set(
  'blockquote dd details div dl dt figcaption figure h1 h2 h3 h4 h5 h6 hr li ol p picture pre section summary table ul'.split(
    ' ',
  ),
);

const known = new WeakMap<Element, boolean>();

/** Whether an element is a block, or holds one, such as `<b>` around paragraphs. A link never is: its words are its own. */
export function isBlock(element: Element): boolean {
  const said = known.get(element);
  if (said !== undefined) return said;
  const is =
    element.tagName === 'picture'
      ? false
      : BLOCK_NAMES.has(element.tagName) ||
        (element.tagName !== 'a' &&
          element.children.some((child) => child.type === 'element' && isBlock(child)));
  known.set(element, is);
  return is;
}

export function hasClass({ properties }: Element, name: string): boolean {
  return Array.isArray(properties['className']) && properties['className'].includes(name);
}

/** Mathematics without the signs around it. */
export function formulaOf(text: string): string {
  return text.replace(/^\${1,2}|\${1,2}$/g, '').trim();
}
