import type { RepositoryFiles } from '../../format-port/index.ts';
import type { RepoPath } from '../../model/index.ts';
import { folderOf, resolvePath } from '../../tree/index.ts';
import { readScriptConfig } from '../script-config/read-script-config.ts';
import {
  isList,
  isObject,
  type ScriptValue,
  textAt,
  UNKNOWN,
  valueAt,
} from '../script-config/script-value.ts';
import { readContentConfig } from './content-config.ts';

export const ASTRO_CONFIG_NAMES = ['mjs', 'js', 'ts', 'mts', 'cjs'].map((one) => `astro.config.${one}`);

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
  readonly trailingSlash: 'always' | 'never' | 'ignore';
  /** Pages are `a.html` rather than `a/`. */
  readonly asFiles: boolean;
  /** Folders of languages, `''` for the language without one; null when they cannot be told. Empty for one language. */
  readonly locales: readonly string[] | null;
  /** The folder of the language that stands in for missing pages. */
  readonly defaultLocale: string;
  readonly redirects: ReadonlyMap<string, string | null>;
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
  const importText = (specifier: string) => textOfModule(root, specifier, repository);
  const config = readScriptConfig(readableAstroConfig(text).text, importText);
  const starlight = starlightOptions(config);
  const site = textAt(config, 'site');
  const base = textAt(config, 'base');
  const sourceFolder = inFolder(root, textAt(config, 'srcDir') ?? 'src');
  const content = readContentConfig(sourceFolder, repository);
  const localesValue = valueAt(starlight, 'locales');
  const trailingSlash = textAt(config, 'trailingSlash');
  const locales = localesOf(localesValue);
  return {
    file,
    title: textAt(starlight, 'title') ?? null,
    root,
    sourceFolder,
    publicFolder: inFolder(root, textAt(config, 'publicDir') ?? 'public'),
    contentFolder:
      content.base === null
        ? `${sourceFolder === '' ? '' : `${sourceFolder}/`}content/docs`
        : inFolder(root, content.base),
    basePath: base === null ? null : (base ?? '').split('/').filter(Boolean).join('/'),
    host: typeof site === 'string' && URL.canParse(site) ? new URL(site).host : null,
    trailingSlash: trailingSlash === 'always' || trailingSlash === 'never' ? trailingSlash : 'ignore',
    asFiles: textAt(config, 'build', 'format') === 'file',
    locales,
    defaultLocale: defaultLocaleOf(textAt(starlight, 'defaultLocale'), locales ?? []),
    redirects: redirectsOf(valueAt(config, 'redirects')),
    aliases: aliasesOf(root, repository),
    generates: content.names ?? generatorOf(text, importText),
    hasOwnHeadingIds: /custom-heading-id|heading-ids?['"]|rehype-slug|rehypeSlug/i.test(text),
  };
}

/**
 * The text in which the call of the integration, whatever its name, is one that is read through, and for places of that
 * text those of the file.
 */
