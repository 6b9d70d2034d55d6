import type { RepositoryFiles } from '../../format-port/index.ts';
import type { RepoPath, TreeEntry } from '../../model/index.ts';
import { readScriptConfig } from '../script-config/read-script-config.ts';
import { importsFrom } from '../script-config/script-files.ts';
import { isList, isScriptObject, ScriptFunction, settingAt } from '../script-config/script-value.ts';

/** The pages that are generated from a page with parameters in its path, `[pkg].md`, and data. */
export interface GeneratedPages {
  /** The page from which they are generated. */
  readonly page: RepoPath;
  /** Their paths, as if they were files; null when they can be known only by running the loader. */
  readonly paths: readonly RepoPath[] | null;
}

/** If a loader lists more pages than this, they are treated as unknown. */
const MAX_PATHS = 5_000;

/**
 * Reads the loaders of pages with parameters (https://vitepress.dev/guide/routing#dynamic-routes) if they list
 * constants: `paths: […]`, `paths() { return […] }`.
 */
export function readGeneratedPages(
  repository: RepositoryFiles,
  entries: readonly TreeEntry[],
  isPage: (path: RepoPath) => boolean,
): readonly GeneratedPages[] {
  const generated: GeneratedPages[] = [];
  for (const { path } of entries) {
    if (path.includes('[') && isPage(path)) generated.push({ page: path, paths: pathsOf(repository, path) });
  }
  return generated;
}

function pathsOf(repository: RepositoryFiles, page: RepoPath): readonly RepoPath[] | null {
  const loader = ['ts', 'js', 'mts', 'mjs']
    .map((ending) => page.replace(/\.md$/, `.paths.${ending}`))
    .find((path) => repository.index.entry(path) !== undefined);
  const text = loader === undefined ? null : repository.text(loader);
  if (loader === undefined || text === null) return null;
  const config = readScriptConfig(text, loader, { readImport: importsFrom(repository) });
  const setting = settingAt(config, 'paths');
  const list = setting instanceof ScriptFunction ? setting.result() : setting;
  if (!isList(list) || list.length > MAX_PATHS) return null;
  const paths: RepoPath[] = [];
  for (const item of list) {
    const params = settingAt(item, 'params');
    if (!isScriptObject(params) || params.isOpen) return null;
    let path = page;
    for (const [name, value] of params.entries) {
      if (typeof value !== 'string' && typeof value !== 'number') return null;
      path = path.replaceAll(`[${name}]`, String(value));
    }
    if (path.includes('[')) return null;
    paths.push(path);
  }
  return paths;
}
