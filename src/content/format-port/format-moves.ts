import type { FileFacts, RepoPath } from '../model/index.ts';
import type { FileEdit } from '../text/index.ts';
import type { RepositoryFiles } from './format.ts';

/**
 * What a move changes in a format's configuration besides links: entries of the navigation, folders and redirects. Absent
 * for a format without these.
 */
export interface FormatMoves {
  /** Returns the changes of the configuration that a move of files needs. */
  configure(move: SpaceMove): ConfigurationChange;
  /** Returns the published address of each page: file → address, without leading and trailing slashes. */
  addresses(space: PublishedFiles): ReadonlyMap<RepoPath, string>;
  /** Returns further addresses that are published, such as a page shown instead of its missing translation. */
  liveAddresses?(space: PublishedFiles): Iterable<string>;
  /** Returns where the space's redirects are written, or a text for people that says why there is no such file. */
  redirects(space: PublishedFiles): RedirectTable | string;
}

/** A move as it concerns one space. */
export interface SpaceMove {
  /** The repository before the move. */
  readonly repository: RepositoryFiles;
  /** Before the move. */
  readonly directory: RepoPath;
  /** Returns the path of a file or folder after the move. */
  moved(path: RepoPath): RepoPath;
  /** The published addresses before and after, by the path before; `after` is null for pages that are no longer published. */
  readonly addresses: ReadonlyMap<RepoPath, { readonly before: string; readonly after: string | null }>;
  frontMatter(path: RepoPath): FileFacts['frontMatter'];
}

/** The files of a space in one state of the repository. */
export interface PublishedFiles {
  readonly repository: RepositoryFiles;
  readonly directory: RepoPath;
  /** The paths of the navigation, by file. */
  readonly pages: ReadonlyMap<RepoPath, string>;
  frontMatter(path: RepoPath): FileFacts['frontMatter'];
}

export interface ConfigurationChange {
  /** With the files' paths before the move. */
  readonly edits: readonly FileEdit[];
  /** What may need a change that cannot be made with certainty. */
  readonly notices: readonly MoveNotice[];
}

/** Something that people should review after a move. */
export interface MoveNotice {
  readonly file: RepoPath;
  readonly line: number;
  readonly message: string;
}

/** A list of redirects in a configuration file. */
export interface RedirectTable {
  readonly file: RepoPath;
  readonly entries: readonly RedirectEntry[];
  /** Returns a redirect as it is written in the file. */
  write(redirect: NewRedirect): readonly [from: string, to: string];
  /** Adds entries after the existing ones; null when that cannot be done exactly. */
  insert(entries: readonly (readonly [from: string, to: string])[]): Omit<FileEdit, 'file'> | null;
  /** Replaces the text of an entry's value. */
  replaceValue(entry: RedirectEntry, to: string): Omit<FileEdit, 'file'>;
}

export interface NewRedirect {
  readonly from: string;
  readonly to: string;
  /** The page's file before the move and after. */
  readonly oldFile: RepoPath;
  readonly newFile: RepoPath;
}

export interface RedirectEntry {
  /** The old address, without leading and trailing slashes. */
  readonly from: string;
  /** The address that it redirects to, without leading and trailing slashes; null for files and outside addresses. */
  readonly to: string | null;
  /** Offsets of the value. */
  readonly value: { readonly start: number; readonly end: number };
  /** Offsets of what must be removed with the entry; null when it cannot be removed exactly. */
  readonly whole: { readonly start: number; readonly end: number } | null;
}

/** Returns the line number, from 1, of an offset in a text. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}
