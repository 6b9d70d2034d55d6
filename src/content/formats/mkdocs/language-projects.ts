import type { RepositoryFiles, SpaceInput } from '../../format-port/index.ts';
import type { RepoPath } from '../../model/index.ts';
import { readLanguage } from '../../text/index.ts';
import { folderOf, isInside, type TreeIndex } from '../../tree/index.ts';
import { type MkdocsConfig, readMkdocsConfig } from './mkdocs-config.ts';
import { isMkdocsPage } from './published-site.ts';

export const CONFIG_NAMES = ['mkdocs.yml', 'mkdocs.yaml'];

/** Names of further configurations beside one, such as `mkdocs.blog.yml` and `mkdocs-en.yml`. */
const FURTHER_CONFIG = /(?:^|\/)mkdocs[._-](?!theme\.)[^/]+\.ya?ml$/;

/** The configurations of other names beside those of `configs`, with which a project builds further sites. */
export function furtherConfigs(
  configs: readonly RepoPath[],
  { entries, index }: Pick<SpaceInput, 'entries' | 'index'>,
): readonly RepoPath[] {
  const folders = new Set(configs.filter((path) => index.entry(path) !== undefined).map(folderOf));
  if (folders.size === 0) return [];
  return entries.flatMap(({ path, mode }) =>
    FURTHER_CONFIG.test(path) && mode !== 'symlink' && folders.has(folderOf(path)) ? [path] : [],
  );
}

/**
 * Those of `further` whose pages are in a folder that has nothing to do with any other configuration's: the others, such
 * as one with paid plugins for the same pages, build a site that is already known.
 */
export function ownSites(
  further: readonly MkdocsConfig[],
  known: readonly MkdocsConfig[],
  index: TreeIndex,
): readonly MkdocsConfig[] {
  const folders = known.flatMap(({ docsFolder }) => docsFolder ?? []);
  return further.filter(({ docsFolder }) => {
    if (docsFolder === null || !index.isFolder(docsFolder)) return false;
    if (folders.some((other) => areNested(other, docsFolder))) return false;
    folders.push(docsFolder);
    return true;
  });
}

function areNested(a: RepoPath, b: RepoPath): boolean {
  return a === b || isInside(a, b) || isInside(b, a);
}

/** Whether a folder is named by a language, such as `docs/fr` and `docs/zh-hant`. */
export function isLanguageFolder(folder: RepoPath): boolean {
  const name = folder.slice(folder.lastIndexOf('/') + 1);
  if (!/^[a-z]{2,3}(?:[-_][a-z]{2,4})?$/i.test(name)) return false;
  return /^zh\b/i.test(name) || !('problem' in readLanguage(name.replace('_', '-')));
}

/**
 * Returns the folders of languages beside a project in one, such as `docs/fr` beside `docs/en/mkdocs.yml`, that have pages
 * in a folder of the same name and no configuration: a script of the project builds them with the one that is there.
 */
export function foldersBeside(
  config: Pick<MkdocsConfig, 'file' | 'docsFolder'>,
  { tree, index }: Pick<RepositoryFiles, 'tree' | 'index'>,
): readonly RepoPath[] {
  const own = folderOf(config.file);
  const { docsFolder } = config;
  if (docsFolder === null || !isLanguageFolder(own) || !isInside(docsFolder, own)) return [];
  const parent = folderOf(own);
  const docs = docsFolder.slice(own.length);
  const found = new Set<RepoPath>();
  for (const { path } of tree) {
    if (!isInside(path, parent) || !isMkdocsPage(path)) continue;
    const end = path.indexOf('/', parent === '' ? 0 : parent.length + 1);
    const folder = end === -1 ? '' : path.slice(0, end);
    if (folder === '' || found.has(folder) || !isInside(path, folder + docs)) continue;
    if (isLanguageFolder(folder) && configIn(folder, index) === null) found.add(folder);
  }
  return [...found];
}

export function configIn(folder: RepoPath, index: TreeIndex): RepoPath | null {
  const paths = CONFIG_NAMES.map((name) => (folder === '' ? name : `${folder}/${name}`));
  return paths.find((path) => index.entry(path) !== undefined) ?? null;
}

/**
 * Reads the configuration of a project at `file`. Beside one of another language it follows the rules of that one, from
 * which its build takes what is not translated; `file` need not exist there. At which address it stands is known only to
 * the script that builds it.
 */
export function readLanguageConfig(
  file: RepoPath,
  repository: Pick<RepositoryFiles, 'text' | 'yaml' | 'folderAt' | 'index'>,
): MkdocsConfig {
  const folder = folderOf(file);
  const own = repository.index.entry(file) === undefined ? null : readMkdocsConfig(file, repository);
  const source = isLanguageFolder(folder) ? standardBeside(folder, own, repository.index) : null;
  if (source === null) return own ?? readMkdocsConfig(file, repository);
  const standard = readMkdocsConfig(source, repository);
  const from = folderOf(source);
  const moved = (path: RepoPath | null) =>
    path !== null && isInside(path, from) ? folder + path.slice(from.length) : path;
  const config = own ?? {
    ...standard,
    file,
    docsFolder: moved(standard.docsFolder),
    navFile: null,
    pluginsFile: null,
    problems: [],
  };
  return { ...config, basePath: null, host: null, standardDocs: standard.docsFolder };
}

/** The configuration whose rules a folder of a language follows: the one that its own inherits from, or English beside it. */
function standardBeside(folder: RepoPath, own: MkdocsConfig | null, index: TreeIndex): RepoPath | null {
  const parent = folderOf(folder);
  const beside = CONFIG_NAMES.flatMap((name) => index.named(name)).filter((path) => {
    const other = folderOf(path);
    return other !== folder && folderOf(other) === parent && isLanguageFolder(other);
  });
  if (own !== null) return beside.find((path) => own.inherits.includes(path)) ?? null;
  return beside.find((path) => /(?:^|\/)en\/[^/]+$/.test(path)) ?? beside.toSorted()[0] ?? null;
}
