import type { FoundSpace, RepositoryFiles } from '../../format-port/index.ts';
import type { RepoPath } from '../../model/index.ts';
import { folderOf, isInside, isLeftOut, pathInside } from '../../tree/index.ts';
import { joinPath } from '../folder-paths.ts';
import { type GitbookSpaceConfig, readSpaceConfig } from './gitbook-config.ts';
import { spacesOfSites } from './site-config.ts';

/** Folders that contain the documentation of other projects. */
const FOREIGN = /(?:^|\/)(?:node_modules|vendor|third[-_]party|fixtures?|__\w+__|testdata|templates?)\//i;

/** An entry of a table of contents. */
const ENTRY = /^[ \t]*[*+-][ \t]+\[/m;

/** The heading with which GitBook's own export begins the file; other builders write a different heading, or none. */
const EXPORTED = /^\uFEFF?[ \t]{0,3}# +table of contents[ \t\r]*$/im;

/** A folder or file that only GitBook reads. */
const GITBOOK_OWN = /(?:^|\/)\.gitbook(?:\/|\.yaml$)/;

/** A folder or file that only GitBook, or its older program, reads. */
export const GITBOOK_FILE = /(?:^|\/)(?:\.gitbook(?:\/|\.yaml$)|book\.json$)/;

/**
 * Finds spaces by the site file, by `.gitbook.yaml`, and by a `SUMMARY.md` with a list of links, which is all that many
 * repositories have. Other projects order plain Markdown with such a file, too, so on its own it counts only with the
 * heading that GitBook writes, or if the repository contains another file of GitBook's (a `book.json` beside it or in a
 * folder around it), and no builder's page of the folder
 * (`_index.md`) is beside it. mdBook's `SUMMARY.md` looks the
 * same, so none counts in a repository with a `book.toml`.
 */
export function detectGitbook(files: RepositoryFiles): readonly FoundSpace[] {
  const { index } = files;
  const found = new Map<RepoPath, FoundSpace>();
  const add = (space: FoundSpace) => {
    if (!found.has(space.directory)) found.set(space.directory, space);
  };
  for (const space of spacesOfSites(files)) add(space);
  const summaries = new Set([...found.keys()].map((candidate) => readSpaceConfig(files, candidate).summary));
  for (const path of shallowFirst(index.named('.gitbook.yaml'))) {
    const directory = folderOf(path);
    const { summary, redirects } = readSpaceConfig(files, directory);
    const hasSummary = index.entry(summary) !== undefined;
    if (!hasSummary && redirectsOnly(files.text(path) ?? '') && isLeftBehind(files, directory, redirects))
      continue;
    summaries.add(summary);
    add({ directory, title: null, ...(hasSummary ? {} : { isFaint: true }) });
  }
  if (index.named('book.toml').length === 0) {
    const isMarkedAnywhere = found.size > 0 || files.tree.some(({ path }) => GITBOOK_OWN.test(path));
    // The settings of an older book are those of what is below them.
    const books = isMarkedAnywhere ? [] : index.named('book.json').map(folderOf);
    for (const path of shallowFirst(index.named('SUMMARY.md'))) {
      if (isLeftOut(path) || summaries.has(path)) continue;
      // Of Hugo and Zola, in whose folder the pages are now.
      if (index.entry(joinPath(folderOf(path), '_index.md')) !== undefined) continue;
      // cljdoc has a list of its own, and what that leaves out is read on the repository's host.
      if (index.entry(joinPath(folderOf(path), 'cljdoc.edn')) !== undefined) continue;
      const isMarked = isMarkedAnywhere || books.some((folder) => isInside(path, folder));
      const text = files.text(path) ?? '';
      if (!ENTRY.test(text) || !(isMarked || EXPORTED.test(text))) continue;
      if (isPartOfAnother(files, folderOf(path), summaries)) continue;
      summaries.add(path);
      add({ directory: folderOf(path), title: null, ...(isMarked ? {} : { isGuess: true }) });
    }
  }
  return [...found.values()];
}

/** Whether the settings of a space hold redirects and nothing else. */
function redirectsOnly(settings: string): boolean {
  const keys = [...settings.matchAll(/^["']?([\w-]+)["']?[ \t]*:/gm)].map(([, key]) => key);
  return keys.length > 0 && keys.every((key) => key === 'redirects');
}

/**
 * Whether the redirects of a folder without a table of contents are those of another program, to which the pages moved: none
 * leads to a file, as GitBook reads them, and the folder that GitBook makes is not there.
 */
function isLeftBehind(
  { index }: RepositoryFiles,
  directory: RepoPath,
  redirects: GitbookSpaceConfig['redirects'],
) {
  if (redirects.size === 0 || index.isFolder(joinPath(directory, '.gitbook'))) return false;
  return [...redirects.values()].every(
    (path) => index.entry(path) === undefined && index.entry(`${path}.md`) === undefined,
  );
}

/** Whether the table of contents of a folder around this one lists its pages, so that they are published there. */
function isPartOfAnother(
  files: RepositoryFiles,
  folder: RepoPath,
  summaries: ReadonlySet<RepoPath>,
): boolean {
  for (let outer = folder; outer !== ''; ) {
    outer = folderOf(outer);
    const summary = outer === '' ? 'SUMMARY.md' : `${outer}/SUMMARY.md`;
    if (!summaries.has(summary)) continue;
    const inside = `${pathInside(folder, outer)}/`;
    const text = files.text(summary) ?? '';
    return [`](${inside}`, `](<${inside}`, `](./${inside}`].some((link) => text.includes(link));
  }
  return false;
}

function shallowFirst(paths: readonly RepoPath[]): readonly RepoPath[] {
  const own = paths.filter((path) => !FOREIGN.test(path));
  return own.toSorted((a, b) => a.split('/').length - b.split('/').length || (a < b ? -1 : 1));
}
