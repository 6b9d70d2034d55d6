import type { RepositoryFiles } from '../../format-port/index.ts';
import type { RepoPath } from '../../model/index.ts';
import { folderOf, resolvePath } from '../../tree/index.ts';
import type { ReadCall } from '../script-config/evaluate-script.ts';
import { readScriptConfig } from '../script-config/read-script-config.ts';
import { findImported, importsFrom, importsOf, isRelative } from '../script-config/script-files.ts';
import {
  isList,
  isScriptObject,
  isUnknown,
  type ScriptValue,
  settingAt,
  textAt,
  UNKNOWN,
} from '../script-config/script-value.ts';
import { readContentConfig } from './content-config.ts';

export const ASTRO_CONFIG_NAMES = ['mjs', 'js', 'ts', 'mts', 'cjs'].map(
  (candidate) => `astro.config.${candidate}`,
);

/** What `astro.config.*` says of a Starlight site; see Astro's and Starlight's configuration references. */
export interface AstroConfig {
  readonly file: RepoPath;
  readonly title: string | null;
  /** The folder of the configuration. */
  readonly root: RepoPath;
  readonly sourceFolder: RepoPath;
  readonly publicFolder: RepoPath;
  readonly contentFolder: RepoPath;
  /** The path of the site on its host, without slashes at the ends; null when only the configuration's program knows. */
  readonly basePath: string | null;
  readonly host: string | null;
  /** Null when only the configuration's program knows. */
  readonly trailingSlash: 'always' | 'never' | 'ignore' | null;
  /** Pages are `a.html` rather than `a/`; null when only the configuration's program knows. */
  readonly asFiles: boolean | null;
  /** Folders of languages, `''` for the language without one; null when they cannot be determined. Empty for one language. */
  readonly locales: readonly string[] | null;
  /** The folder of the language that stands in for missing pages. */
  readonly defaultLocale: string;
  readonly redirects: ReadonlyMap<string, string | null>;
  /** False when part of what decides where pages are is known to the configuration's program alone. */
  readonly isSure: boolean;
  /** Beginning of a path (`~/`) → the folder that it stands for. */
  readonly aliases: ReadonlyMap<string, RepoPath>;
  /** What may add pages that the repository does not hold, in words; null when nothing does. */
  readonly generates: string | null;
  /** True when a plugin may name headings in its own way. */
  readonly hasOwnHeadingIds: boolean;
}

/**
 * Whether a configuration is that of a Starlight site: it names Starlight, or its project depends on Starlight and has
 * the folder of Starlight's pages, where a module of its own puts the integration together.
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
  return {
    file,
    title: textAt(starlight, 'title') ?? null,
    root,
    sourceFolder,
    publicFolder: inFolder(root, publicDir ?? 'public'),
    contentFolder:
      content.base === null
        ? `${sourceFolder === '' ? '' : `${sourceFolder}/`}content/docs`
        : inFolder(root, content.base),
    basePath: base === null ? null : (base ?? '').split('/').filter(Boolean).join('/'),
    host: typeof site === 'string' && URL.canParse(site) ? new URL(site).host : null,
    trailingSlash:
      trailingSlash === null || trailingSlash === 'always' || trailingSlash === 'never'
        ? trailingSlash
        : 'ignore',
    asFiles: format === null ? null : format === 'file',
    locales,
    defaultLocale: defaultLocaleOf(defaultLocale, locales ?? []),
    redirects: redirectsOf(redirects),
    isSure:
      srcDir !== null &&
      publicDir !== null &&
      !isUnknown(redirects) &&
      !(isScriptObject(redirects) && redirects.isOpen),
    aliases: aliasesOf(root, repository),
    generates: content.names ?? generatorOf(text, (specifier) => readImport(file, specifier)?.text ?? ''),
    hasOwnHeadingIds: /custom-heading-id|heading-ids?['"]|rehype-slug|rehypeSlug/i.test(text),
  };
}

/** Starlight's integration, whatever its name, stands for what it is given. */
export const readStarlightCall: ReadCall = ({ source }, [options]) =>
  source === '@astrojs/starlight' ? options : UNKNOWN;

/** What the integration is given. */
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

function defaultLocaleOf(named: string | null | undefined, locales: readonly string[]): string {
  if (typeof named === 'string') return named === 'root' ? '' : named;
  return locales.length === 1 ? (locales[0] ?? '') : '';
}

/** Old address → new one; null when the latter cannot be told. */
function redirectsOf(value: ScriptValue): ReadonlyMap<string, string | null> {
  if (!isScriptObject(value)) return new Map();
  return new Map(
    [...value.entries].map(([from, to]) => [
      from,
      typeof to === 'string' ? to : (textAt(to, 'destination') ?? null),
    ]),
  );
}

/** Aliases of folders in `tsconfig.json`, which may hold comments. */
function aliasesOf(root: RepoPath, repository: RepositoryFiles): ReadonlyMap<string, RepoPath> {
  const aliases = new Map<string, RepoPath>();
  for (const name of ['tsconfig.json', 'jsconfig.json']) {
    const file = inFolder(root, name);
    const options = settingAt(readScriptConfig(repository.text(file) ?? '', file), 'compilerOptions');
    const paths = settingAt(options, 'paths');
    for (const [alias, folders] of isScriptObject(paths) ? paths.entries : []) {
      const [folder, ...others] = isList(folders) ? folders : [];
      const isFolder = alias.endsWith('/*') && typeof folder === 'string' && folder.endsWith('*');
      if (!isFolder || others.length > 0) continue;
      aliases.set(
        alias.slice(0, -1),
        inFolder(inFolder(root, textAt(options, 'baseUrl') ?? '.'), folder.slice(0, -1)),
      );
    }
  }
  return aliases;
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

/** Modules beside the configuration from which it takes a sidebar, by the name. */
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
