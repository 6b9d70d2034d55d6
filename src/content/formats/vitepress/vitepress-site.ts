import type { RepositoryFiles } from '../../format-port/index.ts';
import type { RepoPath } from '../../model/index.ts';
import { folderOf, isInside, resolvePath, withoutInstalled } from '../../tree/index.ts';
import { commonFolder, joinPath } from '../folder-paths.ts';
import { compileGlobs } from '../glob-set.ts';
import { readScriptConfig } from '../script-config/read-script-config.ts';
import { importsFrom } from '../script-config/script-files.ts';
import {
  isUnknown,
  type ScriptValue,
  settingAt,
  textAt,
  textsOf,
  UNKNOWN,
} from '../script-config/script-value.ts';
import { compileRewrites, type Rewrites } from './compile-rewrites.ts';
import { ignoredDeadLinks } from './ignored-dead-links.ts';
import { rewritesPages } from './page-plugins.ts';
import { basesIn } from './vitepress-config-links.ts';
import { isFirstVitepress } from './vitepress-release.ts';
import { sidebarsIn, type VitepressSidebars } from './vitepress-sidebar.ts';

/** The configuration of a VitePress site (https://vitepress.dev/reference/site-config). */
export interface VitepressSite {
  readonly config: RepoPath;
  /** The folder that contains both the project and its pages. */
  readonly directory: RepoPath;
  readonly title: string | null;
  /** The folder of the pages. */
  readonly source: RepoPath;
  readonly publicFolder: RepoPath;
  /** False when the public folder can be known only by running the configuration. */
  readonly knowsPublicFolder: boolean;
  /**
   * The path of the site on its host, with a slash at each end; null when it can be known only by running the
   * configuration.
   */
  readonly base: string | null;
  /** Whether a Markdown file, by its path below `source`, is not a page. */
  isExcluded(path: string): boolean;
  readonly rewrites: Rewrites;
  /**
   * Whether the configuration ignores links to a missing page, by its address or by the link as written; null when that
   * can be known only by running the configuration.
   */
  ignoresDeadLink(address: string, written: string): boolean | null;
  /** Whether the site is built whatever links it has. */
  readonly allowsDeadLinks: boolean;
  /** The `base` of every group of the sidebar; null when the configuration may set further ones. */
  readonly sidebarBases: readonly string[] | null;
  sidebars(): VitepressSidebars;
  /** False when a setting that decides the addresses of pages can be known only by running the configuration. */
  readonly isSure: boolean;
  /** Whether the site has, or may have, its own function to name headings. */
  readonly hasOwnSlugs: boolean;
  /** Whether the builder makes slugs of the fragments of Markdown links, as it does from release 2 on. */
  readonly slugsFragments: boolean;
}

const EXTENSIONS = ['ts', 'js', 'mts', 'mjs', 'cts', 'cjs'];

/** Names of the files that identify a site. */
export const vitepressMarkers: readonly string[] = ['config', 'index'].flatMap((name) =>
  EXTENSIONS.map((extension) => `${name}.${extension}`),
);

/** Paths of the files that identify a site; a theme does so without a configuration. */
const CONFIG = /^(?:(.*)\/)?\.vitepress\/config(?:\/index)?\.\w+$/;
const THEME = /^(?:(.*)\/)?\.vitepress\/theme\/index\.\w+$/;

/** Finds the sites of a repository. */
export function findVitepressSites(repository: RepositoryFiles): readonly VitepressSite[] {
  const files = vitepressMarkers.flatMap((name) => repository.index.named(name));
  const configs = new Map<RepoPath, RepoPath>();
  for (const pattern of [CONFIG, THEME]) {
    for (const path of files) {
      const match = pattern.exec(path);
      const project = match?.[1] ?? '';
      if (match !== null && !configs.has(project))
        configs.set(project, pattern === CONFIG ? path : joinPath(project, '.vitepress/config.ts'));
    }
  }
  const projects = withoutInstalled([...configs.keys()].map((project) => joinPath(project, 'x'))).map(
    folderOf,
  );
  return projects
    .filter((project) => !isThemeOfDocumenter(repository, project))
    .map((project) => readSite(repository, project, configs.get(project) ?? ''));
}

