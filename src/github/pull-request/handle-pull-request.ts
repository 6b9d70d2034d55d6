import type { Logger } from 'pino';
import type { IgnoreProblem } from '../../content/ignore/index.ts';
import type { Engine } from '../../content/index.ts';
import { buildReport, isLinkReport, type Report, type UnfinishedReport } from '../../content/report.ts';
import { GitError, type GitRemote, type GitRepository, type RepositoryCache } from '../../git/repository.ts';
import type { JobContext, Queue } from '../../queue/queue.ts';
import { type Binding, listBindings } from '../../store/bindings.ts';
import type { Database } from '../../store/db.ts';
import { newId } from '../../store/new-id.ts';
import {
  concludeReport,
  recordCheckRun,
  reserveReport,
  restartReport,
  type StoredReport,
  saveReport,
} from '../../store/reports.ts';
import { loadRepository } from '../../store/repositories.ts';
import { refuseExhausted } from '../delivery-run.ts';
import { explainError } from '../explain-error.ts';
import type { Octokit } from '../octokit.ts';
import { configInForce } from '../push/config-in-force.ts';
import { mintRemote, readRepository } from '../repository.ts';
import { CONFIG_PATH, NO_CONFIG } from '../repository-config.ts';
import { type MergeGroupEvent, type PullRequestEvent, pullOfGroup } from '../webhooks/event-shapes.ts';
import { noteAddresses } from './added-addresses.ts';
import { analyseChange, type ConfigMistake } from './analyse-change.ts';
import { annotate, annotateIgnores } from './annotations.ts';
import {
  CHECK_NAME,
  type CheckOutcome,
  type CheckRunPlace,
  completeCheckRun,
  openCheckRun,
  postCheckRun,
} from './check-run.ts';
import { closeOvertaken, externalIdOf } from './close-overtaken.ts';
import { conclude, type Verdict } from './conclude.ts';
import { actionOf, type FixOffer, offerFixes } from './offer-fixes.ts';
import { planPreviews } from './plan-previews.ts';
import { previewJob } from './preview-job.ts';
import { type PullHint, type PullRequest, readPullRequest } from './read-pull-request.ts';
import { reportOfSpace } from './report-of-space.ts';
import { writeNote, writeSentence, writeSummary, writeTitle } from './summary.ts';

export interface PullRequestDeps {
  readonly db: Database;
  readonly queue: Queue;
  readonly git: RepositoryCache;
  readonly engine: Engine;
  readonly publicUrl: string;
  /** The Octokit of the App itself, which makes tokens. */
  readonly app: () => Promise<Octokit>;
  readonly log: Logger;
}

/** An event of a pull request. Of edits only those count that point it at another branch. */
export async function handlePullRequest(
  deps: PullRequestDeps,
  event: PullRequestEvent,
  octokit: Octokit,
  run: JobContext,
): Promise<void> {
  if (event.action === 'edited' && event.changes?.base === undefined) return;
  const { repository, installation, number } = event;
  const name = { owner: repository.owner.login, name: repository.name };
  const hint = { installationId: installation.id, repositoryId: repository.id, name, number };
  await checkPull(deps, hint, octokit, run);
}

/**
 * Compares the pull request's head with its merge base and completes a check run on the head. The head is
 * read now, and a head that was judged already costs nothing. A verdict belongs to its commit,
 * so it stays right when the head moves on in the meantime; the newer head has its own event, and closes what an older
 * head's work left open.
 */
export async function checkPull(
  deps: PullRequestDeps,
  hint: PullHint,
  octokit: Octokit,
  run: JobContext,
): Promise<void> {
  const pull = await readPullRequest(octokit, hint);
  await closeOvertaken(deps, hint, octokit, pull?.headOid ?? null);
  if (pull !== null) await checkHead(deps, pull, hint, octokit, run);
}

