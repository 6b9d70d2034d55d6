import type { RepoPath } from '../model/index.ts';
import type { CheckedPull, UnfinishedReport } from './link-report.ts';

/** What is stored of the check of a pull request's API specifications, as plain JSON. */
export type ApiReport = CheckedApiReport | (UnfinishedReport & { readonly about: 'api' });

/** What a pull request changes in the APIs that its repository describes; the check run and the report page both show it. */
export interface CheckedApiReport extends CheckedPull {
  readonly about: 'api';
  /** The specifications that the pull request touches, by name. */
  readonly specs: readonly ApiReportSpec[];
}

/** The effect of a breaking change on a pull request: its check fails, is neutral, or does not report it. */
export const breakingChangesModes = ['fail', 'warn', 'off'] as const;

export type BreakingChanges = (typeof breakingChangesModes)[number];

export interface ApiReportSpec {
  readonly name: string;
  /** The path in the head, or in the base when the specification was removed. */
  readonly file: RepoPath;
  readonly breakingChanges: BreakingChanges;
  readonly outcome: ApiOutcome;
  /** A sentence that explains the result where the numbers are not enough; null otherwise. */
  readonly note: string | null;
  /** Problems of the head that the base does not have. */
  readonly problems: readonly ApiProblem[];
  /** All problems and changes, including those that are not stored. */
  readonly counts: {
    readonly problems: number;
    /** Problems that the base has too. */
    readonly existing: number;
    readonly changes: number;
    readonly breaking: number;
  };
  /** Breaking ones first. */
  readonly changes: readonly ApiChange[];
}

/**
 * `compared` with the base; `new` in the head; `removed` from the configuration, so that it is no longer updated;
 * `refused` because of its problems; `unchecked` for a reason that is not a mistake of this pull request.
 */
export type ApiOutcome = 'compared' | 'new' | 'removed' | 'refused' | 'unchecked';

export interface ApiProblem {
  readonly file: RepoPath;
  /** From 1; 1 for a problem of the whole file. */
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

export interface ApiChange {
  readonly breaking: boolean;
  /** One sentence that names the operation and what changed. */
  readonly message: string;
  /** The old and the new value as short texts; null for none. */
  readonly was: string | null;
  readonly is: string | null;
  /** Why a client that worked before may fail; null when the change is not breaking. */
  readonly why: string | null;
  /** Its location: in the base when it was removed. */
  readonly place: ApiLocation;
  /** The nearest location in the head, for an annotation. */
  readonly nearest: Omit<ApiLocation, 'side'>;
}

export interface ApiLocation {
  readonly side: 'base' | 'head';
  readonly file: RepoPath;
  /** From 1. */
  readonly line: number;
}

/** The maximum number of changes and of problems in a report, so that a bad pull request cannot fill the database. */
export const API_REPORT_LIMIT = 3_000;

/** Whether a stored value is such a report. */
export function isApiReport(value: unknown): value is ApiReport {
  return typeof value === 'object' && value !== null && 'about' in value && value.about === 'api';
}
