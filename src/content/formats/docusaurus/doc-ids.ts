import type { FilesRead, Table } from '../../format-port/index.ts';
import type { FileFacts, RepoPath } from '../../model/index.ts';
import { folderOf, isInside, pathInside } from '../../tree/index.ts';
import { compileGlobs } from '../glob-set.ts';
import { settingAt } from '../script-config/script-value.ts';
import { type ContentRoot, withoutNumber } from './docusaurus-pages.ts';

/** Looks up the documents of each version by their ids, and ids by documents. */
export class DocIds {
  /** The folders of documents, without those of translations. */
  readonly roots: readonly ContentRoot[];
  readonly #table: Table<string>;

  /**
   * An id (https://docusaurus.io/docs/create-doc) consists of the folders and the `id` of the front matter or the
   * file's name, without leading numbers. Drafts have ids, too: a sidebar that names one leaves it out without an
   * error.
   */
  constructor(
    files: FilesRead,
    roots: readonly ContentRoot[],
    factsOf: (path: RepoPath) => FileFacts | undefined,
  ) {
    this.roots = roots.filter((root) => root.plugin.kind === 'docs' && root.locale === null);
    const tests = this.roots.map((root, at) => ({
      root,
      at,
      isIncluded: compileGlobs(root.plugin.include),
      isExcluded: compileGlobs(root.plugin.exclude),
    }));
    this.#table = files.table<string>('docusaurus ids', ({ path, mode }) => {
      if (mode === 'submodule' || !/\.mdx?$/.test(path)) return [];
      return tests.flatMap(({ root, at, isIncluded, isExcluded }): (readonly [string, string])[] => {
        if (!isInside(path, root.folder)) return [];
        const inside = pathInside(path, root.folder);
        if (!isIncluded(inside) || isExcluded(inside)) return [];
        const id = idOf(root, inside, factsOf(path)?.frontMatter ?? {});
        return [
          [idKey(at, id), id],
          [fileKey(at, path), id],
        ];
      });
    });
  }

  /** The first document with an id; null when there is none. */
  fileOf(root: ContentRoot, id: string): RepoPath | null {
    return this.#table.rows(idKey(this.roots.indexOf(root), id))[0]?.file ?? null;
  }

  idOf(root: ContentRoot, file: RepoPath): string | null {
    return this.#table.rows(fileKey(this.roots.indexOf(root), file))[0]?.value ?? null;
  }
}

function idKey(root: number, id: string): string {
  return `id ${root} ${id}`;
}

function fileKey(root: number, file: RepoPath): string {
  return `file ${root} ${file}`;
}

function idOf(root: ContentRoot, inside: string, frontMatter: FileFacts['frontMatter']): string {
  const keepsNumbers =
    frontMatter['parse_number_prefixes'] === false ||
    settingAt(root.plugin.options, 'numberPrefixParser') === false;
  const plain = (name: string) => (keepsNumbers ? name : withoutNumber(name));
  const folder = folderOf(inside);
  const folders = folder === '' ? [] : folder.split('/').map(plain);
  const name = inside.slice(folder === '' ? 0 : folder.length + 1).replace(/\.mdx?$/, '');
  const id = frontMatter['id'];
  return [...folders, typeof id === 'string' && id !== '' ? id : plain(name)].join('/');
}
