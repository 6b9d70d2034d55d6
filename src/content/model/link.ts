import type { Reference } from './file-facts.ts';
import type { RepoPath } from './tree-entry.ts';

/** Where a reference points, before anyone asked whether it is there. */
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

/** What is not broken and still worth a word. */
export type WarningRule =
  | 'works-on-github-only'
  | 'case-only'
  | 'unicode-form'
  | 'editor-link'
  | 'placeholder';

export interface Warning {
  /** A rule where the configuration says that it only warns. */
  readonly rule: WarningRule | Rule;
  /** One sentence for people. */
  readonly message: string;
}

/** A reference resolved and judged. */
export interface Link extends Reference {
  /** The file that holds the reference. */
  readonly file: RepoPath;
  readonly relation: 'reference' | 'dependsOn';
  readonly status: Status;
  /** Set when broken. */
  readonly rule: Rule | null;
  /** One sentence for people; null when ok. */
  readonly message: string | null;
  /** Set when the link leads somewhere and should yet be written otherwise; breaks nothing. */
  readonly warning: Warning | null;
  /** A destination that would be right, written as the author would write it; null unless certain. */
  readonly suggestion: string | null;
  /** The file or folder index page that the link leads to (also when only its anchor is missing). */
  readonly resolved: { readonly path: RepoPath; readonly type: 'page' | 'file' } | null;
  /** The fragment, percent-decoded, without `#`. */
  readonly anchor: string | null;
  /** The path of the repository that the link points at, whether or not anything is there; null when it leaves the tree. */
  readonly destination: RepoPath | null;
}

export type Change = 'introduced' | 'existing' | 'fixed';

/** What a change did to the links: broken links of both trees, each said once. */
export interface Comparison {
  readonly introduced: readonly Link[];
  readonly existing: readonly Link[];
  /** As they stood in the older tree. */
  readonly fixed: readonly Link[];
}
