import type { RepositoryFiles } from '../../format-port/index.ts';
import type { RepoPath } from '../../model/index.ts';
import { type TreeIndex, trimEndSlashes } from '../../tree/index.ts';
import { asList, asRecord, asText } from '../untyped-values.ts';
import type { Named } from './yaml-values.ts';

/** A plugin or hook that may add files that the repository does not contain. */
export interface Generator {
  /** Its description in messages. */
  readonly what: string;
  /** Whether it may create a missing file. `path` is inside the folder of pages. */
  mayMake(path: string): boolean;
}

/** Plugins that add no files that people link to, or only files whose source is in the repository. */
const PLUGINS_WITHOUT_PAGES = new Set(
  `search autorefs literate-nav section-index mkdocstrings minify git-revision-date git-revision-date-localized
  git-authors git-committers git-committers-2 awesome-pages awesome-nav glightbox social offline privacy tags redirects
  include-markdown include_dir_to_nav macros markdownextradata table-reader meta optimize mermaid2 tooltips exclude
  exclude-search rss typeset info with-pdf pdf-export print-site autolinks ezlinks open-in-new-tab codeinclude
  embed_file neoteroi.mkdocsoad charts video panzoom callouts charts img2fig mike kroki plantuml drawio enumerate-headings
  group pagetree section i18n badges abbreviations projects blog`.split(/\s+/),
);

