import type { RepositoryFiles } from '../../format-port/index.ts';
import type { RepoPath } from '../../model/index.ts';
import { folderOf, isInside, resolvePath, withoutInstalled } from '../../tree/index.ts';
import { compileGlobs } from '../glob-set.ts';
import { readScriptConfig } from '../script-config/read-script-config.ts';
import { textAt, textsOf, UNKNOWN, valueAt } from '../script-config/script-value.ts';
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
  /** Where the site stands on its host, with slashes at both ends; null when only running the configuration tells. */
  readonly base: string | null;
  /** Whether a Markdown file, by its path below `source`, is no page. */
  isExcluded(path: string): boolean;
  readonly rewrites: Rewrites;
  /** Whether the site's author says of a missing page, by its address or as written, that something else is there. */
  leavesAlone(address: string, written: string): boolean;
  /** The `base` of groups of the sidebar, wherever the configuration sets them; null when it may set others. */
  readonly sidebarBases: readonly string[] | null;
  /** False when part of what decides where pages are cannot be told without running the configuration. */
  readonly isSure: boolean;
  /** True when the site names its headings in its own way. */
  readonly hasOwnSlugs: boolean;
}

const EXTENSIONS = ['ts', 'js', 'mts', 'mjs', 'cts', 'cjs'];

/** Names of the files that show a site. */
export const vitepressSigns: readonly string[] = ['config', 'index'].flatMap((name) =>
  EXTENSIONS.map((extension) => `${name}.${extension}`),
);

/** Files that show a site; the second for one that has no configuration. */
const CONFIG = /^(?:(.*)\/)?\.vitepress\/config(?:\/index)?\.\w+$/;
const THEME = /^(?:(.*)\/)?\.vitepress\/theme\/index\.\w+$/;

/** The sites of a repository. */
export function findVitepressSites(repository: RepositoryFiles): readonly VitepressSite[] {
  const files = vitepressSigns.flatMap((name) => repository.index.named(name));
  const configs = new Map<RepoPath, RepoPath>();
  for (const sign of [CONFIG, THEME]) {
    for (const path of files) {
      const match = sign.exec(path);
      const project = match?.[1] ?? '';
      if (match !== null && !configs.has(project))
        configs.set(project, sign === CONFIG ? path : join(project, '.vitepress/config.ts'));
    }
  }
  const projects = withoutInstalled([...configs.keys()].map((project) => join(project, 'x'))).map(folderOf);
  return projects.map((project) => readSite(repository, project, configs.get(project) ?? ''));
}

function readSite(repository: RepositoryFiles, project: RepoPath, config: RepoPath): VitepressSite {
  const read = readScriptConfig(repository.text(config) ?? '', (specifier) =>
    importText(repository, config, specifier),
  );
  const srcDir = textAt(read, 'srcDir');
  const found = resolvePath(join(project, 'x'), srcDir ?? '.');
  const source = found.inside ? found.path : project;
  const exclude = textsOf(valueAt(read, 'srcExclude') ?? []);
  const rewrites = compileRewrites(valueAt(read, 'rewrites'));
  const base = textAt(read, 'base');
  const outDir = textAt(read, 'outDir');
  const leftOut = compileGlobs(['**/node_modules/**', '**/dist/**', ...(exclude ?? [])]);
  const built = typeof outDir === 'string' ? resolvePath(join(project, 'x'), outDir) : null;
  const publicDir = textAt(read, 'vite', 'publicDir');
  return {
    config,
    directory: isInside(source, project) || source === project ? project : commonFolder(project, source),
    title: textAt(read, 'title') ?? null,
    source,
    publicFolder: publicFolderOf(source, publicDir),
    base: base === null ? null : `/${base ?? ''}/`.replace(/\/{2,}/g, '/'),
    isExcluded: (path) =>
      leftOut(path) ||
      (built?.inside === true && built.path !== '' && isInside(join(source, path), built.path)),
    rewrites,
    leavesAlone: ignoredDeadLinks(valueAt(read, 'ignoreDeadLinks'), repository.text(config) ?? ''),
    sidebarBases: basesIn(read),
    isSure:
      (read !== null || repository.index.entry(config) === undefined) &&
      found.inside &&
      srcDir !== null &&
      exclude !== null &&
      rewrites.isSure,
    hasOwnSlugs: ownsSlugs(valueAt(read, 'markdown')),
  };
}

function publicFolderOf(source: RepoPath, publicDir: string | null | undefined): RepoPath {
  const found = typeof publicDir === 'string' ? resolvePath(join(source, 'x'), publicDir) : null;
  return found?.inside === true ? found.path : join(source, 'public');
}

function importText(repository: RepositoryFiles, config: RepoPath, specifier: string): string | null {
  const path = modulePath(repository, config, specifier);
  return path === null ? null : repository.text(path);
}

/** The file that a module of the configuration imports by a relative path. */
function modulePath(repository: RepositoryFiles, from: RepoPath, specifier: string): RepoPath | null {
  const found = resolvePath(from, specifier.replace(/\.js$/, ''));
  if (!found.inside) return null;
  const names = [
    found.path,
    ...EXTENSIONS.flatMap((one) => [`${found.path}.${one}`, `${found.path}/index.${one}`]),
  ];
  return names.find((name) => repository.index.entry(name) !== undefined) ?? null;
}

/** Modules of one configuration that are read. */
const MAX_MODULES = 100;

/** The modules that a configuration is put together from, in scripts beside it. */
export function configModules(repository: RepositoryFiles, config: RepoPath): readonly RepoPath[] {
  const modules = new Set<RepoPath>();
  const open = [config];
  for (let file = open.pop(); file !== undefined && modules.size < MAX_MODULES; file = open.pop()) {
    for (const [, specifier = ''] of (repository.text(file) ?? '').matchAll(
      /^[ \t]*(?:import|export)\b[^'"\n;]{0,500}?(?:\n[^'"\n;]{0,500}){0,50}?from\s{0,9}['"](\.[^'"\n]{1,300})['"]/gm,
    )) {
      const path = modulePath(repository, file, specifier);
      if (path === null || path === config || modules.has(path) || !/\.[cm]?[jt]s$/.test(path)) continue;
      modules.add(path);
      open.push(path);
    }
  }
  return [...modules];
}

function ownsSlugs(markdown: ReturnType<typeof valueAt>): boolean {
  const slugify = valueAt(markdown, 'anchor', 'slugify');
  return markdown !== UNKNOWN && slugify !== undefined;
}

export function join(folder: RepoPath, name: string): RepoPath {
  return folder === '' ? name : `${folder}/${name}`;
}

/** The innermost folder that holds both. */
export function commonFolder(one: RepoPath, other: RepoPath): RepoPath {
  let folder = one;
  while (folder !== '' && folder !== other && !isInside(other, folder)) folder = folderOf(folder);
  return folder;
}
