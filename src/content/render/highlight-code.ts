import type { Element, ElementContent, Root } from 'hast';
import { common, createLowlight } from 'lowlight';
import { textOf, walkElements } from './walk-elements.ts';

/** Code longer than this stays plain: nobody writes it for readers. In UTF-16 code units. */
const MAX_CODE_LENGTH = 10_000;

/**
 * What marking the code of one page may cost. The grammars are regular expressions, and those of C's family take time by
 * the square of the length for code that is made to be slow; code costs its length times itself, and this is half a second.
 */
const MAX_PAGE_COST = 100_000_000;

/** A line longer than this is made by a machine, and slow to match. */
const MAX_LINE_LENGTH = 1_000;

const lowlight = createLowlight(common);

/** Marks the parts of the code blocks whose language is known (https://highlightjs.org). The text stays the same. */
export function highlightCode(root: Root): void {
  let left = MAX_PAGE_COST;
  walkElements(root, (element, parent) => {
    if (element.tagName !== 'code' || parent.type !== 'element' || parent.tagName !== 'pre') return;
    const language = languageOf(element);
    if (language === null || !lowlight.registered(language)) return;
    const code = textOf(element);
    const cost = code.length ** 2;
    if (code.length > MAX_CODE_LENGTH || cost > left || hasLongLine(code)) return;
    left -= cost;
    element.children = lowlight.highlight(language, code).children as ElementContent[];
  });
}

function hasLongLine(code: string): boolean {
  return code.split('\n').some((line) => line.length > MAX_LINE_LENGTH);
}

function languageOf({ properties: { className } }: Element): string | null {
  const name = Array.isArray(className)
    ? className.find((one) => String(one).startsWith('language-'))
    : undefined;
  return name === undefined ? null : String(name).slice('language-'.length).toLowerCase();
}
