import type { RepositoryFiles } from '../../format-port/index.ts';
import type { RepoPath } from '../../model/index.ts';
import { folderOf, resolvePath, trimSlashes, withoutInstalled } from '../../tree/index.ts';
import { commonFolder } from '../folder-paths.ts';
import { linkRewriterOf } from '../script-config/link-rewriters.ts';
import { readScriptConfig } from '../script-config/read-script-config.ts';
import { importsFrom } from '../script-config/script-files.ts';
import {
  isList,
  isScriptObject,
  isUnknown,
  ScriptFunction,
  type ScriptValue,
  settingAt,
  textAt,
  textsOf,
} from '../script-config/script-value.ts';

/** The configuration of a Docusaurus site (https://docusaurus.io/docs/api/docusaurus-config). */
export interface DocusaurusSite {
  readonly config: RepoPath;
  /** The folder of the configuration. */
  readonly folder: RepoPath;
  /** The innermost folder that contains the site and its content. */
  readonly directory: RepoPath;
  readonly title: string | null;
  /** With a slash at each end; null when it can be known only by running the configuration. */
  readonly base: string | null;
  /** Null when it can be known only by running the configuration. */
  readonly trailingSlash: boolean | undefined | null;
  readonly staticFolders: readonly RepoPath[];
  /** Whether `staticFolders` is complete. */
  readonly knowsStaticFolders: boolean;
  readonly locales: readonly string[];
  readonly defaultLocale: string;
  readonly contents: readonly ContentPlugin[];
  /** Addresses that the redirects plugin redirects, as normalised routes → where they lead; null where that is not known. */
  readonly redirects: ReadonlyMap<string, string | null>;
  /** Whether `.md` files are MDX, too. */
  readonly readsMarkdownAsMdx: boolean;
  /** Whether heading ids keep upper and lower case; null when it can be known only by running the site's own code. */
  readonly preservesCase: boolean | null;
  /** Whether plugins of the configuration see the pages before their headings are named. */
  readonly changesHeadings: boolean;
  /** False when a setting that decides the addresses of pages can be known only by running the configuration. */
  readonly isSure: boolean;
  /** The routes below which other plugins publish pages, as their option says. */
  readonly pluginRoutes: readonly string[];
  /** A plugin that may publish pages of its own; null when there is none. */
  readonly pageGenerator: string | null;
  /** The plugin that may rewrite the links of pages, for messages; null when there is none. */
  readonly rewritesLinks: string | null;
  /** The labelled entries of the navigation bar, in its order. */
  readonly navbar: readonly NavbarEntry[];
}

export interface NavbarEntry {
  readonly label: string;
  /** The id of the plugin that has the sidebar or the document. */
  readonly plugin: string;
  readonly sidebar: string | null;
  /** The id of a document. */
  readonly doc: string | null;
  readonly to: string | null;
}

/** One instance of a plugin that publishes files. */
export interface ContentPlugin {
  readonly kind: 'docs' | 'blog' | 'pages';
  /** `default` when the configuration sets none. */
  readonly id: string;
  readonly folder: RepoPath;
  /** Without leading and trailing slashes. */
  readonly route: string;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly options: ScriptValue;
}

const CONFIG_NAMES = ['ts', 'js', 'mts', 'mjs', 'cts', 'cjs'].map(
  (candidate) => `docusaurus.config.${candidate}`,
);

/** Names of the files that identify a site. */
export const docusaurusMarkers: readonly string[] = CONFIG_NAMES;

const EXCLUDED = ['**/_*.{js,jsx,ts,tsx,md,mdx}', '**/_*/**', '**/*.test.{js,jsx,ts,tsx}', '**/__tests__/**'];

const DEFAULTS = {
  docs: { path: 'docs', route: 'docs', include: ['**/*.{md,mdx}'] },
  blog: { path: 'blog', route: 'blog', include: ['**/*.{md,mdx}'] },
  pages: { path: 'src/pages', route: '', include: ['**/*.{js,jsx,ts,tsx,md,mdx}'] },
} as const;

/** Names of plugins that probably publish pages. */
const PAGE_PLUGIN =
  /openapi|redoc|typedoc|graphql|api|changelog|storybook|docgen|content|docs|blog|pages|routes|wiki|glossary/i;

export function findDocusaurusSites(repository: RepositoryFiles): readonly DocusaurusSite[] {
  const folders = new Set<RepoPath>();
  const configs = withoutInstalled(CONFIG_NAMES.flatMap((name) => repository.index.named(name)));
  const sites: DocusaurusSite[] = [];
  for (const config of configs) {
    if (folders.has(folderOf(config))) continue;
    folders.add(folderOf(config));
    sites.push(readSite(repository, config));
  }
  // If two sites would get the same directory, each gets the folder of its configuration.
  return sites.map((site) =>
    sites.some((candidate) => candidate !== site && candidate.directory === site.directory)
      ? { ...site, directory: site.folder }
      : site,
  );
}