export function readableAstroConfig(text: string): {
  readonly text: string;
  placeOf(offset: number): number;
} {
  const name = /import\s+([A-Za-z_$][\w$]*)\s+from\s*['"]@astrojs\/starlight['"]/.exec(text)?.[1];
  if (name === undefined) return { text, placeOf: (offset) => offset };
  const parts = text.split(`${name}(`);
  const shift = READ_THROUGH.length - name.length - 1;
  const ends: number[] = [];
  let end = 0;
  for (const part of parts.slice(0, -1)) {
    end += part.length + READ_THROUGH.length;
    ends.push(end);
  }
  const isBefore = (offset: number) => ends.findIndex((one) => one > offset);
  return {
    text: parts.join(READ_THROUGH),
    placeOf(offset) {
      const at = isBefore(offset);
      return offset - shift * (at === -1 ? ends.length : at);
    },
  };
}

const READ_THROUGH = 'defineStarlight(';

/** What the integration is given. */
export function starlightOptions(config: ScriptValue): ScriptValue {
  const integrations = valueAt(config, 'integrations');
  if (!isList(integrations)) return UNKNOWN;
  const flat = integrations.flatMap((one): readonly ScriptValue[] => (isList(one) ? one : [one]));
  return flat.find((one) => isObject(one) && one.entries.has('title')) ?? flat.find(isObject) ?? UNKNOWN;
}

function localesOf(value: ScriptValue): readonly string[] | null {
  if (value === undefined) return [];
  if (!isObject(value) || value.isOpen) return null;
  return [...value.entries.keys()].map((key) => (key === 'root' ? '' : key));
}

function defaultLocaleOf(named: string | null | undefined, locales: readonly string[]): string {
  if (typeof named === 'string') return named === 'root' ? '' : named;
  return locales.length === 1 ? (locales[0] ?? '') : '';
}

/** Old address → new one; null when the latter cannot be told. */
function redirectsOf(value: ScriptValue): ReadonlyMap<string, string | null> {
  if (!isObject(value)) return new Map();
  return new Map(
    [...value.entries].map(([from, to]) => [
      from,
      typeof to === 'string' ? to : (textAt(to, 'destination') ?? null),
    ]),
  );
}

/** Aliases of folders in `tsconfig.json`, which may hold comments and so is no JSON. */
function aliasesOf(root: RepoPath, repository: RepositoryFiles): ReadonlyMap<string, RepoPath> {
  const aliases = new Map<string, RepoPath>();
  for (const name of ['tsconfig.json', 'jsconfig.json']) {
    const text = repository.text(inFolder(root, name)) ?? '';
    const base = /"baseUrl"\s{0,20}:\s{0,20}"([^"\n]{1,200})"/.exec(text)?.[1] ?? '.';
    for (const match of text.matchAll(
      /"([^"*\n]{1,100}\/)\*"\s{0,20}:\s{0,20}\[\s{0,50}"([^"*\n]{0,200})\*"\s{0,50},?\s{0,50}\]/g,
    )) {
      aliases.set(match[1] ?? '', inFolder(inFolder(root, base), match[2] ?? ''));
    }
  }
  return aliases;
}

function generatorOf(text: string, importText: (specifier: string) => string | null): string | null {
  for (const [, specifier = ''] of text.matchAll(
    /^[ \t]*import\s[^'";]{1,2000}?from\s{0,100}['"]([^'"\n]+)['"]/gm,
  )) {
    if (specifier.startsWith('.')) {
      if (/\binjectRoute\b/.test(importText(specifier) ?? '')) return `the integration “${specifier}”`;
    } else if (specifier.includes('starlight') && !PLUGINS_WITHOUT_PAGES.test(packageOf(specifier))) {
      return `the plugin “${specifier}”`;
    }
  }
  return /\binjectRoute\b/.test(text) ? 'the configuration' : null;
}

function packageOf(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}

function textOfModule(root: RepoPath, specifier: string, repository: RepositoryFiles): string | null {
  const path = pathOfModule(root, specifier, repository);
  return path === null ? null : repository.text(path);
}

function pathOfModule(root: RepoPath, specifier: string, repository: RepositoryFiles): RepoPath | null {
  const path = inFolder(root, specifier);
  const names = ['', '.ts', '.mts', '.js', '.mjs', '/index.ts', '/index.js'].map((ending) => path + ending);
  return names.find((name) => repository.index.entry(name) !== undefined) ?? null;
}

/** Modules beside the configuration from which it takes a sidebar, by the name. */
export function sidebarModules(repository: RepositoryFiles, file: RepoPath): readonly RepoPath[] {
  const text = repository.text(file) ?? '';
  const imports = text.matchAll(/^[ \t]*import\s[^'";]{0,500}?from\s{0,9}['"](\.[^'"\n]{1,300})['"]/gm);
  return [...imports].flatMap(([said, specifier = '']) => {
    const path = /sidebar/i.test(said) ? pathOfModule(folderOf(file), specifier, repository) : null;
    return path === null ? [] : [path];
  });
}

function inFolder(folder: RepoPath, path: string): RepoPath {
  const resolution = resolvePath(folder === '' ? 'x' : `${folder}/x`, path.replace(/^\/+/, ''));
  return resolution.inside ? resolution.path : resolution.rest;
}
