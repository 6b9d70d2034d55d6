import type { Element, ElementContent, Root } from 'hast';
import { common, createLowlight } from 'lowlight';
import { textOf, walkElements } from './walk-elements.ts';

/** Code longer than this stays plain: the grammars are regular expressions, and not all of them are linear. */
const MAX_CODE_LENGTH = 10_000;

/** Code of one page that is marked, in UTF-16 code units. */
const MAX_PAGE_LENGTH = 100_000;

/** A line longer than this is made by a machine, and slow to match. */
const MAX_LINE_LENGTH = 1_000;

const lowlight = createLowlight(common);

/** Marks the parts of the code blocks whose language is known (https://highlightjs.org). The text stays the same. */
export function highlightCode(root: Root): void {
  let left = MAX_PAGE_LENGTH;
  walkElements(root, (element, parent) => {
    if (element.tagName !== 'code' || parent.type !== 'element' || parent.tagName !== 'pre') return;
    const language = languageOf(element);
    if (language === null || !lowlight.registered(language)) return;
    const code = textOf(element);
    if (
      code.length > Math.min(left, MAX_CODE_LENGTH) ||
      code.split('\n').some((line) => line.length > MAX_LINE_LENGTH)
    )
      return;
    left -= code.length;
    element.children = lowlight.highlight(language, code).children as ElementContent[];
  });
}

function languageOf({ properties: { className } }: Element): string | null {
  const name = Array.isArray(className)
    ? className.find((one) => String(one).startsWith('language-'))
    : undefined;
  return name === undefined ? null : String(name).slice('language-'.length).toLowerCase();
}
