/** What pages tell of the scheduler's work for a space: exports and links outside. Times are ISO 8601. */

/** How the last export ended. */
export interface ScheduledExport {
  /**
   * `same`: nothing differs. `pushed`: on the branch. `proposed`: in a pull request that is open. `declined`: its pull
   * request was closed. `failed`: see `error`; it is tried again.
   */
  readonly outcome: 'same' | 'pushed' | 'proposed' | 'declined' | 'failed';
  readonly branch: string;
  readonly pull: { readonly number: number; readonly url: string } | null;
  readonly commit: { readonly oid: string; readonly url: string } | null;
  /** Why it could not be pushed, or failed, in a sentence. */
  readonly error: string | null;
  /** The files that both sides changed. */
  readonly paths: readonly string[];
  readonly at: string;
}

export const OUTSIDE_STATES = ['dead', 'failing', 'redirected', 'restricted', 'ok', 'new'] as const;
export type OutsideState = (typeof OUTSIDE_STATES)[number];

/** How many addresses outside there are in each state. */
export type OutsideCounts = Readonly<Record<OutsideState, number>>;

/** An address outside that somebody should look at. */
export interface OutsideFinding {
  readonly url: string;
  readonly state: OutsideState;
  /** What its last answer was, in a sentence. */
  readonly detail: string | null;
  /** Where it moved to for good. */
  readonly target: string | null;
  /** Parts of the page that links name and that are not there, without `#`. */
  readonly missing: readonly string[];
  /** When its state became what it is. */
  readonly since: string;
  readonly uses: readonly { readonly path: string; readonly line: number }[];
}

export interface OutsideLinks {
  readonly counts: OutsideCounts;
  /** When they are gathered and asked again; null when that is switched off. */
  readonly next: string | null;
  /** The worst first; at most 500. */
  readonly findings: readonly OutsideFinding[];
}

export interface ScheduledOfSpace {
  /** Null when nothing was exported yet, or is not to be. */
  readonly exported: ScheduledExport | null;
  readonly outside: OutsideLinks;
}
