import type { SpaceInput } from '../../format-port/index.ts';
import type { RepoPath } from '../../model/index.ts';
import { folderOf, isInside, isLeftOut, pathInside } from '../../tree/index.ts';
import { joinPath } from '../folder-paths.ts';

/** A folder whose pages a file beside them lists for a program that publishes them. */
export interface NavigatedFolder {
  readonly folder: RepoPath;
  /** The file that lists them. */
  readonly source: RepoPath;
}

const DATA = ['json', 'yml', 'yaml'];
const SCRIPTS = ['js', 'ts', 'mjs', 'mts', 'tsx'];

const NAMES = [
  ...[
    '_meta',
    'meta',
    'menu',
    'nav',
    '_nav',
    'navigation',
    '_navigation',
    'sidebar',
    '_sidebar',
    'sidebars',
    'toc',
    'TOC',
    '_toc',
  ]
    .concat(['docs', 'pages', 'order', 'manifest', 'config', 'structure', 'contents', 'index'])
    .flatMap((stem) => DATA.map((ending) => `${stem}.${ending}`)),
  ...['_meta', 'navigation', 'sidebar', 'sidebars'].flatMap((stem) =>
    SCRIPTS.map((ending) => `${stem}.${ending}`),
  ),
  '.pages',
  '.nav.yml',
];

/** Files beyond this number are ignored, the deepest first. */
const MAX_FILES = 40;

/** Folders in which files of these names are parts of programs. */
const OF_PROGRAMS = /(?:^|\/)(?:src|lib|tests?|dist)\//;

const MAX_NAMES = 2_000;

/** Fewer names of pages may be in a file by chance. */
const MIN_PAGES = 3;

/**
 * Finds the folders with a table of contents in a file of data, whoever reads it: `menu.json`, `_meta.js`, `toc.yml`. A file
 * with such a name counts only if it names pages of its folder.
 */
export function findNavigatedFolders(space: SpaceInput): readonly NavigatedFolder[] {
  const sources = NAMES.flatMap((name) => space.index.named(name))
    .filter((path) => isInside(path, space.directory) && folderOf(path) !== space.directory)
    .filter((path) => !isLeftOut(folderOf(pathInside(path, space.directory))) && !OF_PROGRAMS.test(path))
    .toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1))
    .slice(0, MAX_FILES);
  return sources.flatMap((source) => {
    const folder = folderOf(source);
    return countPages(space, folder, space.text(source) ?? '') >= MIN_PAGES ? [{ folder, source }] : [];
  });
}

function countPages(space: SpaceInput, folder: RepoPath, text: string): number {
  const names = new Set<string>();
  for (const [word] of text.matchAll(/[\p{L}\p{N}_.-]+(?:\/[\p{L}\p{N}_.-]+)*/gu)) {
    if (names.size >= MAX_NAMES) break;
    if (word.length <= 200) names.add(word.replace(/\.mdx?$/, ''));
  }
  let count = 0;
  for (const name of names) {
    const last = name.slice(name.lastIndexOf('/') + 1);
    const isThere = [name, last].some((each) =>
      [`${each}.md`, `${each}.mdx`, `${each}/index.md`, `${each}/README.md`].some((file) =>
        space.has(joinPath(folder, file)),
      ),
    );
    if (isThere) count += 1;
    if (count >= MIN_PAGES) break;
  }
  return count;
}
