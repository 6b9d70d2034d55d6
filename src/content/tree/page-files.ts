import type { RepoPath, TreeEntry } from '../model/index.ts';

/** Whether a file is a page by its name: Markdown as GitHub renders it. */
export function isPageFile(path: RepoPath): boolean {
  // Every file of a tree is asked about, and most pages end like this.
  return path.endsWith('.md') || /\.(?:md|markdown)$/i.test(path);
}

/** A table of contents, not a page. */
export function isSummaryFile(path: RepoPath): boolean {
  return /(?:^|\/)SUMMARY\.md$/i.test(path);
}

/** Whether a file stands for its folder, and how early: the lowest number wins. Null for other files. */
export function indexRank(path: RepoPath): number | null {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const rank = INDEX_NAMES.findIndex((pattern) => pattern.test(name));
  return rank === -1 ? null : rank;
}

const INDEX_NAMES = [
  /^README\.md$/,
  /^README\.md$/i,
  /^README\.markdown$/i,
  /^index\.md$/i,
  /^index\.markdown$/i,
];

/** Whether a file is a README, which the host shows below its folder's list of files. */
export function isReadme(path: RepoPath | null): boolean {
  return path !== null && /(?:^|\/)README\.(?:md|markdown)$/i.test(path);
}

/** Whether a path is outside what people write for readers: dot folders and installed packages. Relative to the space. */
export function isLeftOut(pathInSpace: RepoPath): boolean {
  return (
    pathInSpace.startsWith('.') ||
    pathInSpace.includes('/.') ||
    pathInSpace.startsWith('node_modules/') ||
    pathInSpace.includes('/node_modules/')
  );
}

/** Whether the links of a file count in the space of `directory`. A symbolic link's do not: its target's count there. */
export function isSource({ path, mode }: TreeEntry, directory: string): boolean {
  if (mode === 'symlink' || mode === 'submodule') return false;
  return isPageFile(path) && isInside(path, directory) && !isLeftOut(pathInside(path, directory));
}

/** The same for the entries of a space, which are all inside it and left out nowhere. */
export function isSourceOfSpace({ path, mode }: TreeEntry): boolean {
  return mode !== 'symlink' && mode !== 'submodule' && isPageFile(path);
}

/** Whether `path` is inside `directory` ('' is the repository's root). */
export function isInside(path: RepoPath, directory: string): boolean {
  return directory === '' || path.startsWith(`${directory}/`);
}

/** The path below `directory`, which must hold it. */
export function pathInside(path: RepoPath, directory: string): string {
  return directory === '' ? path : path.slice(directory.length + 1);
}
