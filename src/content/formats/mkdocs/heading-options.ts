import { asRecord, asText, type Named } from './yaml-values.ts';

/** What decides the anchors of a page. */
export interface HeadingOptions {
  readonly slugs: 'ascii' | 'unicode' | 'words' | 'lower-words' | 'unknown';
  readonly separator: string;
  /** `{#id}` names a heading. */
  readonly attributes: boolean;
  /** `--8<--` includes files. */
  readonly snippets: boolean;
  /** Pages are templates, so that `{{ … }}` and `{% … %}` may add anything. */
  readonly templates: boolean;
  /** Markdown inside of HTML elements with the attribute `markdown` is read. */
  readonly insideHtml?: boolean;
  /** Tabs (`=== "Title"`) have anchors: named as headings are, or in a way that is not known; none when left out. */
  readonly tabs?: 'named' | 'unknown';
}

const TEMPLATE_PLUGINS = ['macros', 'include-markdown', 'markdownextradata', 'table-reader', 'codeinclude'];

/** Names under which the extensions that come with others are switched on. */
const EXTRA = ['extra', 'markdown.extensions.extra', 'pymdownx.extra'];

export function headingOptions(
  extensions: readonly Named[],
  plugins: readonly Named[],
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
    templates: plugins.some((plugin) => TEMPLATE_PLUGINS.includes(plugin.name)),
    insideHtml: has('md_in_html', 'markdown.extensions.md_in_html', ...EXTRA),
    ...tabsOf(extensions),
  };
}

/** https://facelessuser.github.io/pymdown-extensions/extensions/tabbed/#options */
function tabsOf(extensions: readonly Named[]): Pick<HeadingOptions, 'tabs'> {
  const options = extensions.find((extension) => extension.name === 'pymdownx.tabbed')?.options ?? {};
  if (options['slugify'] === undefined) return {};
  return { tabs: options['combine_header_slug'] === true ? 'unknown' : 'named' };
}

/** The function that names headings stands as a YAML tag, which values do not show. */
function slugsOf(
  options: Readonly<Record<string, unknown>>,
  texts: readonly string[],
): HeadingOptions['slugs'] {
  if (options['slugify'] === undefined) return 'ascii';
  const tag = texts.map((text) => /^[ \t-]*slugify:[ \t]*(\S+)/m.exec(text)?.[1]).find(Boolean) ?? '';
  if (tag.endsWith('toc.slugify_unicode')) return 'unicode';
  if (tag.endsWith('toc.slugify')) return 'ascii';
  if (/pymdownx\.slugs\.(?:uslugify|gfm)$/.test(tag)) return 'lower-words';
  if (!tag.endsWith('pymdownx.slugs.slugify')) return 'unknown';
  const given = asRecord(asRecord(options['slugify'])['kwds']);
  if (given['percent_encode'] === true) return 'unknown';
  return given['case'] === undefined || given['case'] === 'none' ? 'words' : 'lower-words';
}
