import type { FileFacts, Reference, RepoPath, Rule, Status, Warning } from '../model/index.ts';

/**
 * How a format checks the references of a file. `checkLink` calls these in order and stops at the first verdict:
 * `resolve` → does the target exist (`explainMissing` when not) → `checkAccess` → `checkAnchor`.
 */
export interface LinkRules {
  /** True for files that the builder of their space does not publish. */
  readonly isLeftOut?: true;
  /** Returns where a reference points. Does not read files. */
  resolve(file: RepoPath, reference: Reference): LinkResolution;
  /** Whether a link to this file leads to a page of documentation, for the words of messages and `resolved.type`. */
  isPage(path: RepoPath): boolean;
  /** Returns the file that is shown for a folder; null when there is none. */
  indexPageOf(folder: RepoPath): RepoPath | null;
  /** Whether the fragment of a link to a folder is checked against the headings of its index page. */
  anchorsOfFolder(folder: RepoPath): boolean;
  /** Returns the format's own verdict when no candidate exists; null for the common message and suggestions. */
  explainMissing?(resolution: PathResolution, file: RepoPath, reference: Reference): LinkVerdict | null;
  /** Returns why readers cannot reach a target that exists, or a warning about the path to it; null when there is neither. */
  checkAccess?(target: FoundTarget, file: RepoPath, reference: Reference): LinkVerdict | null;
  /** Whether the page has the anchor. When `facts` are incomplete, `checkLink` turns `broken` into `unchecked`. */
  checkAnchor(query: AnchorQuery): AnchorVerdict;
  /** Returns paths that may have been meant when `path` does not exist, likeliest first. */
  alternativePaths(path: RepoPath): readonly RepoPath[];
}

/** Where a reference points: an immediate verdict, or one or more paths of the repository. */
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
  /** True for `unchecked` when the target is missing and only a generator of the site may make it. */
  readonly mayBeGenerated?: true;
}

/** A reference into the repository's tree. */
export interface PathResolution {
  readonly kind: 'path';
  /** Paths that may be meant, in the builder's order; the first that exists is used. At least one. */
  readonly candidates: readonly [RepoPath, ...RepoPath[]];
  /** The fragment, percent-decoded; null when there is none. */
  readonly anchor: string | null;
  /** True when the path ends with a slash, so that a file is not meant. */
  readonly wantsFolder: boolean;
  /** What readers expect there; null to decide it by the path. */
  readonly expects: 'page' | 'file' | null;
  readonly warning?: Warning | null;
  /** The verdict in the place of one on the candidates, when what makes the site's pages may lead the link elsewhere. */
  readonly unless?: LinkVerdict;
  /** The address of the site when the link is one, and not a path of files; messages name it. */
  readonly address?: string;
  /** Alternative paths if the author did not encode `#`, `?` or `%`; a file there is suggested. */
  readonly unencoded: readonly { readonly path: RepoPath; readonly tail: string }[];
  /** Returns a destination for `path` in the author's style; null when there is none. */
  write(path: RepoPath, options?: { readonly tail?: string; readonly wantsFolder?: boolean }): string | null;
  /** Returns the destination with another fragment. */
  writeAnchor(name: string): string;
}

/** An existing target of a link. */
export interface FoundTarget {
  /** The candidate that exists. */
  readonly candidate: RepoPath;
  /** The file, with symbolic links followed, or the file that is shown for the folder; null for a folder without one. */
  readonly file: RepoPath | null;
  readonly isFolder: boolean;
}

export interface AnchorQuery {
  readonly anchor: string;
  /** The page that should have it. */
  readonly page: RepoPath;
  readonly facts: FileFacts;
  /** The page that contains the reference. */
  readonly file: RepoPath;
  readonly reference: Reference;
}

export type AnchorVerdict =
  | { readonly status: 'ok'; readonly warning?: Warning; readonly better?: string }
  | {
      readonly status: 'unchecked';
      readonly message: string;
      /** Present when only a generator of the site may make the anchor: the names that the page is known to have. */
      readonly knownNames?: Iterable<string>;
    }
  /** `names` may be suggested; `message` replaces the common message. */
  | { readonly status: 'broken'; readonly names: Iterable<string>; readonly message?: string };

export function linkVerdict(
  status: Status,
  message: string | null,
  rest: Partial<Omit<LinkVerdict, 'kind' | 'status' | 'message'>> = {},
): LinkVerdict {
  return { kind: 'verdict', status, rule: null, message, ...rest };
}

/** The verdict on a missing target that a generator of the site may make: without the generator it would be broken. */
export function generatedVerdict(message: string): LinkVerdict {
  return linkVerdict('unchecked', message, { mayBeGenerated: true });
}

export function brokenVerdict(rule: Rule, message: string, suggestion: string | null = null): LinkVerdict {
  return { kind: 'verdict', status: 'broken', rule, message, suggestion };
}
