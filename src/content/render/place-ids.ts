import GithubSlugger from 'github-slugger';
import type { Element, Root } from 'hast';
import { headingNames } from '../facts/heading-names.ts';
import { textOf, walkElements } from './walk-elements.ts';

/**
 * Gives every heading the anchor that GitHub gives it, as `readFacts` reads them, and keeps explicit ids where
 * they are free. An id of the frame around the page (`reserved` is their common start) is dropped, and of two equal
 * ids the first one stays, because a fragment leads to the first.
 */
export function placeIds(root: Root, reserved: string): void {
  const slugger = new GithubSlugger();
  const taken = new Set<string>();
  const take = (id: string): boolean => {
    if (id === '' || taken.has(id) || (reserved !== '' && id.startsWith(reserved))) return false;
    taken.add(id);
    return true;
  };
  // Put in when the walk is over, or it would meet them and take their ids away again.
  const inserted: (() => void)[] = [];
  walkElements(root, (element) => {
    const explicit = nameOf(element, 'id');
    const name = nameOf(element, 'name');
    delete element.properties['name'];
    delete element.properties['id'];
    const names = [explicit, name === explicit ? '' : name];
    if (/^h[1-6]$/.test(element.tagName) && !isFootnoteLabel(element)) {
      names.unshift(...headingNames(slugger, textOf(element)));
    }
    // Fragments are sought in lower case, see `toFragment`.
    names.push(...names.map((one) => one.toLowerCase()));
    const [first, ...more] = names.filter(take);
    if (first !== undefined) element.properties['id'] = first;
    if (more.length > 0) inserted.push(() => element.children.unshift(...more.map(anchor)));
  });
  for (const insert of inserted) insert();
}

/**
 * The fragment that leads to an anchor of a rendered page. GitHub finds an anchor whatever the case, with or without
 * the prefix that it puts before ids itself; browsers do not, so rendered pages have every id in lower case too.
 */
export function toFragment(anchor: string): string {
  const name = anchor.toLowerCase();
  return `#${encodeURIComponent(name.replace(/^user-content-/, ''))}`;
}

function nameOf(element: Element, property: 'id' | 'name'): string {
  const value = element.properties[property];
  return typeof value === 'string' ? value : '';
}

function anchor(id: string): Element {
  return { type: 'element', tagName: 'span', properties: { id }, children: [] };
}

/** The heading over the footnotes is not the author's. */
function isFootnoteLabel(element: Element): boolean {
  const { className } = element.properties;
  return Array.isArray(className) && className.includes('sr-only');
}
