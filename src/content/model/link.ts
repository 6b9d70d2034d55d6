import type { Reference } from './file-facts.ts';
import type { RepoPath } from './tree-entry.ts';

/** Where a reference points, before its existence is checked. */
export type Target =
  | { readonly kind: 'path'; readonly path: RepoPath; readonly anchor: string | null }
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'invalid'; readonly rule: Rule; readonly message: string };

export type Status = 'ok' | 'broken' | 'in-app' | 'unchecked';

/** Why a link is broken. */
export type Rule =
  | 'missing-page'
  | 'missing-file'
  | 'missing-anchor'
  | 'case-mismatch'
  | 'unlisted-page'
  | 'outside-space'
  | 'outside-repository'
  | 'broken-marker'
  | 'invalid-url'
  | 'empty-target';

/** The rules of warnings: the link works and should be changed all the same. */
export type WarningRule =
  | 'works-on-github-only'
  | 'case-only'
  | 'unicode-form'
  | 'editor-link'
  | 'script-address'
  | 'placeholder';

export interface Warning {
  /** A `Rule` when the configuration lowers it to a warning. */
  readonly rule: WarningRule | Rule;
  /** One sentence for people. */
  readonly message: string;
}

/** A reference with its verdict. */
export interface Link extends Reference {
  /** The file that contains the reference. */
  readonly file: RepoPath;
  readonly relation: 'reference' | 'dependsOn';
  readonly status: Status;
  /** Set when broken. */
  readonly rule: Rule | null;
  /** One sentence for people; null when ok. */
  readonly message: string | null;
  /** Set when the link works but should be written differently. */
  readonly warning: Warning | null;
  /** A destination that works, in the author's style; null unless it is certain. */
  readonly suggestion: string | null;
  /** The file or folder index page that the link leads to (also when only its anchor is missing). */
  readonly resolved: { readonly path: RepoPath; readonly type: 'page' | 'file' } | null;
  /** The fragment, percent-decoded, without `#`. */
  readonly anchor: string | null;
  /** The repository path that the link points to, whether or not it exists; null when it leaves the tree. */
  readonly destination: RepoPath | null;
}

/** Links that a change adds, or whose verdict it takes away, and that could not be checked. */
export interface UnjudgedLinks {
  readonly count: number;
  /** One of them, whose message says why; null when there are none. */
  readonly example: Link | null;
}

export type Change = 'introduced' | 'existing' | 'fixed';

/** What a change did to the links: the broken links of both trees, each listed once. */
export interface Comparison {
  readonly introduced: readonly Link[];
  readonly existing: readonly Link[];
  /** As they were in the older tree. */
  readonly fixed: readonly Link[];
}