/**
 * Whether the pages of a folder are for Documenter.jl, which resolves their links and hands the result to VitePress
 * (https://luxdl.github.io/DocumenterVitepress.jl).
 */
function isThemeOfDocumenter({ index, text }: RepositoryFiles, project: RepoPath): boolean {
  const script = joinPath(folderOf(project), 'make.jl');
  return index.entry(script) !== undefined && /\bDocumenterVitepress\b/.test(text(script) ?? '');
}

function readSite(repository: RepositoryFiles, project: RepoPath, config: RepoPath): VitepressSite {
  const text = repository.text(config);
  const exists = repository.index.entry(config) !== undefined;
  const options = { readImport: importsFrom(repository) };
  const read: ScriptValue = !exists
    ? undefined
    : text === null
      ? UNKNOWN
      : readScriptConfig(text, config, options);
  const srcDir = textAt(read, 'srcDir');
  const found = resolvePath(joinPath(project, 'x'), srcDir ?? '.');
  const source = found.inside ? found.path : project;
  const exclude = textsOf(settingAt(read, 'srcExclude') ?? []);
  const rewrites = compileRewrites(settingAt(read, 'rewrites'));
  const base = textAt(read, 'base');
  const outDir = textAt(read, 'outDir');
  const leftOut = compileGlobs(['**/node_modules/**', '**/dist/**', ...(exclude ?? [])]);
  const built = typeof outDir === 'string' ? resolvePath(joinPath(project, 'x'), outDir) : null;
  const publicDir = settingAt(read, 'vite', 'publicDir');
  return {
    config,
    directory: isInside(source, project) || source === project ? project : commonFolder(project, source),
    title: textAt(read, 'title') ?? null,
    source,
    publicFolder: publicFolderOf(source, publicDir),
    knowsPublicFolder: srcDir !== null && !isUnknown(publicDir),
    base: base === null ? null : `/${base ?? ''}/`.replace(/\/{2,}/g, '/'),
    isExcluded: (path) =>
      leftOut(path) ||
      (built?.inside === true && built.path !== '' && isInside(joinPath(source, path), built.path)),
    rewrites,
    ignoresDeadLink: ignoredDeadLinks(settingAt(read, 'ignoreDeadLinks')),
    allowsDeadLinks: settingAt(read, 'ignoreDeadLinks') === true,
    sidebarBases: basesIn(read),
    sidebars: () => sidebarsIn(read),
    isSure: found.inside && srcDir !== null && outDir !== null && exclude !== null && rewrites.isSure,
    hasOwnSlugs: ownsSlugs(settingAt(read, 'markdown')) || rewritesPages(repository, [project, source]),
    slugsFragments: !isFirstVitepress(repository, project),
  };
}

function publicFolderOf(source: RepoPath, publicDir: ScriptValue): RepoPath {
  const found = typeof publicDir === 'string' ? resolvePath(joinPath(source, 'x'), publicDir) : null;
  return found?.inside === true ? found.path : joinPath(source, 'public');
}

function ownsSlugs(markdown: ScriptValue): boolean {
  return settingAt(markdown, 'anchor', 'slugify') !== undefined;
}

/**
 * Returns the file of an include or snippet, in which `@` is the source folder; a page may follow it without a slash. Null
 * for other names after `@`, and for files outside the repository.
 */
export function includePath({ source }: VitepressSite, file: RepoPath, target: string): RepoPath | null {
  const inSource = target.startsWith('@');
  if (inSource && !/^@(?:[/\\]|.*\.md$)/.test(target)) return null;
  const found = inSource
    ? resolvePath(joinPath(source, 'x'), `./${target.slice(1)}`)
    : resolvePath(file, target);
  return found.inside ? found.path : null;
}
