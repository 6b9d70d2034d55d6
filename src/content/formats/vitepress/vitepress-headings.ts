import type { HeadingNamer } from '../../facts/heading-names.ts';

/** `{#id .class}` at the end of a heading. */
const ATTRIBUTES = /\s*\{\s*((?:[#.][\w:.-]+|[\w-]+=(?:"[^"]*"|\S+)|\s+)+)\}\s*$/;

/**
 * VitePress's heading ids: an explicit `{#id}`, else the text through `slugify`, repeats counted with `-1`, `-2`
 * (https://vitepress.dev/guide/markdown#header-anchors). Shortcodes of emoji are no text.
 */
export function vitepressHeadings(): HeadingNamer {
  const used = new Set<string>();
  return {
    name(text) {
      const attributes = ATTRIBUTES.exec(text);
      const plain = attributes === null ? text : text.slice(0, attributes.index);
      const explicit = /(?:^|\s)#([^\s.]+)/.exec(attributes?.[1] ?? '')?.[1];
      if (explicit !== undefined) {
        used.add(explicit);
        return { names: [explicit], text: plain };
      }
      const id = slugify(plain.replace(/:[a-z0-9_+-]+:/g, ''));
      let name = id;
      for (let count = 1; used.has(name); count += 1) name = `${id}-${count}`;
      used.add(name);
      return { names: name === '' ? [] : [name], text: plain };
    },
  };
}

const CONTROL = /[\p{Cc}]/gu;
const COMBINING = /[\u0300-\u036f]/g;
const SPECIAL = /[\s~`!@#$%^&*()\-_+=[\]{}|\\;:"'“”‘’<>,.?/]+/g;

/** Also what VitePress makes of the fragment of a Markdown link, so that `#Getting Started` leads to `getting-started`. */
export function slugify(text: string): string {
  return text
    .normalize('NFKD')
    .replace(COMBINING, '')
    .replace(CONTROL, '')
    .replace(SPECIAL, '-')
    .replace(/-{2,}/g, '-')
    .replace(/^-+|-+$/g, '')
    .replace(/^(\d)/, '_$1')
    .toLowerCase();
}
