import { defaultSchema, type Options } from 'rehype-sanitize';

/** Attributes of forms and keyboards, which a page of documentation has no use for. */
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

const { '*': everywhere = [], ...perElement } = defaultSchema.attributes ?? {};

/**
 * What of a page's HTML reaches readers: the elements and attributes that GitHub allows too, less those for forms.
 * Ids stay as their authors wrote them, because fragments lead to them; pages run no scripts, so an id cannot
 * stand in for a global variable, and ids of the page's own frame are kept away in `placeIds`.
 */
export const sanitiseSchema: Options = {
  ...defaultSchema,
  attributes: {
    ...perElement,
    a: [...(perElement['a'] ?? []), 'name'],
    input: [
      ['disabled', true],
      ['type', 'checkbox'],
      ['checked', true],
    ],
    source: ['srcSet', 'media'],
    '*': everywhere.filter((attribute) => !NOT_ON_PAGES.has(attribute)),
  },
  // Task lists have boxes; elsewhere a box would only look like one.
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