/** The name of a plugin without the prefix of Material's own plugins. */
export function plainName({ name }: Named): string {
  return name.replace(/^material\//, '');
}

export function readGenerator(
  plugins: readonly Named[],
  hooks: unknown,
  inFolder: (path: string) => RepoPath | null,
  repository: Pick<RepositoryFiles, 'text'>,
): Generator | null {
  const plugin = plugins.find((candidate) => !PLUGINS_WITHOUT_PAGES.has(plainName(candidate)));
  if (plugin !== undefined) {
    return { what: `the plugin “${plugin.name}”`, mayMake: () => true };
  }
  for (const hook of asList(hooks)) {
    const path = inFolder(asText(hook) ?? '');
    const text = path === null ? null : repository.text(path);
    // A hook without any of these cannot add files to the site.
    if (text === null || /\bon_(?:files|nav|config|pre_build|post_build)\b|\bFile\b/.test(text)) {
      return { what: `the hook “${asText(hook)}”`, mayMake: () => true };
    }
  }
  const blogs = blogsOf(plugins);
  const feeds = feedsOf(plugins);
  if (blogs.length === 0) {
    return feeds.size === 0 ? null : { what: 'the plugin “rss”', mayMake: (path) => feeds.has(path) };
  }
  return {
    what: 'the plugin “blog”',
    mayMake: (path) =>
      feeds.has(path) ||
      blogs.some(({ folder, posts }) => {
        if (!path.startsWith(folder)) return false;
        const inside = path.slice(folder.length);
        return inside === 'index.md' || !/\.\w+$/.test(inside) || isView(inside, posts);
      }),
  };
}

/** What the plugin `rss` writes (https://guts.github.io/mkdocs-rss-plugin/configuration/#feeds_filenames). */
const FEEDS = {
  rss_created: 'feed_rss_created.xml',
  rss_updated: 'feed_rss_updated.xml',
  json_created: 'feed_json_created.json',
  json_updated: 'feed_json_updated.json',
};

function feedsOf(plugins: readonly Named[]): ReadonlySet<string> {
  const plugin = plugins.find((candidate) => plainName(candidate) === 'rss');
  if (plugin === undefined) return new Set();
  const names = asRecord(plugin.options['feeds_filenames']);
  return new Set(Object.entries(FEEDS).map(([feed, name]) => asText(names[feed]) ?? name));
}

/** Settings of `mkdocs.yml` that decide what is made besides the pages of the repository. */
const GENERATING = ['hooks', 'markdown_extensions', 'docs_dir', 'site_url', 'use_directory_urls', 'INHERIT'];

/** Identifies the plugins that may add pages, the hooks, and the scripts that both name. Pages that they list do not count. */
export function mkdocsGenerator(
  values: Readonly<Record<string, unknown>>,
  plugins: readonly Named[],
  inFolder: (path: string) => RepoPath | null,
  index: TreeIndex,
): string {
  const scripts: string[] = [];
  const settings = {
    values: GENERATING.map((key) => values[key]),
    plugins: plugins.filter((plugin) => !PLUGINS_WITHOUT_PAGES.has(plainName(plugin))),
  };
  const key = JSON.stringify(settings, (name, value: unknown) => {
    if (isPageName(name)) return undefined;
    if (Array.isArray(value)) return value.filter((item) => typeof item !== 'string' || !isPageName(item));
    const path = typeof value === 'string' ? inFolder(value) : null;
    const script = path === null ? undefined : index.entry(path);
    if (script !== undefined) scripts.push(script.oid);
    return value;
  });
  return [key, ...scripts].join(' ');
}

function isPageName(text: string): boolean {
  return /\.(?:md|ipynb)$/.test(text);
}

/** Whether a path is one of the lists of posts that the blog generates. */
function isView(path: string, posts: string): boolean {
  return !path.startsWith(posts) && /^(?:archive|category|author|page|tags?|series)\//.test(path);
}

interface Blog {
  /** Its path in the folder of pages, with a slash at the end; empty when it is that folder. */
  readonly folder: string;
  /** The folder of posts inside the blog's, with a slash at the end. */
  readonly posts: string;
}

/** Blogs of Material for MkDocs (https://squidfunk.github.io/mkdocs-material/plugins/blog/). */
function blogsOf(plugins: readonly Named[]): readonly Blog[] {
  return plugins
    .filter((plugin) => plainName(plugin) === 'blog')
    .map(({ options }) => {
      const folder = asFolder(asText(options['blog_dir']) ?? 'blog');
      const posts = (asText(options['post_dir']) ?? '{blog}/posts').replace(/^\{blog\}\/?/, '');
      return { folder, posts: asFolder(posts) };
    });
}

/** Whether a file is a post, whose address contains its date. `path` is inside the folder of pages. */
export function readPosts(plugins: readonly Named[]): (path: string) => boolean {
  const folders = blogsOf(plugins).map(({ folder, posts }) => folder + posts);
  return (path) => folders.some((folder) => folder !== '' && path.startsWith(folder));
}

function asFolder(path: string): string {
  const plain = trimEndSlashes(path.replace(/^(?:\.?\/)+/, ''));
  return plain === '' || plain === '.' ? '' : `${plain}/`;
}

/** Old page → its new destination, both as the configuration writes them (https://github.com/mkdocs/mkdocs-redirects). */
export function readRedirectMap(plugins: readonly Named[]): ReadonlyMap<string, string> {
  const options = plugins.find((plugin) => plugin.name === 'redirects')?.options ?? {};
  const pairs = Object.entries(asRecord(options['redirect_maps']));
  return new Map(pairs.flatMap(([from, to]) => (typeof to === 'string' ? [[from, to] as const] : [])));
}

/** Patterns of the plugin `exclude`, translated to gitignore's syntax, in which `*` does not match slashes. */
export function readExcluded(plugins: readonly Named[]): readonly string[] {
  const { glob } = plugins.find((plugin) => plugin.name === 'exclude')?.options ?? {};
  const patterns =
    typeof glob === 'string' ? [glob] : asList(glob).flatMap((candidate) => asText(candidate) ?? []);
  return patterns.map((pattern) => `/${pattern.replace(/^\/+/, '').replace(/(^|\/)\*(?=[^*/])/g, '$1**/*')}`);
}

/** The name of the file that lists the navigation of its folder; null when there is none. */
export function readNavFileName(plugins: readonly Named[]): string | null {
  const plugin = plugins.find((candidate) => candidate.name === 'literate-nav');
  return plugin === undefined ? null : (asText(plugin.options['nav_file']) ?? 'SUMMARY.md');
}
