import type { Root } from 'hast';
import { textOf, walkElements } from './walk-elements.ts';

/** A heading of a page, for a list of what is on it. */
export interface OutlineEntry {
  readonly id: string;
  readonly text: string;
  /** 1 to 6. */
  readonly level: number;
}

/** Headings beyond this number help nobody to find their way. */
const MAX_ENTRIES = 200;

/** The headings that fragments can name, in their order. */
export function outlineOf(root: Root): readonly OutlineEntry[] {
  const entries: OutlineEntry[] = [];
  walkElements(root, (element) => {
    const level = /^h([1-6])$/.exec(element.tagName)?.[1];
    const { id, className } = element.properties;
    if (level === undefined || typeof id !== 'string' || entries.length >= MAX_ENTRIES) return;
    if (Array.isArray(className) && className.includes('sr-only')) return;
    const text = textOf(element).replace(/\s+/g, ' ').trim();
    if (text !== '') entries.push({ id, text, level: Number(level) });
  });
  return entries;
}
