import { readingOfMarkdown } from '../../../../src/content/facts/index.ts';
import type { Format, RepositoryFiles } from '../../../../src/content/format-port/index.ts';
import { joinPath } from '../../../../src/content/formats/folder-paths.ts';
import type { ContentsEntry, RepoPath } from '../../../../src/content/model/index.ts';
import { pageFilesOf, pagesFromSummary } from '../../../../src/content/pages/index.ts';
import {
  folderOf,
  isPageFile,
  isSourceOfSpace,
  withoutInstalled,
} from '../../../../src/content/tree/index.ts';
import { folioRules } from './folio-rules.ts';

export const folioFormat: Format = {
  detect: (repository) =>
    withoutInstalled(repository.index.named('folio.txt')).map((path) => ({
      directory: folderOf(path),
      title: readFolio(repository, folderOf(path)).title,
    })),
  open(space) {
    const { listed, path } = readFolio(space, space.directory);
    const pages = new Set(listed);
    return {
      sources: space.entries.filter(isSourceOfSpace),
      readingOf: (file) => (isPageFile(file) ? readingOfMarkdown(file) : null),
      problems: [],
      // The rules use no file besides folio.txt, so they stay when a page changes.
      shapedBy: () => null,
      publish(files) {
        const rules = folioRules({ images: joinPath(space.directory, 'images'), pages });
        return {
          get pages() {
            const own = pageFilesOf(space.entries, files, (file) => pages.has(file));
            const entries = listed.map((file): ContentsEntry => {
              const title = own.get(file)?.facts?.title ?? '';
              return { type: 'item', title, target: file, children: [] };
            });
            return pagesFromSummary(entries, {
              summaryPath: path,
              directory: space.directory,
              pageAt: (file) => own.get(file) ?? null,
              pathOf: (file) => ({ path: file, anchor: null }),
            });
          },
          assets: [],
          rulesOf: () => rules,
        };
      },
    };
  },
};

function readFolio(repository: RepositoryFiles, directory: RepoPath) {
  const path = joinPath(directory, 'folio.txt');
  const [title = '', ...names] = (repository.text(path) ?? '').split(/\r?\n/, 1_000);
  const listed = names.filter((name) => name !== '').map((name) => joinPath(directory, name));
  return { path, title: title === '' ? null : title, listed };
}
