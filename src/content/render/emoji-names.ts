import { nameToEmoji } from 'gemoji';
import type { Root } from 'hast';
import { hasClass, walkElements } from './hast-elements.ts';

/** A name between colons that no letter or digit touches, so that `10:100:30` is none. */
const NAME = /(?<![\p{L}\p{N}:])(?::([a-z0-9_+-]{1,60}):)(?![\p{L}\p{N}:])/giu;

/** What is shown as written. */
const LITERAL = /^(?:code|pre|kbd|samp|math)$/;

/** Writes emoji in the place of their short names, `:tada:`, as GitHub knows them; other words between colons stay. */
export function withEmoji(text: string): string {
  if (!text.includes(':')) return text;
  return text.replace(NAME, (written, name: string) => {
    const key = name.toLowerCase();
    return (Object.hasOwn(nameToEmoji, key) ? nameToEmoji[key] : undefined) ?? written;
  });
}

/** The same in the text of a page. Runs after headings were named, since builders name them by the short names. */
export function writeEmoji(root: Root): void {
  const literal = new Set<unknown>();
  walkElements(root, (element, parent) => {
    if (literal.has(parent) || LITERAL.test(element.tagName) || hasClass(element, 'math')) {
      literal.add(element);
      return;
    }
    for (const child of element.children) if (child.type === 'text') child.value = withEmoji(child.value);
  });
}
