import type { Root } from 'hast';
import { hasClass, textOf, walkElements } from './hast-elements.ts';

/** A heading in the outline of a page. */
export interface OutlineEntry {
  readonly id: string;
  readonly text: string;
  /** 1 to 6. */
  readonly level: number;
}

/** Headings beyond this number are left out. */
const MAX_ENTRIES = 200;

/** Returns the headings that have an id, in their order. */
export function outlineOf(root: Root): readonly OutlineEntry[] {
  const entries: OutlineEntry[] = [];
  walkElements(root, (element) => {
    const level = /^h([1-6])$/.exec(element.tagName)?.[1];
    const { id } = element.properties;
    if (level === undefined || typeof id !== 'string' || entries.length >= MAX_ENTRIES) return;
    if (hasClass(element, 'sr-only')) return;
    const text = textOf(element).replace(/\s+/g, ' ').trim();
    if (text !== '') entries.push({ id, text, level: Number(level) });
  });
  return entries;
}
