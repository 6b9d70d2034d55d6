import type { HeadingNamer } from '../../facts/heading-names.ts';
import { splitHeadingAttributes } from '../heading-attributes.ts';
import { UniqueNames } from '../unique-names.ts';

/**
 * VitePress's heading ids: an explicit `{#id}`, else the text through `slugify`, repeats counted with `-1`, `-2`
 * (https://vitepress.dev/guide/markdown#header-anchors). Shortcodes of emoji are no text.
 */
export function vitepressHeadings(): HeadingNamer {
  const used = new UniqueNames();
  return {
    name(said) {
      const { text, id: explicit } = splitHeadingAttributes(said);
      if (explicit !== null) {
        used.add(explicit);
        return { names: [explicit], text };
      }
      const id = slugify(text.replace(/:[a-z0-9_+-]{1,60}:/g, ''));
      const name = used.take(id);
      return { names: name === '' ? [] : [name], text };
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
