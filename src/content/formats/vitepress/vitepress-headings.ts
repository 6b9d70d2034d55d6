import type { HeadingNamer } from '../../text/index.ts';
import { splitHeadingAttributes } from '../heading-attributes.ts';
import { UniqueNames } from '../unique-names.ts';

/**
 * VitePress's heading ids: an explicit `{#id}`, else the text through `slugify`, repeats counted with `-1`, `-2`
 * (https://vitepress.dev/guide/markdown#header-anchors). Shortcodes of emoji are no text.
 * Headings of HTML have the ids that they give themselves.
 */
export function vitepressHeadings(): HeadingNamer {
  const used = new UniqueNames();
  return {
    leavesHtml: true,
    name(said) {
      const { text, id: explicit } = splitHeadingAttributes(said);
      if (explicit !== null) {
        used.reserve(explicit);
        return { names: [explicit], text };
      }
      const name = used.next(slugify(text.replace(SHORTCODE, '')));
      const names = new Set([name, ...alternativeReadings(text).map(slugify)]);
      return { names: [...names].filter((candidate) => candidate !== ''), text };
    },
  };
}

/** An emoji by its name; words between colons that name none are text. */
const SHORTCODE = /:[a-z0-9_+-]{1,60}:/g;

/** What is text where a shortcode names no emoji, and where the author wrote marks as entities, which newer releases keep. */
function alternativeReadings(text: string): readonly string[] {
  const entities: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
  };
  const asEntities = text.replace(/[&<>"]/g, (mark) => entities[mark] ?? mark);
  return [text, asEntities].filter((candidate) => candidate !== text || text.replace(SHORTCODE, '') !== text);
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