/** Checks the commit that a merge queue is about to make of a pull request, against what it is merged into. */
export async function checkMergeGroup(
  deps: PullRequestDeps,
  event: MergeGroupEvent,
  octokit: Octokit,
  run: JobContext,
): Promise<void> {
  const { repository: sent, merge_group: group, installation } = event;
  const name = { owner: sent.owner.login, name: sent.name };
  const repository = await readRepository(octokit, name);
  if (repository === null || repository.id !== sent.id || repository.archived) return;
  const number = pullOfGroup(group.head_ref) ?? 0;
  const pull: PullRequest = {
    repository,
    number,
    url: number === 0 ? repository.htmlUrl : `${repository.htmlUrl}/pull/${number}`,
    headOid: group.head_sha,
    headRef: group.head_ref,
    head: null,
    baseBranch: group.base_ref.replace(/^refs\/heads\//, ''),
    baseOid: group.base_sha,
  };
  const hint = { installationId: installation.id, repositoryId: sent.id, name, number };
  await checkHead(deps, pull, hint, octokit, run);
}

async function checkHead(
  deps: PullRequestDeps,
  pull: PullRequest,
  hint: PullHint,
  octokit: Octokit,
  run: JobContext,
): Promise<void> {
  const id = newId();
  const reserved = await reserveReport(deps.db, {
    id,
    repositoryId: pull.repository.id,
    repository: pull.repository.fullName,
    pullNumber: pull.number,
    headOid: pull.headOid,
    baseOid: pull.baseOid,
  });
  const restarted = hint.rerun === undefined ? null : await restartReport(deps.db, reserved.id, hint.rerun);
  const report = restarted ?? reserved;
  if (isJudged(report)) return;
  const resumed = report.id !== id;
  const place: CheckRunPlace = {
    owner: pull.repository.owner,
    name: pull.repository.name,
    headOid: pull.headOid,
    externalId: externalIdOf(report),
    detailsUrl: `${deps.publicUrl}/reports/${report.id}`,
  };
  const checkRunId = report.checkRunId ?? (await openCheckRun(octokit, place, resumed));
  await recordCheckRun(deps.db, report.id, checkRunId);
  const unfinished = (reason: string | null): UnfinishedReport => ({
    version: 1,
    state: reason === null ? 'checking' : 'unchecked',
    repository: pull.repository.fullName,
    pullNumber: pull.number,
    pullUrl: pull.url,
    headOid: pull.headOid,
    reason,
  });
  await saveReport(deps.db, report.id, unfinished(null));
  const isAgain = resumed || run.attempt > 1;
  const finish = async ({ outcome, spaces = [], previewed = [] }: Judgement) => {
    // Before the whole is complete: then a try that ends in between is made good by the next.
    for (const { directory, title, ...told } of spaces) {
      const externalId = `${place.externalId}/${directory}`.slice(0, 250);
      await postCheckRun(
        octokit,
        { ...place, check: `${CHECK_NAME} / ${title}`, externalId },
        told.outcome,
        isAgain,
      );
    }
    await completeCheckRun(octokit, place, checkRunId, outcome, isAgain);
    // Before the conclusion is kept, which ends the work: a second job for the same previews finds them made.
    if (previewed.length > 0) {
      await deps.queue.enqueue(deps.db, previewJob, {
        installationId: hint.installationId,
        repositoryId: pull.repository.id,
        fullName: pull.repository.fullName,
        number: pull.number,
        headOid: pull.headOid,
        reportId: report.id,
        bindingIds: previewed.map((one) => one.id),
      });
    }
    await concludeReport(deps.db, report.id, outcome.conclusion);
  };
  try {
    refuseExhausted(run);
    await finish(await judge(deps, pull, { octokit, stored: report, hint, place }, run.signal));
  } catch (error) {
    // A stopped run says nothing about the pull request: the next one goes on with it.
    if (run.signal.aborted) throw error;
    const permanent = error instanceof GitError && !error.retryable;
    // The first failure is tried again in silence; after that people are told, whatever the next try brings.
    if (permanent || run.attempt > 1 || run.lastAttempt) {
      const reason = explainError(error);
      await saveReport(deps.db, report.id, unfinished(reason));
      await finish({ outcome: neutral(reason, permanent || run.lastAttempt) });
    }
    if (!permanent) throw error;
    deps.log.warn({ err: error, report: report.id }, 'A pull request could not be checked');
  }
}

/** Whether a verdict stands that nothing but a new commit or a wish changes. */
function isJudged({ conclusion, report }: StoredReport): boolean {
  if (conclusion === 'success' || conclusion === 'failure') return true;
  return conclusion === 'neutral' && isLinkReport(report) && report.state === 'checked';
}

/** What is told of a pull request: of the whole, and of each space where that is wished for. */
interface Judgement {
  readonly outcome: CheckOutcome;
  readonly spaces?: readonly {
    readonly title: string;
    readonly directory: string;
    readonly outcome: CheckOutcome;
  }[];
  /** The bindings that are to be shown as the head has them. */
  readonly previewed?: readonly Binding[];
}

interface Judging {
  readonly octokit: Octokit;
  readonly stored: StoredReport;
  readonly hint: PullHint;
  readonly place: CheckRunPlace;
}

async function judge(
  deps: PullRequestDeps,
  pull: PullRequest,
  { octokit, stored, hint, place }: Judging,
  signal: AbortSignal,
): Promise<Judgement> {
  const { repository } = pull;
  const remote = await mintRemote(await deps.app(), hint.installationId, repository);
  const cached = await fetchHead(deps.git, pull, remote, signal);
  const inForce = configInForce(await loadRepository(deps.db, repository.id));
  await cached.fetchCommit(remote, pull.baseOid, { signal });
  const change = await analyseChange(deps.engine, {
    repository: cached,
    remote,
    name: repository.name,
    address: {
      fullName: repository.fullName,
      branch: pull.baseBranch,
      htmlHost: new URL(repository.htmlUrl).host,
    },
    headOid: pull.headOid,
    baseOid: pull.baseOid,
    today: new Date().toISOString().slice(0, 10),
    inForce,
    signal,
  });
  if ('problems' in change) return { outcome: describeMistake(change) };
  const { ignoreProblems, failOn, hasRunPerSpace, added, changedPaths, ...facts } = change;
  const previewed = planPreviews(
    pull,
    (inForce ?? NO_CONFIG).config.checks.previews,
    await listBindings(deps.db, repository.id),
    changedPaths,
  );
  const outside = await noteAddresses(deps.db, added);
  const report = buildReport({
    repository: repository.fullName,
    pullNumber: pull.number,
    pullUrl: pull.url,
    headOid: pull.headOid,
    baseOid: pull.baseOid,
    headBlobUrl: `${repository.htmlUrl}/blob/${pull.headOid}/`,
    baseBlobUrl: `${repository.htmlUrl}/blob/${pull.baseOid}/`,
    ...(outside.length === 0 ? {} : { outside }),
    ...facts,
  });
  await saveReport(deps.db, stored.id, report);
  const offer = await offerFixes(octokit, pull, report);
  const reportUrl = place.detailsUrl;
  const verdict = conclude(report.counts, failOn);
  const outcome = describeReport(report, ignoreProblems, { reportUrl, offer, verdict });
  if (!hasRunPerSpace) return { outcome, previewed };
  // Each annotation stands once: on its space's run.
  return {
    previewed,
    outcome: { ...outcome, annotations: annotateIgnores(ignoreProblems) },
    spaces: report.spaces.map((space) => {
      const own = reportOfSpace(report, space);
      const means = { reportUrl, offer: null, verdict: conclude(own.counts, failOn) };
      return { ...space, outcome: describeReport(own, [], means) };
    }),
  };
}

/** The head into the repository's cache. That of a fork is read from the base repository. */
export async function fetchHead(
  git: RepositoryCache,
  pull: PullRequest,
  remote: GitRemote,
  signal: AbortSignal,
): Promise<GitRepository> {
  const cached = await git.repository(String(pull.repository.id));
  const oid = await cached.fetchRef(remote, pull.headRef, { signal });
  if (oid !== pull.headOid) await cached.fetchCommit(remote, pull.headOid, { signal });
  return cached;
}

function describeReport(
  report: Report,
  ignoreProblems: readonly IgnoreProblem[],
  {
    reportUrl,
    offer,
    verdict,
  }: { readonly reportUrl: string; readonly offer: FixOffer | null; readonly verdict: Verdict },
): CheckOutcome {
  const summary = writeSummary(report, reportUrl, offer);
  return {
    conclusion: verdict.conclusion,
    title: writeTitle(report),
    summary: verdict.note === null ? summary : writeNote(verdict.note, summary),
    annotations: [...annotate(report.introduced), ...annotateIgnores(ignoreProblems)],
    actions: offer === null ? [] : [actionOf(offer)],
  };
}

/** A mistake in the configuration fails only the pull request that made it; the others learn of it as `neutral`. */
function describeMistake({ problems, touched }: ConfigMistake): CheckOutcome {
  const [first] = problems;
  const where = first?.line == null ? CONFIG_PATH : `${CONFIG_PATH}:${first.line}`;
  const sentence = `${where}: ${first?.message ?? 'cannot be read.'}`;
  return {
    conclusion: touched ? 'failure' : 'neutral',
    title: 'The configuration needs a hand',
    summary: writeSentence(`${sentence} The links were not checked.`),
    annotations: touched
      ? problems.slice(0, 50).map(({ message, line }) => ({
          path: CONFIG_PATH,
          start_line: line ?? 1,
          end_line: line ?? 1,
          annotation_level: 'failure',
          title: 'Configuration',
          message,
        }))
      : [],
  };
}

function neutral(reason: string, final: boolean): CheckOutcome {
  const next = final ? 'Push again to have them checked.' : 'It is tried again by itself.';
  return {
    conclusion: 'neutral',
    title: 'The links could not be checked',
    summary: writeSentence(`${reason} ${next}`),
    annotations: [],
  };
}
