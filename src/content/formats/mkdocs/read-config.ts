import { parseDocument } from 'yaml';
import type { FileProblem, RepoPath } from '../../model.ts';
import { folderOf, resolvePath } from '../../tree/relative-path.ts';
import type { RepositoryFiles } from '../format.ts';
import { type GitignoreMatcher, matchGitignore } from './match-gitignore.ts';
import { asList, asRecord, asText, type Named, namedEntries } from './yaml-values.ts';

/** What `mkdocs.yml` says that decides which pages there are and where links lead. */
export interface MkdocsConfig {
  readonly file: RepoPath;
  readonly title: string | null;
  /** Null when it is outside the repository. */
  readonly docsFolder: RepoPath | null;
  /** Whether pages are published as folders (`a/` for `a.md`). */
  readonly directoryUrls: boolean;
  /** The path of the site on its host, without slashes at the ends; null when the configuration does not say. */
  readonly basePath: string | null;
  readonly host: string | null;
  /** Whether a link that begins with a slash starts at the folder of pages. */
  readonly absoluteFromDocs: boolean;
  /** By the path inside the folder of pages. */
  readonly isExcluded: GitignoreMatcher;
  readonly nav: unknown;
  /** Old page → where it leads now, both as the configuration writes them. */
  readonly redirects: ReadonlyMap<string, string>;
  readonly headings: HeadingOptions;
  /** Folders where included files are looked for; null when the configuration cannot be read statically. */
  readonly snippetFolders: readonly RepoPath[] | null;
  /** Folder of files that complete the theme. */
  readonly themeFolder: RepoPath | null;
  /** What may add files that the repository does not hold, in words; null when nothing does. */
  readonly generates: string | null;
  readonly problems: readonly FileProblem[];
}

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
}

/** Plugins that add no pages or files that people link to, or add them where the repository holds their source. */
const PLUGINS_WITHOUT_PAGES = new Set(
  `search autorefs literate-nav section-index mkdocstrings minify git-revision-date git-revision-date-localized
  git-authors git-committers git-committers-2 awesome-pages awesome-nav glightbox social offline privacy tags redirects
  include-markdown include_dir_to_nav macros markdownextradata table-reader meta optimize mermaid2 tooltips exclude
  exclude-search rss typeset info with-pdf pdf-export print-site autolinks ezlinks open-in-new-tab codeinclude
  embed_file neoteroi.mkdocsoad charts video panzoom callouts charts img2fig mike kroki plantuml drawio enumerate-headings
  group pagetree section material/search material/social material/tags material/privacy material/offline material/meta
  material/optimize material/typeset material/info material/group material/projects badges abbreviations`.split(
    /\s+/,
  ),
);

const TEMPLATE_PLUGINS = ['macros', 'include-markdown', 'markdownextradata', 'table-reader', 'codeinclude'];

const MAX_PARENTS = 5;

/** Reads the configuration at `file`, with those that it inherits from. */
export function readMkdocsConfig(file: RepoPath, repository: Pick<RepositoryFiles, 'text'>): MkdocsConfig {
  const { values, texts, problems } = readInherited(file, repository);
  const folder = folderOf(file);
  const inFolder = (path: string) => pathFrom(folder, path);
  const docsFolder = inFolder(asText(values['docs_dir']) ?? 'docs');
  const extensions = namedEntries(values['markdown_extensions']);
  const plugins = namedEntries(values['plugins']);
  const site = siteOf(values['site_url']);
  const links = asRecord(asRecord(values['validation'])['links']);
  const theme = asText(asRecord(values['theme'])['custom_dir']);
  return {
    file,
    title: asText(values['site_name']),
    docsFolder,
    directoryUrls: values['use_directory_urls'] !== false,
    basePath: site?.path ?? null,
    host: site?.host ?? null,
    absoluteFromDocs:
      links['absolute_links'] === 'relative_to_docs' ||
      asRecord(values['validation'])['absolute_links'] === 'relative_to_docs',
    // These are never published; later lines may take them back.
    isExcluded: matchGitignore(
      `.*\n/templates/\n${patternsOf(values['exclude_docs'])}\n${patternsOf(values['draft_docs'])}`,
    ),
    nav: values['nav'],
    redirects: redirectsOf(plugins),
    headings: headingOptions(extensions, plugins, texts),
    snippetFolders: snippetFolders(extensions, folder, docsFolder),
    themeFolder: theme === null ? null : inFolder(theme),
    generates: generators(plugins, values['hooks'], inFolder, repository),
    problems,
  };
}

