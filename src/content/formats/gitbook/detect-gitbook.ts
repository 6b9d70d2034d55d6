import type { RepoPath } from '../../model.ts';
import { isLeftOut } from '../../tree/page-files.ts';
import { folderOf } from '../../tree/relative-path.ts';
import type { FoundSpace, RepositoryFiles } from '../format.ts';
import { spacesOfSites } from './site-config.ts';
import { readSpaceConfig } from './space-config.ts';

/** Folders that hold somebody else's documentation. */
const FOREIGN = /(?:^|\/)(?:node_modules|vendor|third[-_]party|fixtures?|__\w+__|testdata|templates?)\//i;

/** An entry of a table of contents. */
const ENTRY = /^[ \t]*[*+-][ \t]+\[/m;

/**
 * Finds spaces by the site file, by `.gitbook.yaml`, and by a `SUMMARY.md` with a list of links, which is all that many
 * repositories have. mdBook's `SUMMARY.md` looks the same, so where a `book.toml` is, only the other signs count.
 */
export function detectGitbook(files: RepositoryFiles): readonly FoundSpace[] {
  const { index } = files;
  const found = new Map<RepoPath, FoundSpace>();
  const add = (space: FoundSpace) => {
    if (!found.has(space.directory)) found.set(space.directory, space);
  };
  for (const space of spacesOfSites(files)) add(space);
  const summaries = new Set([...found.keys()].map((one) => readSpaceConfig(files, one).summary));
  for (const path of shallowFirst(index.named('.gitbook.yaml'))) {
    const directory = folderOf(path);
    const { summary } = readSpaceConfig(files, directory);
    summaries.add(summary);
    add({ directory, title: null, ...(index.entry(summary) === undefined ? { isFaint: true } : {}) });
  }
  if (index.named('book.toml').length === 0) {
    for (const path of shallowFirst(index.named('SUMMARY.md'))) {
      if (isLeftOut(path) || summaries.has(path)) continue;
      if (ENTRY.test(files.text(path) ?? '')) add({ directory: folderOf(path), title: null });
    }
  }
  return [...found.values()];
}

function shallowFirst(paths: readonly RepoPath[]): readonly RepoPath[] {
  const own = paths.filter((path) => !FOREIGN.test(path));
  return own.toSorted((a, b) => a.split('/').length - b.split('/').length || (a < b ? -1 : 1));
}
