/** What pages show of the scheduler's work for a space: exports and external links. Times are ISO 8601. */

/** A space that pushes no longer reach. */
export interface Disconnection {
  /** One sentence. */
  readonly reason: string;
  /** When it is deleted, unless it was edited here or is connected again; null for never. */
  readonly removedAt: string | null;
}

/** The repository of a space, as those who edit the space need it. */
export interface SpaceRepository {
  /** `owner/name`. */
  readonly name: string;
  readonly url: string;
  readonly branch: string;
  /** Whether what is merged here goes there; otherwise it is only imported from. */
  readonly isExportedTo: boolean;
}

/** A pull request that carries the edits of a change request. */
export interface CarryingPull {
  /** `owner/name`; null where the repository is no longer known. */
  readonly repository: string | null;
  readonly number: number;
  /** Null where the repository is no longer known. */
  readonly url: string | null;
  readonly isOpen: boolean;
}

/** Entries of a repository's `checks.ignore` that end soon, or have ended. */
export interface ExpiringIgnores {
  /** `owner/name`. */
  readonly repository: string;
  /** A space that the repository feeds. */
  readonly spaceId: string;
  /** How many have ended, so that their links count again, and how many end within two weeks. */
  readonly ended: number;
  readonly ending: number;
  /** The first last day of those that end: `2030-12-31`; null where none does. */
  readonly nextDay: string | null;
}

/** The outcome of the last export. */
export interface ScheduledExport {
  /**
   * `same`: nothing differs. `pushed`: to the branch. `proposed`: in an open pull request. `declined`: its pull request was
   * closed. `failed`: see `error`; it will be retried.
   */
  readonly outcome: 'same' | 'pushed' | 'proposed' | 'declined' | 'failed';
  readonly branch: string;
  readonly pull: { readonly number: number; readonly url: string } | null;
  readonly commit: { readonly oid: string; readonly url: string } | null;
  /** Why it could not be pushed, or failed: one sentence. */
  readonly error: string | null;
  /** The files that both the space and the branch changed. */
  readonly paths: readonly string[];
  readonly at: string;
}

export const EXTERNAL_STATES = ['dead', 'failing', 'redirected', 'restricted', 'ok', 'new'] as const;
export type ExternalLinkState = (typeof EXTERNAL_STATES)[number];

/** The number of external addresses in each state. */
export type ExternalCounts = Readonly<Record<ExternalLinkState, number>>;

/** An external address that somebody should check. */
export interface ExternalLinkFinding {
  readonly url: string;
  readonly state: ExternalLinkState;
  /** The result of the last check: one sentence. */
  readonly detail: string | null;
  /** The address to which it redirects permanently. */
  readonly target: string | null;
  /** Fragments that links name and the page does not have, without `#`. */
  readonly missing: readonly string[];
  /** Since when it has this state. */
  readonly since: string;
  readonly uses: readonly { readonly path: string; readonly line: number }[];
}

export interface ExternalLinkResults {
  readonly counts: ExternalCounts;
  /** When they are collected and checked next; null when that is switched off. */
  readonly next: string | null;
  /** The worst first; at most 500. */
  readonly findings: readonly ExternalLinkFinding[];
}

/** What the scheduler did for a space. */
export interface SchedulerResults {
  /** Null when nothing was exported yet. */
  readonly exported: ScheduledExport | null;
  readonly externalLinks: ExternalLinkResults;
}
