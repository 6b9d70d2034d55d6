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

/** So many are shown as in progress from the beginning; of more each would cost a call that says nothing. */
const MAX_OPENED = 10;

/** What one check run is to tell. */
export interface RunOutcome extends PlannedRun {
  readonly outcome: CheckOutcome;
}

/** The check runs of one head of a pull request, as they stand on GitHub. */
export interface HeadRuns {
  /** Shows those as in progress that are not there yet. */
  open(planned: readonly PlannedRun[]): Promise<void>;
  /**
   * Completes each of these, but for those that tell the same already. What was annotated cannot be taken back, so a
   * verdict that changed after that gets a check run of its own.
   */
  report(outcomes: readonly RunOutcome[]): Promise<void>;
  /** Completes those that have no verdict with the reason why; they go on waiting for one. */
  reportReason(planned: readonly PlannedRun[], outcome: CheckOutcome): Promise<void>;
  /** Completes all others, whose names the configuration does not give any more, and forgets them. */
  retire(planned: readonly PlannedRun[]): Promise<void>;
  /** Whether each of these was told, and none is left of when it was one of the whole, or one of each space. */
  areReported(planned: readonly PlannedRun[]): boolean;
}

interface HeadRunsOf {
  readonly db: Database;
  readonly octokit: Octokit;
  readonly report: StoredReport;
  readonly place: Omit<CheckRunTarget, 'check'>;
}

/** `resumed`: an earlier try may have made some, and died before it could note that. */
export async function openHeadRuns(
  { db, octokit, report, place }: HeadRunsOf,
  resumed: boolean,
): Promise<HeadRuns> {
  const runs = new Map((await listRuns(db, report)).map((run) => [run.name, run]));

  const placeOf = (run: PlannedRun): CheckRunTarget => ({
    ...place,
    check: run.name,
    externalId: run.directory === null ? place.externalId : `${place.externalId}/${digest(run).slice(0, 16)}`,
  });
  const note = async (
    planned: PlannedRun,
    fields: Pick<ReportRun, 'id' | 'told' | 'verdict' | 'annotations'>,
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

  const tellOne = async ({ outcome, ...planned }: RunOutcome): Promise<void> => {
    const known = runs.get(planned.name);
    const told = digest(outcome);
    if (known?.told === told) return;
    const { annotations, ...verdict } = outcome;
    const fields = { told, verdict, annotations: annotations.length };
    const target = placeOf(planned);
    if (known === undefined || (known.told !== null && known.annotations > 0)) {
      // The digest makes it another one than that which it takes the place of.
      const externalId =
        known === undefined ? target.externalId : `${target.externalId}/${told.slice(0, 16)}`;
      const id = await postCheckRun(octokit, { ...target, externalId }, outcome, resumed);
      return await note(planned, { id, ...fields });
    }
    await completeCheckRun(octokit, target, known.id, outcome, resumed || known.told !== null);
    await note(planned, { id: known.id, ...fields });
  };

  return {
    async open(planned) {
      for (const one of planned.slice(0, MAX_OPENED)) {
        if (runs.has(one.name)) continue;
        const id = await openCheckRun(octokit, placeOf(one), resumed);
        await note(one, { id, told: null, verdict: null, annotations: 0 });
      }
    },
    async report(outcomes) {
      for (const one of outcomes) await tellOne(one);
    },
    async reportReason(planned, outcome) {
      const { annotations: _, ...verdict } = outcome;
      for (const one of planned) {
        const known = runs.get(one.name);
        if (typeof known?.told === 'string') continue;
        let id = known?.id;
        if (id === undefined) id = await postCheckRun(octokit, placeOf(one), outcome, resumed);
        else await completeCheckRun(octokit, placeOf(one), id, outcome, resumed);
        await note(one, { id, told: null, verdict, annotations: 0 });
      }
    },
    async retire(planned) {
      const kept = new Set(planned.map(({ name }) => name));
      const names = planned.map(({ name }) => `“${name}”`).join(', ');
      const sentence =
        planned.length === 1
          ? `The repository’s configuration names its checks anew: ${names} tells what this one told.`
          : `The repository’s configuration names its checks anew: these tell what this one told: ${names}.`;
      for (const run of [...runs.values()]) {
        if (kept.has(run.name)) continue;
        const outcome = describeWithoutVerdict('Another check took this one’s place', sentence);
        await completeCheckRun(octokit, placeOf(run), run.id, outcome, false);
        await deleteReportRuns(db, report.id, run.id);
        runs.delete(run.name);
      }
    },
    areReported(planned) {
      const isWhole = planned.some(({ directory }) => directory === null);
      return (
        planned.every(({ name }) => typeof runs.get(name)?.told === 'string') &&
        [...runs.values()].every(({ directory }) => (directory === null) === isWhole)
      );
    },
  };
}

/** Says something else on a check run that has a verdict; its annotations, conclusion and buttons stay. */
export async function updateRunText(
  { db, octokit }: Pick<HeadRunsOf, 'db' | 'octokit'>,
  repository: RepositoryName,
  { id, verdict }: { readonly id: number; readonly verdict: RunVerdict },
  said: Pick<RunVerdict, 'title' | 'summary'>,
): Promise<void> {
  await updateCheckRunText(octokit, repository, id, said);
  await saveVerdict(db, id, { ...verdict, ...said });
}

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}
