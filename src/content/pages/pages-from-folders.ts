import type { Page, RepoPath } from '../model/index.ts';
import { compareNaturally } from '../text/index.ts';
import { folderOf, indexRank, pathInside } from '../tree/index.ts';
import { documentEntry, groupEntry, type PageFile, titleFromName } from './page-entry.ts';
import { PagePaths, publishedPath } from './page-paths.ts';

interface Folder {
  readonly path: RepoPath;
  readonly files: PageFile[];
  readonly folders: Map<string, Folder>;
  own: PageFile | null;
}

/**
 * Builds the navigation from the folders: README (or index) is its folder's page, the rest is in natural order (`2`
 * before `10`) by name unless `order` says otherwise. The root's README comes first, as the home page. A page has the path
 * of its file, unless the builder publishes it elsewhere: `addressOf`, without slashes at its ends; null for no other path.
 */
export function pagesFromFolders(
  files: readonly PageFile[],
  directory: string,
  {
    order = inOneList,
    addressOf = () => null,
  }: { readonly order?: FolderOrder; readonly addressOf?: (file: RepoPath) => string | null } = {},
): readonly Page[] {
  const root = buildFolders(files, directory);
  const paths = new PagePaths();
  // Before those of folders: at an address that both have, readers expect the page.
  const addresses = new Map<RepoPath, string>();
  for (const { path } of files) {
    const address = addressOf(path);
    if (address !== null) addresses.set(path, paths.assign(address));
  }
  const known: KnownPaths = {
    assign: (wanted) => paths.assign(wanted),
    ofPage: ({ path }, wanted) => addresses.get(path) ?? paths.assign(wanted),
  };
  const entriesOf = (folder: Folder) => sortedEntries(folder, directory, order);
  const home = root.own === null ? [] : [documentEntry(root.own, known.ofPage(root.own, ''), null, [])];
  return [...home, ...pagesOf(root, known, entriesOf)];
}

interface KnownPaths {
  /** The path of a folder without a page. */
  assign(wanted: string): string;
  ofPage(file: PageFile, wanted: string): string;
}

/** Compares two entries of one folder. */
type FolderOrder = (a: FolderEntry, b: FolderEntry) => number;

export interface FolderEntry {
  readonly name: string;
  /** In the repository. */
  readonly path: RepoPath;
  readonly isFolder: boolean;
}

function inOneList(a: FolderEntry, b: FolderEntry): number {
  return compareNaturally(a.name, b.name) || (a.name < b.name ? -1 : 1);
}

function buildFolders(files: readonly PageFile[], directory: string): Folder {
  const root = emptyFolder('');
  for (const file of files) {
    const inside = pathInside(file.path, directory);
    let folder = root;
    for (const name of folderOf(inside).split('/').filter(Boolean)) {
      let next = folder.folders.get(name);
      if (next === undefined) {
        next = emptyFolder(folder.path === '' ? name : `${folder.path}/${name}`);
        folder.folders.set(name, next);
      }
      folder = next;
    }
    addFile(folder, file);
  }
  return root;
}

function emptyFolder(path: RepoPath): Folder {
  return { path, files: [], folders: new Map(), own: null };
}

/** The best index file is the folder's own page; any others stay pages inside it. */
function addFile(folder: Folder, file: PageFile): void {
  const rank = indexRank(file.path);
  const ownRank = folder.own === null ? null : indexRank(folder.own.path);
  if (rank !== null && (ownRank === null || rank < ownRank)) {
    if (folder.own !== null) folder.files.push(folder.own);
    folder.own = file;
  } else {
    folder.files.push(file);
  }
}

type KnownEntry = FolderEntry &
  ({ readonly file: PageFile; readonly folder: null } | { readonly file: null; readonly folder: Folder });

function sortedEntries(folder: Folder, directory: string, order: FolderOrder): readonly KnownEntry[] {
  const files = folder.files.map(
    (file): KnownEntry => ({
      name: nameOf(file.path),
      path: file.path,
      isFolder: false,
      file,
      folder: null,
    }),
  );
  const folders = [...folder.folders].map(
    ([name, inner]): KnownEntry => ({
      name,
      path: directory === '' ? inner.path : `${directory}/${inner.path}`,
      isFolder: true,
      file: null,
      folder: inner,
    }),
  );
  return [...files, ...folders].sort(order);
}

type EntriesOf = (folder: Folder) => readonly KnownEntry[];

function pagesOf(folder: Folder, paths: KnownPaths, entriesOf: EntriesOf): Page[] {
  return entriesOf(folder).map((entry) => {
    if (entry.folder !== null) return folderPage(entry.folder, paths, entriesOf);
    const inFolder = folder.path === '' ? entry.name : `${folder.path}/${entry.name}`;
    return documentEntry(entry.file, paths.ofPage(entry.file, publishedPath(inFolder, false)), null, []);
  });
}

function folderPage(folder: Folder, paths: KnownPaths, entriesOf: EntriesOf): Page {
  const { own } = folder;
  const path = own === null ? paths.assign(folder.path) : paths.ofPage(own, folder.path);
  const pages = pagesOf(folder, paths, entriesOf);
  if (own !== null) return documentEntry(own, path, null, pages);
  return groupEntry(titleFromName(folder.path), path, pages);
}

function nameOf(path: RepoPath): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
