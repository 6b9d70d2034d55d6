import type { Element, ElementContent, Parents, Root } from 'hast';
import { element, hasClass, isElement, walkElements } from './hast-elements.ts';

/**
 * What pages of published sites have beyond others: the text of a heading links to the heading, and the tabs of a block have
 * one name, so that browsers keep one of them open. Runs on the finished tree, in linear time.
 */
export function fitForSite(root: Root): void {
  let blocks = 0;
  // A link inside of something that is clicked would be a control in a control.
  const inControl = new Set<Parents>();
  walkElements(root, (current, parent) => {
    if (inControl.has(parent) || current.tagName === 'a' || current.tagName === 'summary')
      inControl.add(current);
    else if (/^h[2-6]$/.test(current.tagName)) linkHeading(current);
    if (current.tagName === 'div' && hasClass(current, 'tabs')) nameTabs(current, `tabs-${++blocks}`);
  });
}

function linkHeading(heading: Element): void {
  const { id } = heading.properties;
  if (typeof id !== 'string' || hasClass(heading, 'sr-only')) return;
  const targets = heading.children.filter(isTarget);
  const words = heading.children.filter((child) => !isTarget(child));
  if (words.some(containsControl)) return;
  const href = `#${encodeURIComponent(id)}`;
  heading.children = [...targets, element('a', words, { className: ['anchor'], href })];
}

/** Whether something only names the place where it is. */
function isTarget(node: ElementContent): boolean {
  return node.type === 'element' && node.tagName === 'a' && node.children.length === 0;
}

function containsControl(node: ElementContent): boolean {
  let isFound = false;
  walkElements({ type: 'root', children: [node] }, ({ tagName }) => {
    if (/^(?:a|summary|input)$/.test(tagName)) isFound = true;
  });
  return isFound;
}

function nameTabs(block: Element, name: string): void {
  for (const tab of block.children.filter(isElement)) {
    if (tab.tagName === 'details' && hasClass(tab, 'tab')) tab.properties['name'] = name;
  }
}
