import { createHash } from 'node:crypto';
import {
  type Database,
  deleteReportRuns,
  listRuns,
  type ReportRun,
  type RunVerdict,
  type StoredReport,
  saveRun,
  saveVerdict,
} from '../../store/index.ts';
import {
  type CheckOutcome,
  type CheckRunTarget,
  completeCheckRun,
  type Octokit,
  openCheckRun,
  postCheckRun,
  type RepositoryName,
  updateCheckRunText,
} from '../api/index.ts';

import { describeWithoutVerdict } from './head-report.ts';
import type { PlannedRun } from './plan-runs.ts';

/** At most this many are shown as in progress from the beginning; each costs a call. */
const MAX_OPENED = 10;

/** A check run and the outcome to report in it. */
export interface RunOutcome extends PlannedRun {
  readonly outcome: CheckOutcome;
}

/** The check runs of one head of a pull request on GitHub. */
export interface HeadRuns {
  /** Opens check runs that do not exist yet, as in progress. */
  open(planned: readonly PlannedRun[]): Promise<void>;
  /**
   * Completes each of these check runs, unless it already reports the same. Annotations cannot be removed, so a verdict that
   * changes after them gets a new check run.
   */
  report(outcomes: readonly RunOutcome[]): Promise<void>;
  /** Completes the check runs that have no verdict with the reason; they still wait for a verdict. */
  reportReason(planned: readonly PlannedRun[], outcome: CheckOutcome): Promise<void>;
  /** Completes and deletes all other check runs, whose names the configuration does not have any more. */
  retire(planned: readonly PlannedRun[]): Promise<void>;
  /** Whether each of these was reported, and no run is left from before `checks.runs` changed. */
  areReported(planned: readonly PlannedRun[]): boolean;
}

interface HeadRunsContext {
  readonly db: Database;
  readonly octokit: Octokit;
  readonly report: StoredReport;
  readonly commitTarget: Omit<CheckRunTarget, 'check'>;
}

/** @param resumed an earlier attempt may have created check runs, and was killed before it could save them */
export async function openHeadRuns(
  { db, octokit, report, commitTarget }: HeadRunsContext,
  resumed: boolean,
): Promise<HeadRuns> {
  const runs = new Map((await listRuns(db, report)).map((run) => [run.name, run]));

  const targetOf = (run: PlannedRun): CheckRunTarget => ({
    ...commitTarget,
    check: run.name,
    externalId:
      run.directory === null
        ? commitTarget.externalId
        : `${commitTarget.externalId}/${digest(run).slice(0, 16)}`,
  });
  const save = async (
    planned: PlannedRun,
    fields: Pick<ReportRun, 'id' | 'verdictDigest' | 'verdict' | 'annotations'>,
  ): Promise<void> => {
    const run = {
      reportId: report.id,
      baseOid: report.baseOid,
      name: planned.name,
      directory: planned.directory,
      ...fields,
    };
    await saveRun(db, run);
    runs.set(run.name, run);
  };

  const reportRun = async ({ outcome, ...planned }: RunOutcome): Promise<void> => {
    const known = runs.get(planned.name);
    const verdictDigest = digest(outcome);
    if (known?.verdictDigest === verdictDigest) return;
    const { annotations, ...verdict } = outcome;
    const fields = { verdictDigest, verdict, annotations: annotations.length };
    const target = targetOf(planned);
    if (known === undefined || (known.verdictDigest !== null && known.annotations > 0)) {
      // The digest distinguishes it from the run that it replaces.
      const externalId =
        known === undefined ? target.externalId : `${target.externalId}/${verdictDigest.slice(0, 16)}`;
      const id = await postCheckRun(octokit, { ...target, externalId }, outcome, resumed);
      return await save(planned, { id, ...fields });
    }
    await completeCheckRun(octokit, target, known.id, outcome, resumed || known.verdictDigest !== null);
    await save(planned, { id: known.id, ...fields });
  };

  return {
    async open(planned) {
      for (const run of planned.slice(0, MAX_OPENED)) {
        if (runs.has(run.name)) continue;
        const id = await openCheckRun(octokit, targetOf(run), resumed);
        await save(run, { id, verdictDigest: null, verdict: null, annotations: 0 });
      }
    },
    async report(outcomes) {
      for (const outcome of outcomes) await reportRun(outcome);
    },
    async reportReason(planned, outcome) {
      const { annotations: _, ...verdict } = outcome;
      for (const run of planned) {
        const known = runs.get(run.name);
        if (typeof known?.verdictDigest === 'string') continue;
        let id = known?.id;
        if (id === undefined) id = await postCheckRun(octokit, targetOf(run), outcome, resumed);
        else await completeCheckRun(octokit, targetOf(run), id, outcome, resumed);
        await save(run, { id, verdictDigest: null, verdict, annotations: 0 });
      }
    },
    async retire(planned) {
      const plannedNames = new Set(planned.map(({ name }) => name));
      const names = planned.map(({ name }) => `“${name}”`).join(', ');
      const sentence =
        planned.length === 1
          ? `The repository’s configuration has new names for its checks: ${names} replaces this one.`
          : `The repository’s configuration has new names for its checks: these replace this one: ${names}.`;
      for (const run of [...runs.values()]) {
        if (plannedNames.has(run.name)) continue;
        const outcome = describeWithoutVerdict('Replaced by another check', sentence);
        await completeCheckRun(octokit, targetOf(run), run.id, outcome, false);
        await deleteReportRuns(db, report.id, run.id);
        runs.delete(run.name);
      }
    },
    areReported(planned) {
      const isWhole = planned.some(({ directory }) => directory === null);
      return (
        planned.every(({ name }) => typeof runs.get(name)?.verdictDigest === 'string') &&
        [...runs.values()].every(({ directory }) => (directory === null) === isWhole)
      );
    },
  };
}

/** Replaces the title and summary of a check run that has a verdict; its annotations, conclusion and buttons stay. */
export async function updateRunText(
  { db, octokit }: Pick<HeadRunsContext, 'db' | 'octokit'>,
  repository: RepositoryName,
  { id, verdict }: { readonly id: number; readonly verdict: RunVerdict },
  texts: Pick<RunVerdict, 'title' | 'summary'>,
): Promise<void> {
  await updateCheckRunText(octokit, repository, id, texts);
  await saveVerdict(db, id, { ...verdict, ...texts });
}

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}
