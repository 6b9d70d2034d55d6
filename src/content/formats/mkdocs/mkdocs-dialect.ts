import { type Dialect, expandIndented } from '../../dialect/index.ts';
import { mkdocsIncludes } from './mkdocs-includes.ts';
import { mkdocsReading } from './mkdocs-reading.ts';

type HeadingOptions = Parameters<typeof mkdocsReading>[0];

/** The options of MkDocs without configuration. */
const DEFAULTS: HeadingOptions = {
  slugs: 'ascii',
  separator: '-',
  attributes: true,
  snippets: true,
  templates: false,
};

/** The key of a reading contains its options. */
export function mkdocsDialect(key: string): Dialect {
  const options = optionsOf(key);
  return {
    reading: mkdocsReading(options),
    math: 'strict',
    hasDefinitionLists: true,
    hasAttributeLists: options.attributes,
    hasEmojiNames: true,
    expand: expandIndented,
    ...(options.snippets ? { findIncludes: mkdocsIncludes } : {}),
  };
}

function optionsOf(key: string): HeadingOptions {
  const [slugs, separator, attributes, snippets, templates, insideHtml, tabs] = parse(
    key.slice('mkdocs:'.length),
  );
  const known: readonly unknown[] = ['ascii', 'unicode', 'words', 'lower-words', 'unknown'];
  return {
    slugs: known.includes(slugs) ? (slugs as HeadingOptions['slugs']) : DEFAULTS.slugs,
    separator: typeof separator === 'string' ? separator : DEFAULTS.separator,
    attributes: typeof attributes === 'boolean' ? attributes : DEFAULTS.attributes,
    snippets: typeof snippets === 'boolean' ? snippets : DEFAULTS.snippets,
    templates: typeof templates === 'boolean' ? templates : DEFAULTS.templates,
    insideHtml: insideHtml === true,
    ...(tabs === 'named' || tabs === 'unknown' ? { tabs } : {}),
  };
}

function parse(text: string): readonly unknown[] {
  try {
    const values: unknown = JSON.parse(text);
    return Array.isArray(values) ? values : [];
  } catch {
    return [];
  }
}
