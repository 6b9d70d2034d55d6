import type { RepositoryFiles } from '../../format-port/index.ts';
import type { FolderLanguage, RepoPath } from '../../model/index.ts';
import { folderOf, isInside, resolvePath } from '../../tree/index.ts';
import type { ReadCall } from '../script-config/evaluate-script.ts';
import { linkRewriterOf } from '../script-config/link-rewriters.ts';
import { readScriptConfig } from '../script-config/read-script-config.ts';
import {
  findImported,
  importsFrom,
  importsOf,
  isRelative,
  scriptsBehind,
} from '../script-config/script-files.ts';
import {
  isList,
  isScriptObject,
  isUnknown,
  type ScriptValue,
  settingAt,
  textAt,
  UNKNOWN,
} from '../script-config/script-value.ts';
import { type ContentConfig, readContentConfig } from './content-config.ts';
import { languagesOf, readStarlightSidebar, type StarlightSidebar } from './starlight-sidebar.ts';

export const ASTRO_CONFIG_NAMES = ['mjs', 'js', 'ts', 'mts', 'cjs'].map(
  (candidate) => `astro.config.${candidate}`,
);

/** Redirects with parameters that are read; further ones are unknown. */
export const MAX_PATTERN_REDIRECTS = 500;

/** The settings of a Starlight site in `astro.config.*`; see Astro's and Starlight's configuration references. */
export interface AstroConfig {
  readonly file: RepoPath;
  readonly title: string | null;
  /** The folder of the configuration. */
  readonly root: RepoPath;
  readonly sourceFolder: RepoPath;
  readonly publicFolder: RepoPath;
  readonly contentFolder: RepoPath;
  /**
   * The path of the site on its host, without leading and trailing slashes; null when it can be known only by running
   * the configuration.
   */
  readonly basePath: string | null;
  readonly host: string | null;
  /** Null when it can be known only by running the configuration. */
  readonly trailingSlash: 'always' | 'never' | 'ignore' | null;
  /**
   * Whether pages are published as `a.html` rather than `a/`; null when it can be known only by running the
   * configuration.
   */
  readonly asFiles: boolean | null;
  /**
   * The folders of languages, `''` for the language without one; empty for a site without translations, null when they
   * are not known.
   */
  readonly locales: readonly string[] | null;
  /** The folder of the language whose pages replace missing translations. */
  readonly defaultLocale: string;
  /** The languages that are published, where there are several and all of them are known. */
  readonly languages: readonly FolderLanguage[];
  readonly redirects: ReadonlyMap<string, string | null>;
  /** Returns the sidebar; null when there is none, or only running the configuration would tell what it contains. */
  sidebar(): StarlightSidebar | null;
  /** Whether there is a sidebar, known or not. */
  readonly hasSidebar: boolean;
  /** False when a setting that decides the addresses of pages can be known only by running the configuration. */
  readonly isSure: boolean;
  /** Beginning of a path (`~/`) → the folder to which it refers. */
  readonly aliases: ReadonlyMap<string, RepoPath>;
  /** Describes, for messages, what may add pages that the repository does not contain; null when nothing does. */
  readonly generates: string | null;
  /** Describes, for messages, what makes the site's pages out of the files of the repository; null when nothing does. */
  readonly converter: string | null;
  /** Describes, for messages, what may rewrite the links of pages; null when nothing does. */
  readonly rewritesLinks: string | null;
  /** Whether a plugin may name headings differently. */
  readonly hasOwnHeadingIds: boolean;
}

/**
 * Whether a configuration is that of a Starlight site: it names Starlight, or (if another module sets up the
 * integration) its project depends on Starlight and has the folder of Starlight's pages.
 */
