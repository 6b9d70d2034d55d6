import type { Element, Root } from 'hast';
import { walkElements } from './hast-elements.ts';

/** Attributes whose values are ids, with spaces between them. */
const REFERENCES = ['ariaDescribedBy', 'ariaLabelledBy', 'ariaControls'] as const;

/** Begins all ids of a page, and what refers to them, with a prefix, so that pages can be in one document. */
export function prefixIds(root: Root, prefix: string): void {
  walkElements(root, ({ properties }: Element) => {
    const { id, href } = properties;
    if (typeof id === 'string') properties['id'] = `${prefix}${id}`;
    if (typeof href === 'string' && href.startsWith('#')) properties['href'] = `#${prefix}${href.slice(1)}`;
    for (const name of REFERENCES) {
      const ids: unknown = properties[name];
      if (ids !== undefined && ids !== null)
        properties[name] = String(ids)
          .split(/[\s,]+/)
          .map((one) => `${prefix}${one}`);
    }
  });
}

/** Loads all pictures at once: browsers print those that are there. */
export function loadAllPictures(root: Root): void {
  walkElements(root, ({ tagName, properties }) => {
    if (tagName === 'img') delete properties['loading'];
  });
}
