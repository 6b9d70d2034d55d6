import type { RepositoryFiles } from '../../format-port/index.ts';
import type { FileFacts, RepoPath, TreeEntry } from '../../model/index.ts';
import { folderOf, isInside, pathInside, trimSlashes } from '../../tree/index.ts';
import { joinPath } from '../folder-paths.ts';
import { compileGlobs } from '../glob-set.ts';
import { findScriptLiterals } from '../script-config/script-literals.ts';
import { isScriptObject, settingAt, textAt } from '../script-config/script-value.ts';
import { CATEGORY_FILES } from './category-files.ts';
import { type ContentPlugin, type DocusaurusSite, normaliseRoute } from './docusaurus-site.ts';

/** A folder whose files a plugin publishes: its own folder, that of a version, or a translation of either. */
export interface ContentRoot {
  readonly plugin: ContentPlugin;
  readonly folder: RepoPath;
  /** Folders to which a path without `./` may be relative, in the builder's order. */
  readonly folders: readonly RepoPath[];
  /** Null for the default language. */
  readonly locale: string | null;
  /** Without leading and trailing slashes. */
  readonly route: string;
}

/** A file that is published. */
export interface PublishedPage {
  readonly file: RepoPath;
  readonly root: ContentRoot;
  /** With a leading slash; index pages also have one at the end. */
  readonly route: string;
}

/**
 * Lists the existing folders of all plugins, versions and translations of a site
 * (https://docusaurus.io/docs/versioning).
 */
export function contentRoots(site: DocusaurusSite, repository: RepositoryFiles): readonly ContentRoot[] {
  const plain = site.contents.flatMap((plugin) => versionRoots(site, plugin, repository));
  const translated = site.locales
    .filter((locale) => locale !== site.defaultLocale)
    .flatMap((locale) => plain.map((root) => translationOf(site, root, locale)));
  return [...translated, ...plain].filter((root) => repository.index.isFolder(root.folder));
}

/**
 * Lists the folders of plugins and versions that are symbolic links or submodules, or inside such. The builder publishes what
 * they lead to, and the tree does not list it there.
 */
export function linkedRoots(
  site: DocusaurusSite,
  repository: RepositoryFiles,
): readonly Pick<ContentRoot, 'folder' | 'route'>[] {
  return site.contents
    .flatMap((plugin) => versionRoots(site, plugin, repository))
    .filter(({ folder }) => isLinked(folder, repository));
}

function isLinked(folder: RepoPath, { index }: RepositoryFiles): boolean {
  for (let path = folder; path !== ''; path = folderOf(path)) {
    const mode = index.entry(path)?.mode;
    if (mode === 'symlink' || mode === 'submodule') return true;
  }
  return false;
}

function versionRoots(
  site: DocusaurusSite,
  plugin: ContentPlugin,
  repository: RepositoryFiles,
): ContentRoot[] {
  const own = (folder: RepoPath, route: string): ContentRoot => ({
    plugin,
    folder,
    folders: [folder],
    locale: null,
    route,
  });
  if (plugin.kind !== 'docs') return [own(plugin.folder, plugin.route)];
  const prefix = plugin.id === 'default' ? '' : `${plugin.id}_`;
  const names = readVersions(repository.text(joinPath(site.folder, `${prefix}versions.json`)));
  const last = textAt(plugin.options, 'lastVersion') ?? names[0] ?? 'current';
  const routeOf = (name: string) => {
    const configured = textAt(settingAt(plugin.options, 'versions'), name, 'path');
    const path = configured ?? (name === last ? '' : name === 'current' ? 'next' : name);
    return [plugin.route, trimSlashes(path)].filter(Boolean).join('/');
  };
  const versions = names.map((name) =>
    own(joinPath(site.folder, `${prefix}versioned_docs/version-${name}`), routeOf(name)),
  );
  const hasCurrent = settingAt(plugin.options, 'includeCurrentVersion') !== false;
  return hasCurrent ? [own(plugin.folder, routeOf('current')), ...versions] : versions;
}