function readInherited(file: RepoPath, repository: Pick<RepositoryFiles, 'text'>) {
  let values: Readonly<Record<string, unknown>> = {};
  const texts: string[] = [];
  const problems: FileProblem[] = [];
  let next: RepoPath | null = file;
  for (let parents = 0; next !== null && parents <= MAX_PARENTS; parents += 1) {
    const path: RepoPath = next;
    const text = repository.text(path);
    next = null;
    if (text === null) break;
    texts.push(text);
    const own = parseYaml(text, path, problems);
    const parent = asText(own['INHERIT']);
    values = mergeDeep(own, values);
    if (parent !== null) next = pathFrom(folderOf(path), parent);
  }
  return { values, texts, problems };
}

function parseYaml(text: string, file: RepoPath, problems: FileProblem[]): Record<string, unknown> {
  try {
    const document = parseDocument(text, { prettyErrors: false, logLevel: 'silent', merge: true });
    const error = document.errors[0];
    if (error !== undefined) {
      problems.push({ file, line: null, message: `The configuration is not valid YAML: ${error.message}.` });
    }
    return asRecord(document.toJS({ maxAliasCount: 100 }));
  } catch {
    problems.push({ file, line: null, message: 'The configuration is not valid YAML.' });
    return {};
  }
}

/** `over` wins; mappings are merged, as MkDocs does it. */
function mergeDeep(under: Readonly<Record<string, unknown>>, over: Readonly<Record<string, unknown>>) {
  const merged: Record<string, unknown> = { ...under };
  for (const [key, value] of Object.entries(over)) {
    const below = under[key];
    const bothMappings = isMapping(below) && isMapping(value);
    merged[key] = bothMappings ? mergeDeep(asRecord(below), asRecord(value)) : value;
  }
  return merged;
}

function isMapping(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function pathFrom(folder: RepoPath, path: string): RepoPath | null {
  const resolution = resolvePath(folder === '' ? 'x' : `${folder}/x`, path);
  return path.startsWith('/') || !resolution.inside ? null : resolution.path;
}

function siteOf(value: unknown): { readonly host: string; readonly path: string } | null {
  const text = asText(value);
  if (text === null || !URL.canParse(text)) return null;
  const { host, pathname } = new URL(text);
  return { host, path: pathname.split('/').filter(Boolean).join('/') };
}

function patternsOf(value: unknown): string {
  return asText(value) ?? asList(value).map(asText).join('\n');
}

function redirectsOf(plugins: readonly Named[]): ReadonlyMap<string, string> {
  const options = plugins.find((one) => one.name === 'redirects')?.options ?? {};
  const pairs = Object.entries(asRecord(options['redirect_maps']));
  return new Map(pairs.flatMap(([from, to]) => (typeof to === 'string' ? [[from, to] as const] : [])));
}

function headingOptions(
  extensions: readonly Named[],
  plugins: readonly Named[],
  texts: readonly string[],
): HeadingOptions {
  const has = (...names: readonly string[]) => extensions.some((one) => names.includes(one.name));
  const toc = extensions.find((one) => one.name === 'toc' || one.name === 'markdown.extensions.toc');
  return {
    slugs: slugsOf(toc?.options ?? {}, texts),
    separator: asText(toc?.options['separator']) ?? '-',
    attributes: has(
      'attr_list',
      'markdown.extensions.attr_list',
      'extra',
      'markdown.extensions.extra',
      'pymdownx.extra',
    ),
    snippets: has('pymdownx.snippets'),
    templates: plugins.some((one) => TEMPLATE_PLUGINS.includes(one.name)),
  };
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

function snippetFolders(
  extensions: readonly Named[],
  folder: RepoPath,
  docsFolder: RepoPath | null,
): readonly RepoPath[] | null {
  const options = extensions.find((one) => one.name === 'pymdownx.snippets')?.options ?? {};
  const given = options['base_path'];
  const paths = given === undefined ? ['.'] : typeof given === 'string' ? [given] : asList(given).map(asText);
  const folders = paths.map((path) => {
    if (path === null) return null;
    if (path.startsWith('$docs_dir'))
      return docsFolder === null ? null : pathFrom(docsFolder, `.${path.slice(9)}`);
    return pathFrom(folder, path.replace(/^\$config_dir/, '.'));
  });
  const known = folders.filter((one) => one !== null);
  return known.length === folders.length ? known : null;
}

function generators(
  plugins: readonly Named[],
  hooks: unknown,
  inFolder: (path: string) => RepoPath | null,
  repository: Pick<RepositoryFiles, 'text'>,
): string | null {
  const plugin = plugins.find((one) => !PLUGINS_WITHOUT_PAGES.has(one.name));
  if (plugin !== undefined) return `the plugin “${plugin.name}”`;
  for (const hook of asList(hooks)) {
    const path = inFolder(asText(hook) ?? '');
    const text = path === null ? null : repository.text(path);
    // Without these a hook cannot add files to the site.
    if (text === null || /\bon_(?:files|nav|config|pre_build|post_build)\b|\bFile\b/.test(text)) {
      return `the hook “${asText(hook)}”`;
    }
  }
  return null;
}