function readSite(repository: RepositoryFiles, config: RepoPath): DocusaurusSite {
  const folder = folderOf(config);
  const text = repository.text(config) ?? '';
  const read = readScriptConfig(text, config, { readImport: importsFrom(repository) });
  const base = textAt(read, 'baseUrl');
  const slash = settingAt(read, 'trailingSlash');
  const { contents, redirects, pluginRoutes, pageGenerator, isSure } = readPlugins(read, config);
  const statics = textsOf(settingAt(read, 'staticDirectories') ?? ['static']);
  const locales = textsOf(settingAt(read, 'i18n', 'locales') ?? []);
  const defaultLocale = textAt(read, 'i18n', 'defaultLocale');
  const maintainCase = settingAt(read, 'markdown', 'anchors', 'maintainCase');
  let directory = folder;
  for (const content of contents) directory = commonFolder(directory, content.folder);
  return {
    config,
    folder,
    directory,
    title: textAt(read, 'title') ?? null,
    base: base === null ? null : `/${base ?? ''}/`.replace(/\/{2,}/g, '/'),
    trailingSlash: typeof slash === 'boolean' ? slash : isUnknown(slash) ? null : undefined,
    staticFolders: (statics ?? ['static']).flatMap((folder) => pathBelow(config, folder) ?? []),
    knowsStaticFolders: statics !== null,
    locales: locales ?? [],
    defaultLocale: defaultLocale ?? 'en',
    contents,
    redirects,
    pluginRoutes,
    readsMarkdownAsMdx: !['md', 'detect'].includes(textAt(read, 'markdown', 'format') ?? 'mdx'),
    preservesCase: isUnknown(maintainCase) || isLoaderPatched(repository) ? null : maintainCase === true,
    changesHeadings: contents.some(({ options }) => {
      const early = settingAt(options, 'beforeDefaultRemarkPlugins') ?? [];
      return !isList(early) || early.length > 0;
    }),
    isSure: isSure && !isUnknown(slash) && base !== null && locales !== null && defaultLocale !== null,
    pageGenerator,
    rewritesLinks: linkRewriterOf(
      text,
      (specifier) => linkCode(repository, config, specifier),
      () => '',
    ),
    navbar: navbarIn(settingAt(read, 'themeConfig', 'navbar', 'items'), 1),
  };
}

/** The text of a module that a configuration imports, if it speaks of links: most plugins change other nodes. */
function linkCode(repository: RepositoryFiles, config: RepoPath, specifier: string): string {
  const text = importsFrom(repository)(config, specifier)?.text ?? '';
  return /\blinks?\b|isLink|\bdefinition\b/i.test(text) ? text : '';
}

/** Deeper menus of the navigation bar are not read. */
const MAX_MENUS = 4;

function navbarIn(items: ScriptValue, depth: number): readonly NavbarEntry[] {
  if (!isList(items) || depth > MAX_MENUS) return [];
  return items.flatMap((item) => {
    const label = textAt(item, 'label') ?? null;
    const inner = navbarIn(settingAt(item, 'items'), depth + 1);
    if (label === null) return inner;
    const plugin = textAt(item, 'docsPluginId') ?? 'default';
    const [sidebar, doc, to] = ['sidebarId', 'docId', 'to'].map((key) => textAt(item, key) ?? null);
    return [{ label, plugin, sidebar: sidebar ?? null, doc: doc ?? null, to: to ?? null }, ...inner];
  });
}

/** Files in which package managers keep changes of the package that names headings. */
const LOADER_PATCH = /(?:^|\/)patches\/@docusaurus(?:\+|__|-)mdx-loader[^/]*\.patch$/;

function isLoaderPatched({ tree }: RepositoryFiles): boolean {
  return tree.some(({ path }) => LOADER_PATCH.test(path));
}