function readVersions(text: string | null): readonly string[] {
  try {
    const value: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(value)
      ? value.filter((candidate) => typeof candidate === 'string').slice(0, 500)
      : [];
  } catch {
    return [];
  }
}

/** The name of the version that a folder of documents is; null for the current one. */
export function versionOfRoot({ folder }: Pick<ContentRoot, 'folder'>): string | null {
  return /(?:^|[/_])versioned_docs\/version-([^/]+)$/.exec(folder)?.[1] ?? null;
}

function translationOf(site: DocusaurusSite, root: ContentRoot, locale: string): ContentRoot {
  const { plugin } = root;
  const suffix = plugin.id === 'default' ? '' : `-${plugin.id}`;
  const version = versionOfRoot(root);
  const inner = plugin.kind === 'docs' ? `/${version === null ? 'current' : `version-${version}`}` : '';
  const folder = joinPath(
    site.folder,
    `i18n/${locale}/docusaurus-plugin-content-${plugin.kind}${suffix}${inner}`,
  );
  return { ...root, folder, folders: [folder, root.folder], locale };
}

/** Whether a link would lead to another version of the same documentation, which its author did not mean. */
export function differsInVersion(from: ContentRoot | undefined, to: ContentRoot | undefined): boolean {
  if (from === undefined || to === undefined || from.plugin !== to.plugin) return false;
  return from.folders.at(-1) !== to.folders.at(-1);
}

/** The published files among the entries. `factsOf` returns a page's front matter; undefined for files of code. */
export function publishedPages(
  roots: readonly ContentRoot[],
  entries: readonly TreeEntry[],
  factsOf: (path: RepoPath) => Pick<FileFacts, 'frontMatter'> | undefined,
): readonly PublishedPage[] {
  const published = publisherOf(roots, factsOf);
  return entries.flatMap((entry) => published(entry) ?? []);
}

/** Returns a function that finds the published page of a file; null when it is not published. */
export function publisherOf(
  roots: readonly ContentRoot[],
  factsOf: (path: RepoPath) => Pick<FileFacts, 'frontMatter'> | undefined,
): (entry: TreeEntry) => PublishedPage | null {
  const tests = roots.map((root) => ({
    root,
    isIncluded: compileGlobs(root.plugin.include),
    isExcluded: compileGlobs(root.plugin.exclude),
  }));
  return ({ path, mode }) => {
    if (mode === 'submodule' || !/\.(?:mdx?|[jt]sx?)$/.test(path) || /\.d\.ts$/.test(path)) return null;
    for (const { root, isIncluded, isExcluded } of tests) {
      if (!isInside(path, root.folder)) continue;
      const inside = pathInside(path, root.folder);
      if (!isIncluded(inside) || isExcluded(inside)) continue;
      const frontMatter = factsOf(path)?.frontMatter ?? {};
      if (frontMatter['draft'] === true) continue;
      return { file: path, root, route: routeOf(root, inside, frontMatter) };
    }
    return null;
  };
}

function routeOf(root: ContentRoot, inside: string, frontMatter: FileFacts['frontMatter']): string {
  const { kind } = root.plugin;
  const slug =
    kind === 'docs'
      ? docSlug(root.plugin, inside, frontMatter)
      : kind === 'blog'
        ? blogSlug(inside, frontMatter)
        : pageSlug(inside, frontMatter);
  return `/${root.route}/${slug}`.replace(/\/{2,}/g, '/');
}

/** https://docusaurus.io/docs/create-doc#doc-urls */
function docSlug({ options }: ContentPlugin, inside: string, frontMatter: FileFacts['frontMatter']): string {
  const keepsNumbers = settingAt(options, 'numberPrefixParser') === false;
  const strip = (name: string) => (keepsNumbers ? name : withoutNumber(name));
  const folders = folderOf(inside).split('/').filter(Boolean);
  const name = inside.slice(inside.lastIndexOf('/') + 1).replace(/\.mdx?$/, '');
  const slug = frontMatter['slug'];
  if (typeof slug === 'string' && slug.startsWith('/')) return slug;
  const folder = folders.map((candidate) => `${strip(candidate)}/`).join('');
  if (typeof slug === 'string' && slug !== '') return resolveRelativeRoute(`/${folder}`, slug);
  const parent = folders.at(-1)?.toLowerCase();
  const isIndex = /^(?:index|readme)$/i.test(name) || (parent !== undefined && name.toLowerCase() === parent);
  if (isIndex) return folder;
  const id = frontMatter['id'];
  return folder + (typeof id === 'string' && id !== '' ? id : strip(name));
}

