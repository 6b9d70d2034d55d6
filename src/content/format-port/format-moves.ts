import type { FileFacts, RepoPath } from '../model/index.ts';
import type { FileEdit } from '../text/index.ts';
import type { RepositoryFiles } from './format.ts';

/**
 * What a format's configuration says of pages besides links, for moves: entries of the navigation, folders, and where
 * old addresses lead on. A format without it has none of these.
 */
export interface FormatMoves {
  /** What the configuration has to say when files stand elsewhere. */
  configure(move: SpaceMove): ConfigurationChange;
  /** Where readers find pages, for formats with addresses of their own: file → address, without slashes at the ends. */
  addresses(space: PublishedFiles): ReadonlyMap<RepoPath, string>;
  /** Addresses that answer besides those of `addresses`, such as a page in the place of its translation. */
  liveAddresses?(space: PublishedFiles): Iterable<string>;
  /** Where the space's redirects are written; a text, for people, that says why there is no place for them. */
  redirects(space: PublishedFiles): RedirectTable | string;
}

/** A move, seen from one space. */
export interface SpaceMove {
  /** The repository before the move. */
  readonly repository: RepositoryFiles;
  /** Before the move. */
  readonly directory: RepoPath;
  /** Where a file or folder stands afterwards. */
  moved(path: RepoPath): RepoPath;
  /** Where readers find pages before and after, by the path before; null after for pages that are published no more. */
  readonly addresses: ReadonlyMap<RepoPath, { readonly before: string; readonly after: string | null }>;
  frontMatter(path: RepoPath): FileFacts['frontMatter'];
}

/** A space at one time. */
export interface PublishedFiles {
  readonly repository: RepositoryFiles;
  readonly directory: RepoPath;
  /** The paths of the navigation, by file. */
  readonly pages: ReadonlyMap<RepoPath, string>;
  frontMatter(path: RepoPath): FileFacts['frontMatter'];
}

export interface ConfigurationChange {
  /** Of files by their paths before the move. */
  readonly edits: readonly FileEdit[];
  /** What was seen and cannot be changed with certainty. */
  readonly notices: readonly MoveNotice[];
}

/** Something for people to look at. */
export interface MoveNotice {
  readonly file: RepoPath;
  readonly line: number;
  readonly message: string;
}

/** A place where redirects are written. */
export interface RedirectTable {
  readonly file: RepoPath;
  readonly entries: readonly RedirectEntry[];
  /** How a redirect is said. */
  write(redirect: NewRedirect): readonly [from: string, to: string];
  /** Puts new entries behind those that are there; null when that cannot be done exactly. */
  insert(entries: readonly (readonly [from: string, to: string])[]): Omit<FileEdit, 'file'> | null;
  /** The text of an entry's value in its place. */
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
  /** The old address, without slashes at the ends. */
  readonly from: string;
  /** The address that it leads to, without slashes at the ends; null for files and addresses elsewhere. */
  readonly to: string | null;
  /** Offsets of the value. */
  readonly value: { readonly start: number; readonly end: number };
  /** What goes when the entry goes; null when it cannot be taken out exactly. */
  readonly whole: { readonly start: number; readonly end: number } | null;
}

/** The line of a text at an offset, from 1. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}