function readPlugins(read: ScriptValue, config: RepoPath) {
  const contents: ContentPlugin[] = [];
  const redirects = new Map<string, string | null>();
  const pluginRoutes: string[] = [];
  let isSure = true;
  let pageGenerator: string | null = null;
  const add = (kind: ContentPlugin['kind'], options: ScriptValue) => {
    if (options === false) return;
    const { path, route, include } = DEFAULTS[kind];
    const configured = textAt(options, 'path');
    const base = textAt(options, 'routeBasePath');
    const folder = pathBelow(config, configured ?? path);
    const includes = textsOf(settingAt(options, 'include') ?? include);
    const excludes = textsOf(settingAt(options, 'exclude') ?? EXCLUDED);
    const isKnown = configured !== null && base !== null && includes !== null && excludes !== null;
    if (folder === null || !isKnown || !knowsAddresses(kind, options)) isSure = false;
    if (folder === null) return;
    contents.push({
      kind,
      id: textAt(options, 'id') ?? 'default',
      folder,
      route: trimSlashes(base ?? route),
      include: includes ?? include,
      exclude: excludes ?? EXCLUDED,
      options,
    });
  };
  for (const [name, options] of pluginsOf(settingAt(read, 'presets'))) {
    if (name === null) isSure = false;
    else if (/^(?:@docusaurus\/(?:preset-)?)?classic$/.test(name)) {
      for (const kind of ['docs', 'blog', 'pages'] as const) add(kind, settingAt(options, kind));
    } else {
      // Third-party presets usually have the options of the classic one.
      pageGenerator ??= name;
      for (const kind of ['docs', 'blog', 'pages'] as const)
        if (isScriptObject(settingAt(options, kind))) add(kind, settingAt(options, kind));
    }
  }
  for (const [name, options] of pluginsOf(settingAt(read, 'plugins'))) {
    const kind = /(?:^|plugin-)content-(docs|blog|pages)$/.exec(name ?? '')?.[1] as
      | ContentPlugin['kind']
      | undefined;
    if (kind !== undefined) add(kind, options);
    else if (/client-redirects$/.test(name ?? '')) {
      // Redirects from a function or for extensions are known only to the build.
      const dynamicOptions = ['createRedirects', 'fromExtensions', 'toExtensions'];
      const isKnown = readClientRedirects(options, redirects);
      if (!isKnown || dynamicOptions.some((key) => settingAt(options, key) !== undefined))
        pageGenerator ??= name;
    } else if (name === null) isSure = false;
    else if (!name.startsWith('@docusaurus/')) {
      const route = textAt(options, 'route');
      if (typeof route === 'string') pluginRoutes.push(normaliseRoute(route));
      if (route === null || PAGE_PLUGIN.test(name)) pageGenerator ??= name;
    }
  }
  if (contents.length === 0) {
    // The plugins can be known only by running the configuration; most sites use the classic preset.
    isSure = false;
    for (const kind of ['docs', 'blog', 'pages'] as const) add(kind, undefined);
  }
  if (isUnknown(settingAt(read, 'plugins'))) isSure = false;
  return {
    contents,
    redirects,
    pluginRoutes,
    pageGenerator,
    isSure: isSure && isList(settingAt(read, 'presets') ?? []),
  };
}

/** Options of a plugin that decide the addresses of its pages, in addition to its path. */
const ADDRESS_OPTIONS = {
  docs: [
    'id',
    'lastVersion',
    'versions',
    'includeCurrentVersion',
    'numberPrefixParser',
    'onlyIncludeVersions',
  ],
  blog: ['id'],
  pages: ['id'],
} as const;

function knowsAddresses(kind: ContentPlugin['kind'], options: ScriptValue): boolean {
  const versions = settingAt(options, 'versions');
  const paths = isScriptObject(versions)
    ? [...versions.entries.values()].map((entry) => settingAt(entry, 'path'))
    : [];
  const values = [...ADDRESS_OPTIONS[kind].map((key) => settingAt(options, key)), ...paths];
  return !values.some(isUnknown) && !(isScriptObject(versions) && versions.isOpen);
}

/** Plugins and presets are names, or lists of a name and options; the name is null when it is not known. */
function pluginsOf(value: ScriptValue): readonly (readonly [string | null, ScriptValue])[] {
  if (!isList(value)) return [];
  return value.map((candidate) => {
    if (typeof candidate === 'string') return [candidate, undefined];
    const [plugin, options]: readonly ScriptValue[] = isList(candidate) ? candidate : [candidate];
    if (typeof plugin === 'string') return [plugin, options];
    // A plugin inside the configuration publishes pages only through these functions.
    const isHarmless =
      plugin instanceof ScriptFunction
        ? !/addRoute|createData|plugin-content/.test(plugin.text)
        : !isUnknown(plugin);
    return [isHarmless ? '' : null, options];
  });
}

/** Adds the addresses that the redirects plugin redirects; false when there may be further ones. */
function readClientRedirects(options: ScriptValue, redirects: Map<string, string | null>): boolean {
  const rules = settingAt(options, 'redirects');
  let isKnown = !isUnknown(rules);
  for (const rule of isList(rules) ? rules : []) {
    const from = settingAt(rule, 'from');
    const addresses: readonly ScriptValue[] = isList(from) ? from : [from];
    const to = textAt(rule, 'to') ?? null;
    for (const address of addresses) {
      if (typeof address === 'string') redirects.set(normaliseRoute(address), to);
      else if (isUnknown(address)) isKnown = false;
    }
  }
  return isKnown;
}

/** A route with a leading slash and no trailing slash. */
export function normaliseRoute(route: string): string {
  return `/${route}`.replace(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '');
}

/** The path that a path from the folder of the configuration leads to; null when it leads out of the repository. */
export function pathBelow(config: RepoPath, path: string): RepoPath | null {
  const found = resolvePath(config, path.replace(/^\/+/, ''));
  return found.inside ? found.path : null;
}
