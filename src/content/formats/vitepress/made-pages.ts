import type { RepositoryFiles } from '../../format-port/index.ts';
import type { RepoPath, TreeEntry } from '../../model/index.ts';
import { ScriptScanner } from '../script-config/script-scanner.ts';
import { isList, isObject, UNKNOWN, valueAt } from '../script-config/script-value.ts';

/** The pages that data makes from one page with parameters in its path, `[pkg].md`. */
export interface MadePages {
  /** The page that stands for all of them. */
  readonly page: RepoPath;
  /** Their paths, as if they were files; null when only running the loader tells. */
  readonly paths: readonly RepoPath[] | null;
}

/** Where a loader lists its paths, as a literal: `paths: […]`, `paths() { return […] }`, `paths: () => […]`. */
const LIST =
  /\bpaths\s{0,20}(?:\(\s{0,20}\)\s{0,20}\{\s{0,200}return|:\s{0,20}\(\s{0,20}\)\s{0,20}=>\s{0,20}(?:\{\s{0,200}return)?|:)\s{0,200}(?=\[)/;

/** Pages that one loader lists; more are taken as unknown. */
const MAX_PATHS = 5_000;

/**
 * Reads the loaders of pages with parameters from their text (https://vitepress.dev/guide/routing#dynamic-routes). What is
 * no literal list of parameters is not understood.
 */
export function readMadePages(
  repository: RepositoryFiles,
  entries: readonly TreeEntry[],
  isPage: (path: RepoPath) => boolean,
): readonly MadePages[] {
  const made: MadePages[] = [];
  for (const { path } of entries) {
    if (path.includes('[') && isPage(path)) made.push({ page: path, paths: pathsOf(repository, path) });
  }
  return made;
}

function pathsOf(repository: RepositoryFiles, page: RepoPath): readonly RepoPath[] | null {
  const loader = ['ts', 'js', 'mts', 'mjs']
    .map((ending) => page.replace(/\.md$/, `.paths.${ending}`))
    .find((path) => repository.index.entry(path) !== undefined);
  const text = loader === undefined ? null : repository.text(loader);
  const start = text === null ? null : LIST.exec(text);
  if (text === null || start === null) return null;
  const list = new ScriptScanner(text, start.index + start[0].length, () => UNKNOWN).value();
  if (!isList(list) || list.length > MAX_PATHS) return null;
  const paths: RepoPath[] = [];
  for (const one of list) {
    const params = valueAt(one, 'params');
    if (!isObject(params) || params.isOpen) return null;
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
