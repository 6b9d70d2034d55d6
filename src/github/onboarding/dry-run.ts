import {
  type Engine,
  isPageFile,
  type Page,
  siblingsOf,
  spacesAmong,
  type TreeEntry,
} from '../../content/index.ts';
import { findSpaces, type RepositorySpace, readBlobsOf, type SpaceSource } from '../repository/index.ts';

/** What syncing a repository would bring, before anything is synced. */
export interface DryRun {
  readonly spaces: readonly SpaceForecast[];
  /** Folders with sites that are not the repository's documentation: tests, examples, templates. */
  readonly asides: readonly string[];
  /** Markdown files that are in no space. */
  readonly outside: number;
}

export interface SpaceForecast extends Pick<RepositorySpace, 'directory' | 'title' | 'format'> {
  readonly pages: number;
  /** Links that are broken already. */
  readonly broken: number;
  /** Markdown files of the folder that become no page, in the tree's order: not listed, or not where the builder reads. */
  readonly unlisted: readonly string[];
}

/** Analyses a tree as a sync would, and counts the result. */
export async function runDry(engine: Engine, source: SpaceSource): Promise<DryRun> {
  const { tree } = source;
  const parts = await findSpaces(source, null);
  const spaces: SpaceForecast[] = [];
  for (const space of spacesAmong(parts)) {
    const siblings = siblingsOf(space, parts);
    const { pages, links } = await engine.analyse({
      tree,
      directory: space.directory,
      format: space.format,
      siblingDirectories: siblings,
      read: readBlobsOf(source),
    });
    const files = new Set(filesOf(pages));
    const { directory, title, format } = space;
    spaces.push({
      directory,
      title,
      format,
      pages: files.size,
      broken: links.filter((link) => link.status === 'broken').length,
      unlisted: pagesBelow(tree, directory, siblings).filter((path) => !files.has(path)),
    });
  }
  const directories = spaces.map(({ directory }) => directory);
  return {
    spaces,
    asides: parts.flatMap(({ role, directory }) => (role === 'aside' ? [directory] : [])),
    outside: tree.filter(
      ({ path }) => isPageFile(path) && !directories.some((directory) => isBelow(path, directory)),
    ).length,
  };
}

function filesOf(pages: readonly Page[]): readonly string[] {
  return pages.flatMap((page) => [...(page.file === null ? [] : [page.file]), ...filesOf(page.pages)]);
}

/** The Markdown files of a directory, without those in folders whose names start with a dot. */
function pagesBelow(
  tree: readonly TreeEntry[],
  directory: string,
  siblings: readonly string[],
): readonly string[] {
  return tree.flatMap(({ path, mode }) => {
    const isPage = (mode === 'file' || mode === 'executable') && isPageFile(path);
    if (!isPage || !isBelow(path, directory)) return [];
    const inside = directory === '' ? path : path.slice(directory.length + 1);
    if (/(?:^|\/)\./.test(inside) || /(?:^|\/)SUMMARY\.md$/i.test(inside)) return [];
    return siblings.some((sibling) => sibling !== '' && isBelow(path, sibling)) ? [] : [path];
  });
}

function isBelow(path: string, directory: string): boolean {
  return directory === '' || path.startsWith(`${directory}/`);
}
