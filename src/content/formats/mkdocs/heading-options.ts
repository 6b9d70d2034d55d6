import { asList, asRecord, asText } from '../untyped-values.ts';
import { readPageParts } from './page-parts.ts';
import { plainName } from './plugins.ts';
import type { Named } from './yaml-values.ts';

/** The settings that decide the anchors of a page. */
export interface HeadingOptions {
  readonly slugs: 'ascii' | 'unicode' | 'words' | 'lower-words' | 'unknown';
  readonly separator: string;
  /** Whether `{#id}` names a heading. */
  readonly attributes: boolean;
  /** Whether `--8<--` includes files. */
  readonly snippets: boolean;
  /** Whether pages are templates, in which `{{ … }}`, `{% … %}` and marks such as `#NAME#` may add anything. */
  readonly templates: boolean;
  /** Whether Markdown inside HTML elements with the attribute `markdown` is read. */
  readonly insideHtml?: boolean;
  /** Whether a plugin lists the pages of each tag, below headings `tag:name`. */
  readonly listsTags?: boolean;
  /** How the anchors of tabs (`=== "Title"`) are named: like headings, or unknown; absent when tabs have none. */
  readonly tabs?: 'named' | 'unknown';
}

const TEMPLATE_PLUGINS = ['macros', 'include-markdown', 'markdownextradata', 'table-reader', 'codeinclude'];

/** Extensions that enable several others. */
const EXTRA = ['extra', 'markdown.extensions.extra', 'pymdownx.extra'];

export function headingOptions(
  extensions: readonly Named[],
  plugins: readonly Named[],
  hooks: unknown,
  texts: readonly string[],
): HeadingOptions {
  const has = (...names: readonly string[]) => extensions.some((extension) => names.includes(extension.name));
  const toc = extensions.find(
    (extension) => extension.name === 'toc' || extension.name === 'markdown.extensions.toc',
  );
  return {
    slugs: slugsOf(toc?.options ?? {}, texts),
    separator: asText(toc?.options['separator']) ?? '-',
    attributes: has('attr_list', 'markdown.extensions.attr_list', ...EXTRA),
    snippets: has('pymdownx.snippets'),
    // A hook may fill in what pages leave to it.
    templates:
      asList(hooks).length > 0 ||
      readPageParts(plugins, extensions) !== null ||
      plugins.some((plugin) => TEMPLATE_PLUGINS.includes(plugin.name)),
    insideHtml: has('md_in_html', 'markdown.extensions.md_in_html', ...EXTRA),
    ...(plugins.some((plugin) => plainName(plugin) === 'tags') ? { listsTags: true } : {}),
    ...tabsOf(extensions),
  };
}

/** https://facelessuser.github.io/pymdown-extensions/extensions/tabbed/#options */
function tabsOf(extensions: readonly Named[]): Pick<HeadingOptions, 'tabs'> {
  const options = extensions.find((extension) => extension.name === 'pymdownx.tabbed')?.options ?? {};
  if (options['slugify'] === undefined) return {};
  return { tabs: options['combine_header_slug'] === true ? 'unknown' : 'named' };
}

/** The function that names headings is a YAML tag, which parsed values do not contain, so the texts are searched. */
function slugsOf(
  options: Readonly<Record<string, unknown>>,
  texts: readonly string[],
): HeadingOptions['slugs'] {
  if (options['slugify'] === undefined) return 'ascii';
  const tag = texts.map((text) => /^[ \t-]*slugify:[ \t]*(\S+)/m.exec(text)?.[1]).find(Boolean) ?? '';
  if (tag.endsWith('toc.slugify_unicode')) return 'unicode';
  if (tag.endsWith('toc.slugify')) return 'ascii';
  // Browsers find an id with percent signs by a fragment with the letters themselves, too.
  if (/pymdownx\.slugs\.(?:uslugify|gfm)(?:_encoded)?$/.test(tag)) return 'lower-words';
  if (/pymdownx\.slugs\.uslugify_cased(?:_encoded)?$/.test(tag)) return 'words';
  if (!tag.endsWith('pymdownx.slugs.slugify')) return 'unknown';
  const kwds = asRecord(asRecord(options['slugify'])['kwds']);
  return kwds['case'] === undefined || kwds['case'] === 'none' ? 'words' : 'lower-words';
}
