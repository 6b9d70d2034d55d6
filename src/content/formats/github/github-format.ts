import { readingOfMarkdown } from '../../facts/index.ts';
import type { FilesRead, Format, SpaceInput } from '../../format-port/index.ts';
import type { Page, RepoPath } from '../../model/index.ts';
import { type PageFile, pageFilesOf, pagesFromFolders, pagesFromSummary } from '../../pages/index.ts';
import { folderOf, isPageFile, isSourceOfSpace, isSummaryFile } from '../../tree/index.ts';
import { bestIndexFiles, githubRules } from './github-rules.ts';

/**
 * Plain Markdown as GitHub renders it: every Markdown file is a page, `SUMMARY.md` orders them if there is one, and
 * links may lead anywhere in the repository.
 */
export const githubFormat: Format = {
  detect: () => [{ directory: '', title: null, isFaint: true }],
  open(space) {
    const rules = githubRules(space.tree, space.repository);
    return {
      sources: space.entries.filter(isSourceOfSpace),
      readingOf: (path) => (isPageFile(path) ? readingOfMarkdown(path) : null),
      problems: [],
      signature: '',
      shapedBy: () => null,
      publish: (files) => ({
        get pages() {
          return buildPages(space, files);
        },
        get assets() {
          return space.entries
            .filter((entry) => !isPageFile(entry.path))
            .map(({ path, oid, size }) => ({ path, oid, size: size ?? null }));
        },
        rulesOf: () => rules,
        // The rules depend only on the index of files.
        changesSince: () => [],
      }),
    };
  },
};

function buildPages({ entries, directory }: SpaceInput, read: FilesRead): readonly Page[] {
  const files = pageFilesOf(entries, read, (path) => isPageFile(path) && !isSummaryFile(path));
  const summary = entries.find(
    (entry) => isSummaryFile(entry.path) && folderOf(entry.path) === directory && entry.mode !== 'symlink',
  );
  const contents = summary === undefined ? null : (read.facts(summary.path)?.contents ?? null);
  if (summary === undefined || contents === null || contents.length === 0) {
    return pagesFromFolders([...files.values()], directory);
  }
  const folderPages = bestIndexFiles(files.keys());
  return pagesFromSummary(contents, {
    summaryPath: summary.path,
    directory,
    pageAt: (path: RepoPath): PageFile | null =>
      files.get(path) ?? files.get(folderPages.get(path) ?? '') ?? null,
  });
}
