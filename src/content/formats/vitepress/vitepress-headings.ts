import type { HeadingNamer } from '../../text/index.ts';
import { splitHeadingAttributes } from '../heading-attributes.ts';
import { UniqueNames } from '../unique-names.ts';

/**
 * Names headings as VitePress does: an explicit `{#id}`, or else the text through `slugify`, repeats numbered with `-1`,
 * `-2` (https://vitepress.dev/guide/markdown#header-anchors). Shortcodes of emoji are left out. HTML headings only have
 * explicit ids.
 */
export function vitepressHeadings(): HeadingNamer {
  const used = new UniqueNames();
  return {
    leavesHtml: true,
    name(written) {
      const { text, id: explicit } = splitHeadingAttributes(written);
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

/** The shortcode of an emoji, `:tada:`; other words between colons look the same. */
const SHORTCODE = /:[a-z0-9_+-]{1,60}:/g;

/** Characters that authors write as references, such as `&mdash;`, whose names newer releases keep in ids. */
const REFERENCES: Readonly<Record<string, string>> = {
  '—': 'mdash',
  '–': 'ndash',
  '…': 'hellip',
  '\u00a0': 'nbsp',
  '→': 'rarr',
  '←': 'larr',
  '↔': 'harr',
  '×': 'times',
  '·': 'middot',
  '•': 'bull',
  '©': 'copy',
  '®': 'reg',
  '™': 'trade',
  '‘': 'lsquo',
  '’': 'rsquo',
  '“': 'ldquo',
  '”': 'rdquo',
};

const ENTITIES: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot' };

/**
 * Further readings of a text: with shortcodes as plain text, and with characters as references, which newer releases keep
 * as they are written.
 */
function alternativeReadings(text: string): readonly string[] {
  const asEntities = text.replace(/[&<>"]/g, (character) => `&${ENTITIES[character]};`);
  return [text, asEntities, withReferences(text), withReferences(asEntities)].filter(
    (candidate) => candidate !== text || text.replace(SHORTCODE, '') !== text,
  );
}

function withReferences(text: string): string {
  return text.replace(/[^\0-\u009f]/g, (character) => {
    const name = REFERENCES[character];
    return name === undefined ? character : `&${name};`;
  });
}

const CONTROL = /[\p{Cc}]/gu;
const COMBINING = /[\u0300-\u036f]/g;
const SPECIAL = /[\s~`!@#$%^&*()\-_+=[\]{}|\\;:"'“”‘’<>,.?/]+/g;

/**
 * VitePress 2 also applies it to the fragments of Markdown links, so that `#Getting Started` leads to `getting-started`.
 */
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
