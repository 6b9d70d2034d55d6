import { type DefaultTreeAdapterMap, parseFragment } from 'parse5';

type Node = DefaultTreeAdapterMap['node'];

/** The text of HTML without what is in elements of this kind. */
export function fromHtml(html: string, without: string): string {
  const textOf = (node: Node): string => {
    if ('value' in node) return node.value;
    if ('tagName' in node && node.tagName === without) return '';
    return 'childNodes' in node ? node.childNodes.map(textOf).join('') : '';
  };
  return textOf(parseFragment(html));
}
