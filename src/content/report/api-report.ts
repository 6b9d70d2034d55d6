import type { Oid, RepoPath } from '../model/index.ts';
import type { UnfinishedReport } from './report.ts';

/** What is kept of a look at a pull request's specifications of APIs, as plain JSON. */
export type ApiReport = CheckedApiReport | (UnfinishedReport & { readonly about: 'api' });

/** What one pull request does to the APIs that its repository describes: the check run and the report page tell the same. */
export interface CheckedApiReport {
  readonly version: 1;
  readonly about: 'api';
  readonly state: 'checked';
  /** `owner/name` as it was called then. */
  readonly repository: string;
  readonly pullNumber: number;
  readonly pullUrl: string;
  readonly headOid: Oid;
  readonly baseOid: Oid;
  /** What a path in the head is appended to, to show it in the browser; ends with a slash. */
  readonly headBlobUrl: string;
  readonly baseBlobUrl: string;
  /** Those that the pull request touches, by name. */
  readonly specs: readonly ApiReportSpec[];
}

/** What a breaking change does to a pull request: it fails its check, or makes it neutral, or is not reported. */
export const breakingChangesModes = ['fail', 'warn', 'off'] as const;

export type BreakingChanges = (typeof breakingChangesModes)[number];

export interface ApiReportSpec {
  readonly name: string;
  /** As the head has it, or the base for one that is gone. */
  readonly file: RepoPath;
  readonly breakingChanges: BreakingChanges;
  readonly outcome: ApiOutcome;
  /** A sentence where the numbers do not say it all; null otherwise. */
  readonly note: string | null;
  /** What is wrong with it in the head, and was not in the base. */
  readonly problems: readonly ApiProblem[];
  /** How many of them there are, also those that are not kept; so of `existing` and of the changes. */
  readonly counts: {
    readonly problems: number;
    /** Mistakes that the base has too. */
    readonly existing: number;
    readonly changes: number;
    readonly breaking: number;
  };
  /** Breaking ones first. */
  readonly changes: readonly ApiChange[];
}

/**
 * `compared` with the base; `new` in the head; `removed` from the configuration, so that nothing is kept from it any more;
 * `refused` for its mistakes; `unchecked` where the reason is no mistake of this pull request.
 */
export type ApiOutcome = 'compared' | 'new' | 'removed' | 'refused' | 'unchecked';

export interface ApiProblem {
  readonly file: RepoPath;
  /** From 1; 1 where it is about the whole file. */
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

export interface ApiChange {
  readonly breaking: boolean;
  /** What changed: one sentence that names the operation and the thing. */
  readonly message: string;
  /** What was there, and what is: short texts; null for nothing. */
  readonly was: string | null;
  readonly is: string | null;
  /** Why a client that worked before may fail; null for what breaks none. */
  readonly why: string | null;
  /** Where it stands: in the base for what is gone. */
  readonly place: ApiLocation;
  /** The nearest place in the head, for an annotation. */
  readonly nearest: Omit<ApiLocation, 'side'>;
}

export interface ApiLocation {
  readonly side: 'base' | 'head';
  readonly file: RepoPath;
  /** From 1. */
  readonly line: number;
}

/** The most changes and mistakes that a report keeps, so that one bad pull request cannot fill the database. */
export const API_REPORT_LIMIT = 3_000;

/** Whether a stored value is such a report. */
export function isApiReport(value: unknown): value is ApiReport {
  return typeof value === 'object' && value !== null && 'about' in value && value.about === 'api';
}
