import type { FileFacts, RepoPath, TreeEntry } from '../../model.ts';
import { isInside, pathInside } from '../../tree/page-files.ts';
import { folderOf } from '../../tree/relative-path.ts';
import { compileGlobs } from '../glob-set.ts';
import { valueAt } from '../script-config/script-value.ts';
import { type ContentRoot, withoutNumber } from './docusaurus-pages.ts';

/** The documents of one folder by their ids, and back. */
export interface DocIds {
  readonly files: ReadonlyMap<string, RepoPath>;
  readonly ids: ReadonlyMap<RepoPath, string>;
}

/**
 * The ids of the documents of each version (https://docusaurus.io/docs/create-doc): the folders, and the `id` of the front
 * matter or the file's name, without numbers in front. Drafts count: a sidebar that names one only leaves it out.
 */
export function docIdsOf(
  roots: readonly ContentRoot[],
  entries: readonly TreeEntry[],
  factsOf: (path: RepoPath) => FileFacts | undefined,
): ReadonlyMap<ContentRoot, DocIds> {
  const docs = roots
    .filter((root) => root.plugin.kind === 'docs' && root.locale === null)
    .map((root) => ({
      root,
      isIn: compileGlobs(root.plugin.include),
      isOut: compileGlobs(root.plugin.exclude),
      files: new Map<string, RepoPath>(),
      ids: new Map<RepoPath, string>(),
    }));
  for (const { path, mode } of entries) {
    if (mode === 'submodule' || !/\.mdx?$/.test(path)) continue;
    for (const { root, isIn, isOut, files, ids } of docs) {
      if (!isInside(path, root.folder)) continue;
      const inside = pathInside(path, root.folder);
      if (!isIn(inside) || isOut(inside)) continue;
      const id = idOf(root, inside, factsOf(path)?.frontMatter ?? {});
      ids.set(path, id);
      if (!files.has(id)) files.set(id, path);
    }
  }
  return new Map(docs.map(({ root, files, ids }) => [root, { files, ids }]));
}

function idOf(root: ContentRoot, inside: string, matter: FileFacts['frontMatter']): string {
  const keeps =
    matter['parse_number_prefixes'] === false || valueAt(root.plugin.options, 'numberPrefixParser') === false;
  const plain = (name: string) => (keeps ? name : withoutNumber(name));
  const folder = folderOf(inside);
  const folders = folder === '' ? [] : folder.split('/').map(plain);
  const name = inside.slice(folder === '' ? 0 : folder.length + 1).replace(/\.mdx?$/, '');
  const id = matter['id'];
  return [...folders, typeof id === 'string' && id !== '' ? id : plain(name)].join('/');
}
