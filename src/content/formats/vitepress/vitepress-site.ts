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
import { basesIn } from './vitepress-config-links.ts';

/** What the configuration of a VitePress site says (https://vitepress.dev/reference/site-config). */
export interface VitepressSite {
  readonly config: RepoPath;
  /** The folder that holds both the project and its pages. */
  readonly directory: RepoPath;
  readonly title: string | null;
  /** The folder of the pages. */
  readonly source: RepoPath;
  readonly publicFolder: RepoPath;
  /** False when only running the configuration tells where the public folder is. */
  readonly knowsPublicFolder: boolean;
  /** Where the site stands on its host, with slashes at both ends; null when only running the configuration tells. */
  readonly base: string | null;
  /** Whether a Markdown file, by its path below `source`, is no page. */
  isExcluded(path: string): boolean;
  readonly rewrites: Rewrites;
  /** Whether the site's author says of a missing page, by its address or as written, that something else is there. */
  ignoresDeadLink(address: string, written: string): boolean;
  /** The `base` of groups of the sidebar, wherever the configuration sets them; null when it may set others. */
  readonly sidebarBases: readonly string[] | null;
  /** False when part of what decides where pages are cannot be told without running the configuration. */
  readonly isSure: boolean;
  /** True when the site names its headings in its own way, or may do so. */
  readonly hasOwnSlugs: boolean;
}

const EXTENSIONS = ['ts', 'js', 'mts', 'mjs', 'cts', 'cjs'];

/** Names of the files that show a site. */
export const vitepressMarkers: readonly string[] = ['config', 'index'].flatMap((name) =>
  EXTENSIONS.map((extension) => `${name}.${extension}`),
);

/** Files that show a site; the second for one that has no configuration. */
const CONFIG = /^(?:(.*)\/)?\.vitepress\/config(?:\/index)?\.\w+$/;
const THEME = /^(?:(.*)\/)?\.vitepress\/theme\/index\.\w+$/;

/** The sites of a repository. */
export function findVitepressSites(repository: RepositoryFiles): readonly VitepressSite[] {
  const files = vitepressMarkers.flatMap((name) => repository.index.named(name));
  const configs = new Map<RepoPath, RepoPath>();
  for (const sign of [CONFIG, THEME]) {
    for (const path of files) {
      const match = sign.exec(path);
      const project = match?.[1] ?? '';
      if (match !== null && !configs.has(project))
        configs.set(project, sign === CONFIG ? path : joinPath(project, '.vitepress/config.ts'));
    }
  }
  const projects = withoutInstalled([...configs.keys()].map((project) => joinPath(project, 'x'))).map(
    folderOf,
  );
  return projects.map((project) => readSite(repository, project, configs.get(project) ?? ''));
}

function readSite(repository: RepositoryFiles, project: RepoPath, config: RepoPath): VitepressSite {
  const text = repository.text(config);
  const isThere = repository.index.entry(config) !== undefined;
  const options = { readImport: importsFrom(repository) };
  const read: ScriptValue = !isThere
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
    sidebarBases: basesIn(read),
    isSure: found.inside && srcDir !== null && outDir !== null && exclude !== null && rewrites.isSure,
    hasOwnSlugs: ownsSlugs(settingAt(read, 'markdown')),
  };
}

function publicFolderOf(source: RepoPath, publicDir: ScriptValue): RepoPath {
  const found = typeof publicDir === 'string' ? resolvePath(joinPath(source, 'x'), publicDir) : null;
  return found?.inside === true ? found.path : joinPath(source, 'public');
}

function ownsSlugs(markdown: ScriptValue): boolean {
  return settingAt(markdown, 'anchor', 'slugify') !== undefined;
}

/** The file of an include or snippet: `@` is the source folder. */
export function includePath({ source }: VitepressSite, file: RepoPath, target: string): RepoPath | null {
  const inSource = target.startsWith('@');
  if (inSource && !/^@[/\\]/.test(target)) return null;
  const found = inSource
    ? resolvePath(joinPath(source, 'x'), `.${target.slice(1)}`)
    : resolvePath(file, target);
  return found.inside ? found.path : null;
}
