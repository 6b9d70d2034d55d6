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
 * before `10`) by name. The root's README comes first, as the home page.
 */
export function pagesFromFolders(files: readonly PageFile[], directory: string): readonly Page[] {
  const root = buildFolders(files, directory);
  const paths = new PagePaths();
  const home = root.own === null ? [] : [documentEntry(root.own, paths.assign(''), null, [])];
  return [...home, ...pagesOf(root, paths)];
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

function pagesOf(folder: Folder, paths: PagePaths): Page[] {
  const entries = [
    ...folder.files.map((file) => ({ name: nameOf(file.path), file, folder: null })),
    ...[...folder.folders].map(([name, inner]) => ({ name, file: null, folder: inner })),
  ];
  entries.sort((a, b) => compareNaturally(a.name, b.name) || (a.name < b.name ? -1 : 1));
  return entries.map((entry) => {
    if (entry.folder !== null) return folderPage(entry.folder, paths);
    const inFolder = folder.path === '' ? entry.name : `${folder.path}/${entry.name}`;
    return documentEntry(entry.file, paths.assign(publishedPath(inFolder, false)), null, []);
  });
}

function folderPage(folder: Folder, paths: PagePaths): Page {
  const path = paths.assign(folder.path);
  const pages = pagesOf(folder, paths);
  if (folder.own !== null) return documentEntry(folder.own, path, null, pages);
  return groupEntry(titleFromName(folder.path), path, pages);
}

function nameOf(path: RepoPath): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
