import type { Element, ElementContent } from 'hast';
import { hasClass, walkElements } from '../hast-elements.ts';
import { box } from './block-elements.ts';

interface Column {
  readonly isHidden: boolean;
  readonly isTarget: boolean;
  readonly isCover: boolean;
}

/**
 * Converts GitBook's cards, a table whose head defines its columns: `data-card-target` contains the card's link,
 * `data-card-cover` its image; other columns with `data-hidden` are not shown.
 */
export function cardsOf(table: Element): ElementContent[] {
  const rows = elementsIn(table).flatMap((part) => (part.tagName === 'tr' ? [part] : elementsIn(part)));
  const [head, ...records] = rows.filter((row) => row.tagName === 'tr');
  if (head === undefined || records.length === 0) return [table];
  const columns = elementsIn(head).map(readColumn);
  return [
    box(
      'div',
      'cards',
      records.map((record) => cardOf(elementsIn(record), columns)),
    ),
  ];
}

function cardOf(cells: readonly Element[], columns: readonly Column[]): Element {
  const parts: ElementContent[] = [];
  let target: unknown;
  let cover: string | undefined;
  cells.forEach((cell, at) => {
    const column = columns[at];
    if (column?.isCover === true) {
      // One for the other theme would be a second picture.
      cover ??= linkIn(cell);
    } else if (column?.isTarget === true) target ??= linkIn(cell);
    else if (column?.isHidden !== true && cell.children.length > 0) {
      const isEmpty = !hasWords(cell) && !containsPicture(cell);
      parts.push(box('div', isEmpty ? 'card-icon' : 'card-part', cell.children));
    }
  });
  if (cover !== undefined)
    parts.unshift({ type: 'element', tagName: 'img', properties: { src: cover }, children: [] });
  if (typeof target !== 'string') return box('div', 'card', parts);
  const link: Element = { type: 'element', tagName: 'a', properties: { href: target }, children: [] };
  const words = parts.find((part): part is Element => part.type === 'element' && hasWords(part));
  // The first text of the card links to its target; a card without text, or with icons alone, shows the target itself.
  if (words === undefined)
    return box('div', 'card', [...parts, { ...link, children: [{ type: 'text', value: target }] }]);
  if (containsLink(words))
    return box('div', 'card', [
      ...parts,
      box('p', 'card-more', [{ ...link, children: [{ type: 'text', value: 'Open' }] }]),
    ]);
  words.children = [{ ...link, children: words.children }];
  return box('div', 'card', parts);
}

function readColumn({ properties }: Element): Column {
  return {
    isHidden: properties['dataHidden'] !== undefined,
    isTarget: properties['dataCardTarget'] !== undefined,
    isCover: properties['dataCardCover'] !== undefined || properties['dataCardCoverDark'] !== undefined,
  };
}

/** Whether anything in a part is read: the text of an icon only names it. */
function hasWords(part: Element): boolean {
  const stack: ElementContent[] = [part];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node.type === 'text' && node.value.trim() !== '') return true;
    if (node.type !== 'element' || (node.tagName === 'span' && hasClass(node, 'icon'))) continue;
    if (typeof node.properties['alt'] === 'string' && node.properties['alt'].trim() !== '') return true;
    for (const child of node.children) stack.push(child);
  }
  return false;
}

function containsPicture(element: Element): boolean {
  let isFound = false;
  walkElements({ type: 'root', children: [element] }, ({ tagName }) => {
    if (tagName === 'img') isFound = true;
  });
  return isFound;
}

function linkIn(element: Element): string | undefined {
  const link = firstLink(element);
  const address = link?.tagName === 'img' ? link.properties['src'] : link?.properties['href'];
  return typeof address === 'string' && address !== '' ? address : undefined;
}

function containsLink(element: Element): boolean {
  return firstLink(element) !== undefined;
}

function firstLink(element: Element): Element | undefined {
  const stack: ElementContent[] = element.children.toReversed();
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node.type !== 'element') continue;
    if (node.tagName === 'a' || node.tagName === 'img') return node;
    stack.push(...node.children.toReversed());
  }
  return undefined;
}

function elementsIn(element: Element): Element[] {
  return element.children.filter((child): child is Element => child.type === 'element');
}
