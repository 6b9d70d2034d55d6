import type { Static } from 'typebox';
import { API_REPORT_LIMIT, type ApiReportSpec, type CheckedApiReport } from '../../content/report/index.ts';
import {
  type CheckOutcome,
  closeOvertaken,
  explainError,
  type PullRequest,
  readPullRequest,
  reconcileCheckRuns,
  splitName,
} from '../../github/index.ts';
import { type JobContext, PermanentFailure } from '../../queue/index.ts';
import { hasReport, type KnownRepository, loadRepository, saveReport } from '../../store/index.ts';
import type { SpecDeps } from '../deps.ts';
import { openSpecThread, type SpecThread } from '../openapi/open-spec-thread.ts';
import { annotateSpecs } from './annotate-specs.ts';
import type { apiCheckJob } from './api-check-job.ts';
import { concludeSpecs, writeApiTitle } from './conclude-specs.ts';
import { describeSpec } from './describe-spec.ts';
import { type ApiSides, findTouched, type TouchedSpec } from './find-touched.ts';
import { writeApiSummary } from './write-api-summary.ts';

/** The check run for all specifications of a pull request. */
const CHECK = { name: 'Docloom API', directory: null };

/** Below the job's own time limit, so that the result is reported. */
const TIME_LIMIT_MS = 12 * 60_000;

/**
 * Compares the specifications of a pull request's head with those of its merge base, and completes a check run on the head.
 * A pull request that touches no specification gets no check run, unless an earlier head had one: then the run on the newest
 * head reports that none is left.
 */
export async function checkApi(
  deps: SpecDeps,
  payload: Static<typeof apiCheckJob.payload>,
  run: JobContext,
): Promise<void> {
  try {
    await checkNow(deps, payload, run);
  } catch (error) {
    // The error of a failed job is shown to people.
    throw error instanceof PermanentFailure ? error : new Error(explainError(error), { cause: error });
  }
}

async function checkNow(
  deps: SpecDeps,
  { repositoryId, installationId, number, rerun }: Static<typeof apiCheckJob.payload>,
  run: JobContext,
): Promise<void> {
  const known = await loadRepository(deps.db, repositoryId);
  if (known === null || known.disconnected !== null) return;
  const octokit = await deps.access.on(installationId, run);
  const hint = { installationId, repositoryId, name: splitName(known.fullName), number };
  const pull = await readPullRequest(octokit, hint);
  await closeOvertaken(deps, hint, octokit, pull?.headOid ?? null, 'api');
  if (pull === null) return;
  const isReported = await hasReport(deps.db, { repositoryId, pullNumber: number, kind: 'api' });
  // Nobody waits for a run that was never shown.
  if (run.exhausted && !isReported) return;
  const thread = openSpecThread();
  try {
    const open = () => openSides(deps, { installationId, pull, known, thread }, run.signal);
    const opened = isReported ? null : await open();
    if (opened?.touched.length === 0) return;
    await reconcileCheckRuns(deps, {
      kind: 'api',
      pull,
      installationId,
      octokit,
      run,
      rerun: rerun === undefined ? undefined : { delivery: rerun, checkRunId: null },
      planned: [CHECK],
      async check({ id, url }) {
        const { sides, touched } = opened ?? (await open());
        const report = await checkSides(pull, { sides, touched, thread }, run.signal);
        await saveReport(deps.db, id, report);
        return { outcomes: [{ ...CHECK, outcome: describe(report, url) }] };
      },
    });
  } finally {
    await thread.close();
  }
}

interface OpenedSides {
  readonly sides: ApiSides;
  readonly touched: readonly TouchedSpec[];
}

async function openSides(
  deps: SpecDeps,
  {
    installationId,
    pull,
    known,
    thread,
  }: {
    readonly installationId: number;
    readonly pull: PullRequest;
    readonly known: KnownRepository;
    readonly thread: SpecThread;
  },
  signal: AbortSignal,
): Promise<OpenedSides> {
  const { repository, headOid, headRef, baseOid } = pull;
  const sides = {
    // A fork's head is read from the base repository.
    head: await deps.openCommit(installationId, repository, headOid, signal, headRef),
    base: await deps.openCommit(installationId, repository, baseOid, signal),
  };
  const { db } = deps;
  const { id: repositoryId, configText } = known;
  const touched = await findTouched({ db, repositoryId, configText, thread, signal }, sides);
  return { sides, touched };
}

async function checkSides(
  pull: PullRequest,
  { sides, touched, thread }: OpenedSides & { readonly thread: SpecThread },
  signal: AbortSignal,
): Promise<CheckedApiReport> {
  const deadline = performance.now() + TIME_LIMIT_MS;
  const specs: ApiReportSpec[] = [];
  let remaining = API_REPORT_LIMIT;
  for (const spec of touched) {
    const isLate = performance.now() > deadline;
    const found = isLate ? describeSkipped(spec) : await describeSpec(spec, sides, thread, signal);
    const problems = found.problems.slice(0, remaining);
    remaining -= problems.length;
    const changes = found.changes.slice(0, remaining);
    remaining -= changes.length;
    specs.push({ ...found, problems, changes });
  }
  const { htmlUrl, fullName } = pull.repository;
  return {
    version: 1,
    about: 'api',
    state: 'checked',
    repository: fullName,
    pullNumber: pull.number,
    pullUrl: pull.url,
    headOid: pull.headOid,
    baseOid: pull.baseOid,
    headBlobUrl: `${htmlUrl}/blob/${pull.headOid}/`,
    baseBlobUrl: `${htmlUrl}/blob/${pull.baseOid}/`,
    specs,
  };
}

function describeSkipped({ name, next, old, breakingChanges }: TouchedSpec): ApiReportSpec {
  return {
    name,
    file: next ?? old ?? '',
    breakingChanges,
    outcome: 'unchecked',
    note: 'The time for a pull request was used up by the other specifications.',
    problems: [],
    changes: [],
    counts: { problems: 0, existing: 0, changes: 0, breaking: 0 },
  };
}

function describe(report: CheckedApiReport, reportUrl: string): CheckOutcome {
  return {
    conclusion: concludeSpecs(report.specs),
    title: writeApiTitle(report.specs),
    summary: writeApiSummary(report, reportUrl),
    annotations: annotateSpecs(report.specs),
  };
}
