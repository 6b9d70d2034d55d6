import type { Element, Nodes, Parents, Root } from 'hast';
import { hasClass, isElement, walkElements } from './hast-elements.ts';

/** The longest name of a task's box, in UTF-16 code units. */
const MAX_TASK_NAME = 150;

/**
 * Completes what authors cannot or need not write for people who use a keyboard or a screen reader: code, tables and formulas
 * that are wider than the page can be scrolled with the keyboard, the boxes of tasks have names, and what has no words is no
 * link, no heading and no head of a column. Ids stay where they are. Runs on the finished tree, in linear time.
 */
export function makeAccessible(root: Root): void {
  const inControl = new Set<Parents>();
  walkElements(root, (current, parent) => {
    const isInside = inControl.has(parent);
    if (isInside || current.tagName === 'a' || current.tagName === 'summary') inControl.add(current);
    const { tagName, properties } = current;
    // What has a key of its own may not be inside of something that is clicked.
    if (scrolls(current)) properties['tabIndex'] = isInside ? undefined : 0;
    else if (tagName === 'li') nameTask(current);
    else if (tagName === 'img') properties['alt'] ??= '';
    else if (tagName === 'a') nameLink(current);
    else if (/^h[1-6]$/.test(tagName) && !hasName(current)) current.tagName = 'div';
    else if (tagName === 'th' && !hasName(current)) current.tagName = 'td';
  });
}

/** Whether the stylesheet lets an element scroll when it is wider than the page. */
function scrolls(element: Element): boolean {
  const { tagName } = element;
  return tagName === 'pre' || tagName === 'table' || (tagName === 'div' && hasClass(element, 'math'));
}

/** The box of a task has the name of its item: browsers read it with its state. */
function nameTask(item: Element): void {
  const [first] = item.children.filter(isElement);
  const boxes = first?.tagName === 'p' ? first.children : item.children;
  for (const box of boxes) {
    if (!isElement(box) || box.tagName !== 'input') continue;
    box.properties['ariaLabel'] = ownWordsOf(item) || 'Task';
  }
}

/** The text of an item without the lists in it. */
function ownWordsOf(item: Element): string {
  let words = '';
  const stack: Nodes[] = item.children.toReversed();
  for (let node = stack.pop(); node && words.length < MAX_TASK_NAME; node = stack.pop()) {
    if (node.type === 'text') words += node.value.slice(0, 2 * MAX_TASK_NAME);
    else if (node.type === 'element' && !/^(?:ul|ol|pre|table)$/.test(node.tagName))
      stack.push(...node.children.toReversed());
  }
  return words.replace(/\s+/g, ' ').trim().slice(0, MAX_TASK_NAME).toWellFormed();
}

/** A link around a picture without words is named by where it leads; without anything in it, it is only an anchor. */
function nameLink(link: Element): void {
  const { href, title, ariaLabel } = link.properties;
  if (typeof href !== 'string' || hasName(link)) return;
  if ([title, ariaLabel].some(isWords)) return;
  if (containsPicture(link)) {
    link.properties['ariaLabel'] = href;
    return;
  }
  link.tagName = 'span';
  link.properties = { ...(link.properties['id'] === undefined ? {} : { id: link.properties['id'] }) };
}

/** Whether an element contains words, or a picture with an alternative text. */
function hasName(parent: Element): boolean {
  return contains(parent, (node) =>
    node.type === 'text'
      ? node.value.trim() !== ''
      : node.type === 'element' && [node.properties['alt'], node.properties['ariaLabel']].some(isWords),
  );
}

function isWords(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}

function containsPicture(parent: Element): boolean {
  return contains(parent, (node) => node.type === 'element' && node.tagName === 'img');
}

function contains(parent: Element, fits: (node: Nodes) => boolean): boolean {
  const stack: Nodes[] = [...parent.children];
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (fits(node)) return true;
    if (node.type === 'element') for (const child of node.children) stack.push(child);
  }
  return false;
}
