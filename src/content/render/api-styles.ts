import type { Element } from 'hast';
import { hasClass } from './hast-elements.ts';

/** The parts of pages of vuejs.org for the two styles of its API, of which readers see one. */
export const API_STYLES = ['options-api', 'composition-api'] as const;

export type ApiStyle = (typeof API_STYLES)[number];

/** The style for which an element is; null for both. */
export function apiStyleOf(element: Element): ApiStyle | null {
  return API_STYLES.find((style) => hasClass(element, style)) ?? null;
}
