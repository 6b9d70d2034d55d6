import type { Parents, Root } from 'hast';
import { type ApiStyle, apiStyleOf } from './api-styles.ts';
import { hasClass, textOf, walkElements } from './hast-elements.ts';

/** A heading in the outline of a page. */
export interface OutlineEntry {
  readonly id: string;
  readonly text: string;
  /** 1 to 6. */
  readonly level: number;
  /** Absent for what all readers see. */
  readonly apiStyle?: ApiStyle;
}

/** Headings beyond this number are left out. */
const MAX_ENTRIES = 200;

/** Returns the headings that have an id, in their order. */
export function outlineOf(root: Root): readonly OutlineEntry[] {
  const entries: OutlineEntry[] = [];
  const styles = new Map<Parents, ApiStyle>();
  walkElements(root, (element, parent) => {
    const apiStyle = styles.get(parent) ?? apiStyleOf(element);
    if (apiStyle !== null) styles.set(element, apiStyle);
    const level = /^h([1-6])$/.exec(element.tagName)?.[1];
    const { id } = element.properties;
    if (level === undefined || typeof id !== 'string' || entries.length >= MAX_ENTRIES) return;
    if (hasClass(element, 'sr-only')) return;
    const text = textOf(element).replace(/\s+/g, ' ').trim();
    if (text === '') return;
    entries.push({ id, text, level: Number(level), ...(apiStyle === null ? {} : { apiStyle }) });
  });
  return entries;
}
