import type { FilesRead, Table } from '../../format-port/index.ts';
import type { FileFacts, RepoPath } from '../../model/index.ts';
import { type ContentRoot, type PublishedPage, publisherOf } from './docusaurus-pages.ts';
import { normaliseRoute } from './docusaurus-site.ts';

/** The index of the content folder that publishes a page, and its route. */
interface Row {
  readonly root: number;
  readonly route: string;
}

/** Looks up the pages of a site by their files and by their addresses. */
export class PageTable {
  readonly #roots: readonly ContentRoot[];
  readonly #table: Table<Row>;

  constructor(
    files: FilesRead,
    roots: readonly ContentRoot[],
    factsOf: (path: RepoPath) => Pick<FileFacts, 'frontMatter'> | undefined,
  ) {
    this.#roots = roots;
    const published = publisherOf(roots, factsOf);
    this.#table = files.table<Row>('docusaurus pages', (entry) => {
      const page = published(entry);
      if (page === null) return [];
      const row = { root: roots.indexOf(page.root), route: page.route };
      return [
        [fileKey(page.file), row],
        [routeKey(page.root.locale, page.route), row],
      ];
    });
  }

  get(file: RepoPath): PublishedPage | undefined {
    const [row] = this.#table.rows(fileKey(file));
    const root = row === undefined ? undefined : this.#roots[row.value.root];
    return row === undefined || root === undefined ? undefined : { file, root, route: row.value.route };
  }

  has(file: RepoPath): boolean {
    return this.#table.rows(fileKey(file)).length > 0;
  }

  /** The first file that is published at an address; null when there is none. */
  fileAt(locale: string | null, route: string): RepoPath | null {
    return this.#table.rows(routeKey(locale, route))[0]?.file ?? null;
  }
}

function fileKey(file: RepoPath): string {
  return `file ${file}`;
}

function routeKey(locale: string | null, route: string): string {
  return `${locale ?? ''}:${normaliseRoute(route)}`;
}
