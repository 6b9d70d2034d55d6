import type { Element, ElementContent, Root } from 'hast';
import { walkElements } from './hast-elements.ts';

/** `{#id .class key="value"}` or `{: … }`, with at least one id, class or key in it. */
const LIST =
  /\{:?[ \t]*((?:[#.][\w:.-]+|[\w-]+=(?:"[^"{}\n]*"|'[^'{}\n]*'|[^\s"'{}]+))(?:[ \t]+(?:[#.][\w:.-]+|[\w-]+=(?:"[^"{}\n]*"|'[^'{}\n]*'|[^\s"'{}]+)))*)[ \t]*\}/g;

/** A text with more braces than this is a template or code, and has no attributes. */
const MAX_LISTS = 200;

/**
 * Removes attribute lists from the text (Python-Markdown's `attr_list`, VitePress's markdown-it-attrs); an id is replaced
 * with an anchor. Those of headings are left to the heading's namer.
 */
export function readAttributeLists(root: Root): void {
  walkElements(root, (element) => {
    if (/^(?:code|pre|h[1-6])$/.test(element.tagName)) return;
    if (!element.children.some((child) => child.type === 'text' && child.value.includes('{'))) return;
    element.children = element.children.flatMap((child) =>
      child.type === 'text' && !isInCode(element) ? readText(child.value) : [child],
    );
  });
}

function isInCode(element: Element): boolean {
  return element.tagName === 'code' || element.tagName === 'pre' || element.tagName === 'samp';
}

function readText(value: string): ElementContent[] {
  if (value.split('{').length > MAX_LISTS) return [{ type: 'text', value }];
  const parts: ElementContent[] = [];
  let end = 0;
  for (const match of value.matchAll(LIST)) {
    const attributes = match[1] ?? '';
    const ids = [...attributes.matchAll(/(?:^|\s)#([\w:.-]+)|(?:^|\s)id=["']?([\w:.-]+)/g)];
    parts.push({ type: 'text', value: withoutEndBlanks(value.slice(end, match.index)) });
    for (const id of ids) {
      const name = id[1] ?? id[2] ?? '';
      parts.push({ type: 'element', tagName: 'span', properties: { id: name }, children: [] });
    }
    end = match.index + match[0].length;
  }
  parts.push({ type: 'text', value: value.slice(end) });
  return parts;
}

/** Removes the blanks before a list, which belong to it. */
function withoutEndBlanks(text: string): string {
  let end = text.length;
  while (end > 0 && (text[end - 1] === ' ' || text[end - 1] === '\t')) end -= 1;
  return text.slice(0, end);
}
