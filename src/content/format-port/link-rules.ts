import type { FileFacts, Reference, RepoPath, Rule, Status, Warning } from '../model/index.ts';

/**
 * How a format judges the references of a file. The judge asks in this order and stops at the first verdict:
 * `resolve` → is anything there (`explainMissing` when not) → `checkAccess` → `checkAnchor`.
 */
export interface LinkRules {
  /** Where a reference points. Asks nothing of files' contents. */
  resolve(file: RepoPath, reference: Reference): LinkResolution;
  /** Whether a link to this file leads to a page of documentation, for the words of messages and `resolved.type`. */
  isPage(path: RepoPath): boolean;
  /** The file that stands for a folder; null when there is none. */
  indexPageOf(folder: RepoPath): RepoPath | null;
  /** Whether a link with a fragment to a folder is judged by the headings of its index page. */
  anchorsOfFolder(folder: RepoPath): boolean;
  /** A verdict of the format's own for a place where no candidate is; null for the common words and suggestions. */
  explainMissing?(resolution: PathResolution, file: RepoPath, reference: Reference): LinkVerdict | null;
  /** Why readers do not get to what is there, or a warning about the way; null when all is well. */
  checkAccess?(place: FoundTarget, file: RepoPath, reference: Reference): LinkVerdict | null;
  /** Whether the page has the anchor. `facts` may be incomplete: the judge turns a `broken` into `unchecked` then. */
  checkAnchor(question: AnchorQuery): AnchorVerdict;
  /** Names for a file that may have been meant when `path` is not there, the likeliest first. */
  alternativePaths(path: RepoPath): readonly RepoPath[];
}

/** Where a reference points: settled at once, or one or more paths of the repository. */
export type LinkResolution = LinkVerdict | PathResolution;

/** A verdict, or a part of one. */
export interface LinkVerdict {
  readonly kind: 'verdict';
  readonly status: Status;
  /** Set when broken. */
  readonly rule: Rule | null;
  /** Null when ok. */
  readonly message: string | null;
  readonly suggestion?: string | null;
  readonly warning?: Warning | null;
}

/** A reference into the repository's tree. */
export interface PathResolution {
  readonly kind: 'path';
  /** Paths that may be meant, the builder's first choice first; the first that is there wins. At least one. */
  readonly candidates: readonly [RepoPath, ...RepoPath[]];
  /** The fragment, percent-decoded; null when there is none. */
  readonly anchor: string | null;
  /** The path ends with a slash, so that a file is not what is meant. */
  readonly wantsFolder: boolean;
  /** What readers expect there; null to tell it from the path. */
  readonly expects: 'page' | 'file' | null;
  readonly warning?: Warning | null;
  /** Where readers would look, when the link is an address of the site rather than a path of files; messages name it. */
  readonly address?: string;
  /** Readings of the destination whose marks the author did not encode; a file there is suggested. */
  readonly unencoded: readonly { readonly path: RepoPath; readonly tail: string }[];
  /** A destination for `path` as the author would write it; null when it cannot be said. */
  write(path: RepoPath, options?: { readonly tail?: string; readonly wantsFolder?: boolean }): string | null;
  /** The destination with another fragment. */
  writeAnchor(name: string): string;
}

/** Something that is there. */
export interface FoundTarget {
  /** Which of the candidates. */
  readonly candidate: RepoPath;
  /** The file, with symbolic links followed, or the file that stands for the folder; null for a folder without one. */
  readonly file: RepoPath | null;
  readonly isFolder: boolean;
}

export interface AnchorQuery {
  readonly anchor: string;
  /** The page that should have it. */
  readonly page: RepoPath;
  readonly facts: FileFacts;
  /** The page that holds the reference. */
  readonly file: RepoPath;
  readonly reference: Reference;
}

export type AnchorVerdict =
  | { readonly status: 'ok'; readonly warning?: Warning; readonly better?: string }
  | { readonly status: 'unchecked'; readonly message: string }
  /** `names` are those that may be suggested; `message` replaces the common one. */
  | { readonly status: 'broken'; readonly names: Iterable<string>; readonly message?: string };

export function linkVerdict(
  status: Status,
  message: string | null,
  rest: Partial<Omit<LinkVerdict, 'kind' | 'status' | 'message'>> = {},
): LinkVerdict {
  return { kind: 'verdict', status, rule: null, message, ...rest };
}

export function brokenVerdict(rule: Rule, message: string, suggestion: string | null = null): LinkVerdict {
  return { kind: 'verdict', status: 'broken', rule, message, suggestion };
}
