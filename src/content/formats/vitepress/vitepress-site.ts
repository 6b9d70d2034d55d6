import type { RepoPath } from '../../model.ts';
import { isInside } from '../../tree/page-files.ts';
import { folderOf, resolvePath } from '../../tree/relative-path.ts';
import { withoutInstalled } from '../example-folders.ts';
import type { RepositoryFiles } from '../format.ts';
import { compileGlobs } from '../glob-set.ts';
import { readScriptConfig } from '../script-config/read-script-config.ts';
import { isObject, textAt, textsOf, UNKNOWN, valueAt } from '../script-config/script-value.ts';

/** What the configuration of a VitePress site says (https://vitepress.dev/reference/site-config). */
export interface VitepressSite {
  readonly config: RepoPath;
  /** The folder that holds both the project and its pages. */
  readonly directory: RepoPath;
  readonly title: string | null;
  /** The folder of the pages. */
  readonly source: RepoPath;
  readonly publicFolder: RepoPath;
  /** Where the site stands on its host, with slashes at both ends. */
  readonly base: string;
  /** Whether a Markdown file, by its path below `source`, is no page. */
  isExcluded(path: string): boolean;
  /** Path below `source` → where the page is published, by the same kind of path. */
  readonly rewrites: ReadonlyMap<string, string>;
  /** The other way round. */
  readonly movedFrom: ReadonlyMap<string, string>;
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
  const rewrites = valueAt(read, 'rewrites');
  const moved = staticRewrites(rewrites);
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
    base: `/${typeof base === 'string' ? base : ''}/`.replace(/\/{2,}/g, '/'),
    isExcluded: (path) =>
      leftOut(path) ||
      (built?.inside === true && built.path !== '' && isInside(join(source, path), built.path)),
    rewrites: moved,
    movedFrom: new Map([...moved].map(([from, to]) => [to, from])),
    isSure:
      (read !== null || repository.index.entry(config) === undefined) &&
      found.inside &&
      srcDir !== null &&
      exclude !== null &&
      (rewrites === undefined || areStatic(rewrites)) &&
      !(read?.isOpen === true && srcDir === undefined && rewrites === UNKNOWN),
    hasOwnSlugs: ownsSlugs(valueAt(read, 'markdown')),
  };
}

function publicFolderOf(source: RepoPath, publicDir: string | null | undefined): RepoPath {
  const found = typeof publicDir === 'string' ? resolvePath(join(source, 'x'), publicDir) : null;
  return found?.inside === true ? found.path : join(source, 'public');
}

function importText(repository: RepositoryFiles, config: RepoPath, specifier: string): string | null {
  const found = resolvePath(config, specifier);
  if (!found.inside) return null;
  const names = [
    found.path,
    ...EXTENSIONS.flatMap((one) => [`${found.path}.${one}`, `${found.path}/index.${one}`]),
  ];
  const path = names.find((name) => repository.index.entry(name) !== undefined);
  return path === undefined ? null : repository.text(path);
}

/** Rewrites without parameters, which can be told one by one. */
function staticRewrites(value: ReturnType<typeof valueAt>): ReadonlyMap<string, string> {
  const rewrites = new Map<string, string>();
  if (!isObject(value)) return rewrites;
  for (const [from, to] of value.entries) {
    if (typeof to === 'string') rewrites.set(from.replace(/^\//, ''), to.replace(/^\//, ''));
  }
  return rewrites;
}

function areStatic(value: ReturnType<typeof valueAt>): boolean {
  if (!isObject(value) || value.isOpen) return false;
  return [...value.entries].every(([from, to]) => typeof to === 'string' && !/[:*(]/.test(from));
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
