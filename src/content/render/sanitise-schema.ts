import { defaultSchema, type Options } from 'rehype-sanitize';
import { MARKDOWN_HEADING } from './to-hast.ts';

/** Attributes of forms and keyboard control, which a page of documentation does not need. */
const NOT_ON_PAGES: ReadonlySet<unknown> = new Set([
  'accept',
  'acceptCharset',
  'accessKey',
  'action',
  'checked',
  'encType',
  'htmlFor',
  'isMap',
  'itemProp',
  'label',
  'maxLength',
  'media',
  'method',
  'multiple',
  'name',
  'prompt',
  'readOnly',
  'selected',
  'tabIndex',
  'useMap',
  'value',
]);

/** The classes of rendered blocks; the style sheet and the document writer use them. */
const BLOCKS =
  /^(?:hint(?:-(?:title|info|success|warning|danger))?|tabs?|tab-title|stepper|step|columns?|code|content-ref|include|embed|file|openapi|updates?|update-date|prompt|cards?|card-(?:title|part|more|icon)|badge|icon|math|block-title|button|primary|secondary|file-tree|read-more|video|options-api|composition-api|fields|panel|method|type|required|operation(?:-(?:name|head|text|samples))?)$/;

const { '*': everywhere = [], ...perElement } = defaultSchema.attributes ?? {};

/**
 * The HTML that a page may contain: the elements and attributes that GitHub allows, except those of forms. Ids stay as
 * written, because fragments lead to them. Pages run no scripts, so an id cannot shadow a global variable, and
 * `assignIds` removes ids of the page's own frame.
 */
export const sanitiseSchema: Options = {
  ...defaultSchema,
  attributes: {
    ...perElement,
    a: [...(perElement['a'] ?? []).filter(isNoClass), ['className', 'data-footnote-backref', BLOCKS], 'name'],
    ...Object.fromEntries(
      ['div', 'details', 'figure', 'ol', 'p', 'span', 'summary', 'ul'].map((name) => [
        name,
        [...(perElement[name] ?? []).filter(isNoClass), ['className', 'contains-task-list', BLOCKS]],
      ]),
    ),
    code: [...(perElement['code'] ?? []), ['dataLines', /^[\d +-]+$/]],
    li: [['className', 'task-list-item', BLOCKS]],
    section: ['dataFootnotes', ['className', 'footnotes', BLOCKS]],
    ...Object.fromEntries([1, 3, 4, 5, 6].map((level) => [`h${level}`, [MARKDOWN_HEADING]])),
    h2: [...(perElement['h2'] ?? []), MARKDOWN_HEADING],
    input: [
      ['disabled', true],
      ['type', 'checkbox'],
      ['checked', true],
    ],
    source: ['srcSet', 'media'],
    '*': everywhere.filter((attribute) => !NOT_ON_PAGES.has(attribute)),
  },
  tagNames: [
    ...(defaultSchema.tagNames ?? []),
    'abbr',
    'caption',
    'dfn',
    'figcaption',
    'figure',
    'mark',
    'u',
  ],
  // Only task lists have checkboxes.
  ancestors: { ...defaultSchema.ancestors, input: ['li'] },
  clobber: [],
  protocols: { ...defaultSchema.protocols, href: ['http', 'https', 'mailto', 'tel'] },
  strip: [
    ...(defaultSchema.strip ?? []),
    'style',
    'textarea',
    'title',
    'noscript',
    'template',
    'iframe',
    'object',
  ],
};

/** The same with the parts of a hero, which are made of front matter alone. */
export const heroSchema: Options = {
  ...sanitiseSchema,
  attributes: {
    ...sanitiseSchema.attributes,
    div: [['className', 'welcome', 'welcome-words', 'card', 'cards']],
    p: [['className', /^welcome-(?:lead|tagline|actions)$/, 'card-title']],
    img: ['src', 'alt', ['className', 'if-light', 'if-dark']],
  },
};

function isNoClass(definition: unknown): boolean {
  return !Array.isArray(definition) || definition[0] !== 'className';
}
