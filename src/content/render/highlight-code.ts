import type { ElementContent, Root } from 'hast';
import { common, createLowlight } from 'lowlight';
import { codeLanguageOf, textOf, walkElements } from './hast-elements.ts';

/** Longer code is not highlighted: it is not written for readers. In UTF-16 code units. */
const MAX_CODE_LENGTH = 10_000;

/**
 * What highlighting the code of one page may cost. The grammars are regular expressions, and those of the C family take
 * quadratic time for hostile code, so the cost of code is the square of its length. The limit is half a second of work.
 */
const MAX_PAGE_COST = 100_000_000;

/** A longer line is generated, and slow to match. */
const MAX_LINE_LENGTH = 1_000;

const lowlight = createLowlight(common);

/** Marks the tokens of code blocks whose language is known (https://highlightjs.org). Does not change the text. */
export function highlightCode(root: Root): void {
  let left = MAX_PAGE_COST;
  walkElements(root, (element, parent) => {
    if (element.tagName !== 'code' || parent.type !== 'element' || parent.tagName !== 'pre') return;
    const language = codeLanguageOf(element)?.toLowerCase();
    if (language === undefined || !lowlight.registered(language)) return;
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