export function isStarlightSite(file: RepoPath, repository: RepositoryFiles): boolean {
  const text = repository.text(file);
  if (text === null) return false;
  if (/@astrojs\/starlight['"]/.test(text)) return true;
  const root = folderOf(file);
  const source = inFolder(root, /\bsrcDir\s*:\s*['"]([^'"\n]{1,200})['"]/.exec(text)?.[1] ?? 'src');
  return (
    repository.index.isFolder(`${source}/content/docs`) &&
    /"@astrojs\/starlight"\s*:/.test(repository.text(inFolder(root, 'package.json')) ?? '')
  );
}

/** Plugins of Starlight that add no pages. */
const PLUGINS_WITHOUT_PAGES =
  /^(?:starlight-(?:links-validator|image-zoom|heading-badges|sidebar-topics|sidebar-swipe|view-modes|scroll-to-top|theme-.*|kbd|llms-txt|site-graph|auto-sidebar|cooler-credit|contextual-menu|giscus|ion-theme|package-managers|showcases|videos|utils|page-actions|plugin-icons|fullview-mode|announcement|codeblock-fullscreen|markdown-blocks)|@astrojs\/.*|.*-theme|.*-theme-.*)$/;

export function readAstroConfig(file: RepoPath, repository: RepositoryFiles): AstroConfig {
  const text = repository.text(file) ?? '';
  const root = folderOf(file);
  const readImport = importsFrom(repository);
  const textOf = (specifier: string) => readImport(file, specifier)?.text ?? '';
  const config = readScriptConfig(text, file, { readImport, readCall: readStarlightCall });
  const starlight = starlightOptions(config);
  const site = textAt(config, 'site');
  const base = textAt(config, 'base');
  const [srcDir, publicDir] = [textAt(config, 'srcDir'), textAt(config, 'publicDir')];
  const sourceFolder = inFolder(root, srcDir ?? 'src');
  const content = readContentConfig(sourceFolder, repository);
  const localesValue = settingAt(starlight, 'locales');
  const trailingSlash = textAt(config, 'trailingSlash');
  const format = textAt(config, 'build', 'format');
  const redirects = settingAt(config, 'redirects');
  const defaultLocale = textAt(starlight, 'defaultLocale');
  const locales = defaultLocale === null ? null : localesOf(localesValue);
  const defaultFolder = defaultLocaleOf(defaultLocale, locales ?? []);
  const contentFolder =
    content.base === null
      ? `${sourceFolder === '' ? '' : `${sourceFolder}/`}content/docs`
      : inFolder(root, content.base);
  const converter = converterOf(content, contentFolder, repository);
  return {
    file,
    title: textAt(starlight, 'title') ?? null,
    root,
    sourceFolder,
    publicFolder: inFolder(root, publicDir ?? 'public'),
    contentFolder,
    basePath: base === null ? null : (base ?? '').split('/').filter(Boolean).join('/'),
    host: typeof site === 'string' && URL.canParse(site) ? new URL(site).host : null,
    trailingSlash:
      trailingSlash === null || trailingSlash === 'always' || trailingSlash === 'never'
        ? trailingSlash
        : 'ignore',
    asFiles: format === null ? null : format === 'file',
    locales,
    defaultLocale: defaultFolder,
    languages: locales === null ? [] : folderLanguages(localesValue, defaultFolder),
    redirects: redirectsOf(redirects),
    sidebar: () => readStarlightSidebar(starlight),
    hasSidebar: settingAt(starlight, 'sidebar') !== undefined,
    isSure:
      srcDir !== null &&
      publicDir !== null &&
      !isUnknown(redirects) &&
      !(isScriptObject(redirects) && redirects.isOpen) &&
      hasFewPatterns(redirects),
    aliases: aliasesOf(root, repository),
    generates: content.unknownNaming ?? generatorOf(text, textOf),
    converter,
    rewritesLinks:
      linkRewriterOf(text, textOf, (specifier) => textsBehind(repository, file, specifier)) ?? converter,
    hasOwnHeadingIds: /custom-heading-id|heading-ids?['"]|rehype-slug|rehypeSlug/i.test(text),
  };
}

/**
 * Describes what makes the pages out of the files of the repository, where the collection takes only `.mdx` files and there are only `.md` files; null
 * elsewhere.
 */
function converterOf(
  { mdxPattern }: ContentConfig,
  folder: RepoPath,
  { tree }: RepositoryFiles,
): string | null {
  if (mdxPattern === undefined) return null;
  const pages = tree.filter(({ path }) => isInside(path, folder) && /\.mdx?$/.test(path));
  if (pages.length === 0 || pages.some(({ path }) => path.endsWith('.mdx'))) return null;
  return `the program that makes the files for ${mdxPattern}`;
}

/** Represents a call of Starlight's integration, under any local name, by its options. */
export const readStarlightCall: ReadCall = ({ source }, [options]) =>
  source === '@astrojs/starlight' ? options : UNKNOWN;

/** The options of Starlight's integration; `UNKNOWN` when they cannot be found. */
export function starlightOptions(config: ScriptValue): ScriptValue {
  const integrations = settingAt(config, 'integrations');
  if (!isList(integrations)) return UNKNOWN;
  const flat = integrations.flatMap((integration): readonly ScriptValue[] =>
    isList(integration) ? integration : [integration],
  );
  return (
    flat.find((candidate) => isScriptObject(candidate) && candidate.entries.has('title')) ??
    flat.find(isScriptObject) ??
    UNKNOWN
  );
}

function localesOf(value: ScriptValue): readonly string[] | null {
  if (value === undefined) return [];
  if (!isScriptObject(value) || value.isOpen) return null;
  return [...value.entries.keys()].map((key) => (key === 'root' ? '' : key));
}

/** Beyond this number, languages are not read. */
const MAX_LANGUAGES = 200;

function folderLanguages(locales: ScriptValue, defaultFolder: string): readonly FolderLanguage[] {
  const languages = (languagesOf(locales) ?? []).slice(0, MAX_LANGUAGES).flatMap(({ folder, lang }) => {
    // Starlight's own language is English.
    const language = languageTag(lang === 'root' ? 'en' : lang);
    return language === null ? [] : [{ folder, language, isDefault: folder === defaultFolder }];
  });
  return languages.length > 1 && languages.some(({ isDefault }) => isDefault) ? languages : [];
}

function languageTag(text: string): string | null {
  try {
    return Intl.getCanonicalLocales(text)[0] ?? null;
  } catch {
    return null;
  }
}

function defaultLocaleOf(configured: string | null | undefined, locales: readonly string[]): string {
  if (typeof configured === 'string') return configured === 'root' ? '' : configured;
  return locales.length === 1 ? (locales[0] ?? '') : '';
}

/** Whether each redirect with parameters can be compared with every address that has no page. */
function hasFewPatterns(redirects: ScriptValue): boolean {
  if (!isScriptObject(redirects)) return true;
  return [...redirects.entries.keys()].filter((from) => from.includes('[')).length <= MAX_PATTERN_REDIRECTS;
}

/** Old address → new address; null when the new one is not known. */
function redirectsOf(value: ScriptValue): ReadonlyMap<string, string | null> {
  if (!isScriptObject(value)) return new Map();
  return new Map(
    [...value.entries].map(([from, to]) => [
      from,
      typeof to === 'string' ? to : (textAt(to, 'destination') ?? null),
    ]),
  );
}

/** Reads the aliases of folders in `tsconfig.json`, which may contain comments. */
function aliasesOf(root: RepoPath, repository: RepositoryFiles): ReadonlyMap<string, RepoPath> {
  const aliases = new Map<string, RepoPath>();
  for (const name of ['tsconfig.json', 'jsconfig.json']) {
    const file = inFolder(root, name);
    const options = settingAt(readScriptConfig(repository.text(file) ?? '', file), 'compilerOptions');
    const paths = settingAt(options, 'paths');
    for (const [alias, folders] of isScriptObject(paths) ? paths.entries : []) {
      const [folder, ...alternatives] = isList(folders) ? folders : [];
      const isFolder = alias.endsWith('/*') && typeof folder === 'string' && folder.endsWith('*');
      if (!isFolder || alternatives.length > 0) continue;
      aliases.set(
        alias.slice(0, -1),
        inFolder(inFolder(root, textAt(options, 'baseUrl') ?? '.'), folder.slice(0, -1)),
      );
    }
  }
  return aliases;
}

/** The text of a module that a configuration imports, with those of the modules that it imports itself. */
function textsBehind(repository: RepositoryFiles, file: RepoPath, specifier: string): string {
  const module = importsFrom(repository)(file, specifier);
  if (module === null) return '';
  const further = scriptsBehind(repository, module.path).map((path) => repository.text(path) ?? '');
  return [module.text, ...further].join('\n');
}

function generatorOf(text: string, textOf: (specifier: string) => string): string | null {
  for (const { specifier } of importsOf(text)) {
    if (isRelative(specifier)) {
      if (/\binjectRoute\b/.test(textOf(specifier))) return `the integration “${specifier}”`;
    } else if (specifier.includes('starlight') && !PLUGINS_WITHOUT_PAGES.test(packageOf(specifier))) {
      return `the plugin “${specifier}”`;
    }
  }
  return /\binjectRoute\b/.test(text) ? 'the configuration' : null;
}

function packageOf(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}

/** Modules from which the configuration imports a sidebar, recognized by their names. */
export function sidebarModules(repository: RepositoryFiles, file: RepoPath): readonly RepoPath[] {
  return importsOf(repository.text(file) ?? '').flatMap(({ specifier, names }) => {
    const isSidebar = isRelative(specifier) && [specifier, ...names].some((name) => /sidebar/i.test(name));
    return (isSidebar ? findImported(repository, file, specifier) : null) ?? [];
  });
}

function inFolder(folder: RepoPath, path: string): RepoPath {
  const resolution = resolvePath(folder === '' ? 'x' : `${folder}/x`, path.replace(/^\/+/, ''));
  return resolution.inside ? resolution.path : resolution.rest;
}
