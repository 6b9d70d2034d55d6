import type { Element, Root } from 'hast';
import { type BlockTitles, titleOfBlock } from './blocks/block-titles.ts';
import { walkElements } from './hast-elements.ts';

/** Turns quotes that start with `[!NOTE]`, `[!TIP]`, … into titled boxes, as GitHub does. Runs on a sanitised tree. */
export function markAlerts(root: Root, titles: BlockTitles = {}): void {
  walkElements(root, (element, parent) => {
    if (element.tagName !== 'blockquote' || parent.type !== 'root') return;
    const paragraph = element.children.find((child): child is Element => child.type === 'element');
    const first = paragraph?.children[0];
    if (paragraph?.tagName !== 'p' || first?.type !== 'text') return;
    const match = /^\[!(note|tip|important|warning|caution)\][ \t]*(?:\n|$)/i.exec(first.value);
    const kind = match?.[1]?.toLowerCase();
    if (match === null || kind === undefined) return;
    first.value = first.value.slice(match[0].length);
    if (first.value === '' && paragraph.children.length === 1) {
      element.children.splice(element.children.indexOf(paragraph), 1);
    }
    element.properties = { className: ['alert', `alert-${kind}`] };
    element.children.unshift({
      type: 'element',
      tagName: 'p',
      properties: { className: ['alert-title'] },
      children: [{ type: 'text', value: titleOfBlock(kind, titles) }],
    });
  });
}
