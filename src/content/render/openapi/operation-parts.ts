import type { Element, ElementContent } from 'hast';
import { box } from '../blocks/block-elements.ts';
import { element } from '../hast-elements.ts';
import { textNode } from './description-elements.ts';

/** Not a heading element: the outline of the page is the author’s. */
export function label(name: string): Element {
  return box('p', 'block-title', [element('strong', [textNode(name)])]);
}

export function codeNode(text: string): Element {
  return element('code', [textNode(text)]);
}

export function codeBlock(code: string, language: string): Element {
  const className = language === '' ? {} : { className: [`language-${language}`] };
  return element('pre', [element('code', [textNode(code)], className)]);
}

/** Tabs of code, the first one open; one alone is a figure with its title. */
export function codeTabs(
  samples: readonly { readonly title: string; readonly language: string; readonly code: string }[],
): ElementContent[] {
  const [only, ...others] = samples;
  if (only === undefined) return [];
  if (others.length === 0) {
    const caption = element('figcaption', [textNode(only.title)]);
    return [element('figure', [caption, codeBlock(only.code, only.language)], { className: ['code'] })];
  }
  const tabs = samples.map(({ title, language, code }, at) =>
    element('details', [box('summary', 'tab-title', [textNode(title)]), codeBlock(code, language)], {
      className: ['tab'],
      ...(at === 0 ? { open: true } : {}),
    }),
  );
  return [box('div', 'tabs', tabs)];
}