/** Removes a leading number: `01-intro` becomes `intro`. Versions and dates keep theirs. */
export function withoutNumber(name: string): string {
  if (/^\d+[-_.]\d+/.test(name)) return name;
  return /^\d+\s*[-_.]+\s*([^-_.\s].*)$/.exec(name)?.[1] ?? name;
}

/** The number that `withoutNumber` removes; null for none. */
export function numberOf(name: string): number | null {
  return withoutNumber(name) === name ? null : Number.parseInt(name, 10);
}

/** https://docusaurus.io/docs/blog#adding-posts */
function blogSlug(inside: string, frontMatter: FileFacts['frontMatter']): string {
  const slug = frontMatter['slug'];
  if (typeof slug === 'string' && slug !== '') return slug;
  const plain = inside.replace(/(?:\/index)?\.mdx?$/, '');
  const dated = /^(.*?)(\d{4})[-/](\d{1,2})[-/](\d{1,2})[-/]?(.*)$/.exec(plain);
  if (dated === null) return plain;
  const [, folder = '', year = '', month = '', day = '', text = ''] = dated;
  return `${year}/${month}/${day}/${folder}${text}`;
}

function pageSlug(inside: string, frontMatter: FileFacts['frontMatter']): string {
  const slug = frontMatter['slug'];
  if (typeof slug === 'string' && slug !== '') return slug;
  return inside.replace(/\.(?:mdx?|[jt]sx?)$/, '').replace(/(^|\/)index$/, '$1');
}

/** Resolves a URL's path against that of a page, as a browser does. */
export function resolveRelativeRoute(from: string, to: string): string {
  const parts = to.startsWith('/') ? [] : from.split('/').slice(0, -1).filter(Boolean);
  const segments = to.split('/');
  for (const segment of segments) {
    if (segment === '..') parts.pop();
    else if (segment !== '' && segment !== '.') parts.push(segment);
  }
  const last = segments.at(-1);
  const isFolder = last === '' || last === '.' || last === '..';
  return `/${parts.join('/')}${isFolder && parts.length > 0 ? '/' : ''}`;
}

/** Routes of the pages that are generated for categories of sidebars (`generated-index`). */
export function generatedRoutes(
  site: DocusaurusSite,
  roots: readonly ContentRoot[],
  repository: RepositoryFiles,
): ReadonlySet<string> {
  const routes = new Set<string>();
  const addSlugs = (root: ContentRoot, text: string | null) => {
    for (const match of (text ?? '').matchAll(/\bslug['"]?\s*:\s*['"]?([^'",\s}]+)/g)) {
      routes.add(normaliseRoute(`${root.route}/${match[1]}`));
    }
  };
  for (const root of roots) {
    if (root.plugin.kind !== 'docs') continue;
    for (const name of CATEGORY_FILES) {
      for (const path of repository.index.named(name))
        if (isInside(path, root.folder)) addSlugs(root, repository.text(path));
    }
    const sidebarPath = isScriptObject(root.plugin.options)
      ? textAt(root.plugin.options, 'sidebarPath')
      : undefined;
    for (const name of [sidebarPath ?? 'sidebars.js', 'sidebars.js', 'sidebars.ts']) {
      const text = repository.text(joinPath(site.folder, name.replace(/^\.\//, ''))) ?? '';
      for (const { key, isKey, value } of findScriptLiterals(text).literals)
        if (key === 'slug' && !isKey) routes.add(normaliseRoute(`${root.route}/${value}`));
    }
  }
  return routes;
}
