import type { RunVerdict } from '../../store/index.ts';
import { type Annotation, batch } from './annotations.ts';
import type { Octokit } from './octokit.ts';
import type { RepositoryName } from './repository.ts';

export const CHECK_NAME = 'Docloom links';

export type Conclusion = RunVerdict['conclusion'];

const PER_PAGE = 100;
/** GitHub lists no more than the newest 1,000 of a commit. */
const MAX_PAGES = 10;

/** One of our check runs on a commit of a repository. */
export interface CheckRunTarget extends RepositoryName {
  /** Its name; `CHECK_NAME` when absent. */
  readonly check?: string;
  readonly headOid: string;
  /** Chosen by us; identifies the run after a crash. */
  readonly externalId: string;
  readonly detailsUrl: string;
}

/** Opens the check run as in progress, or finds the one that an earlier attempt opened. Returns its id. */
export async function openCheckRun(
  octokit: Octokit,
  target: CheckRunTarget,
  resumed: boolean,
): Promise<number> {
  const repository = { owner: target.owner, repo: target.name };
  if (resumed) {
    const known = await findCheckRun(octokit, target);
    if (known !== null) return known;
  }
  const { data } = await octokit.rest.checks.create({
    ...repository,
    name: target.check ?? CHECK_NAME,
    head_sha: target.headOid,
    status: 'in_progress',
    external_id: target.externalId,
    details_url: target.detailsUrl,
  });
  return data.id;
}

/** The check runs of a commit that are in progress and whose external id starts with `prefix`, oldest first. */
export async function listOpenRuns(
  octokit: Octokit,
  { owner, name: repo, headOid: ref }: RepositoryName & Pick<CheckRunTarget, 'headOid'>,
  prefix: string,
): Promise<readonly { readonly id: number; readonly name: string }[]> {
  const found: { readonly id: number; readonly name: string }[] = [];
  // GitHub lists those of all Apps: a matrix of jobs alone may fill a page.
  for (let page = 1; page <= MAX_PAGES; page++) {
    const { data } = await octokit.rest.checks.listForRef({
      owner,
      repo,
      ref,
      status: 'in_progress',
      filter: 'all',
      per_page: PER_PAGE,
      page,
    });
    found.push(...data.check_runs.filter(({ external_id }) => external_id?.startsWith(prefix)));
    if (data.check_runs.length < PER_PAGE) break;
  }
  return found.toSorted((a, b) => a.id - b.id);
}

/** The id of the check run with the target's external id; null when none was opened. */
export async function findCheckRun(octokit: Octokit, target: CheckRunTarget): Promise<number | null> {
  const { data } = await octokit.rest.checks.listForRef({
    owner: target.owner,
    repo: target.name,
    ref: target.headOid,
    check_name: target.check ?? CHECK_NAME,
    filter: 'all',
    per_page: PER_PAGE,
  });
  return data.check_runs.find((run) => run.external_id === target.externalId)?.id ?? null;
}

/** What a check run is completed with. */
export interface CheckOutcome extends RunVerdict {
  readonly annotations: readonly Annotation[];
}

/** GitHub's limit is not documented; its pages cut longer titles. */
const TITLE_LENGTH = 255;

/**
 * Completes a check run. Updates append annotations, so they are sent in batches and a resumed attempt first reads how
 * many arrived; the last update has the conclusion, so a run is complete only with all of them.
 */
export async function completeCheckRun(
  octokit: Octokit,
  target: CheckRunTarget,
  checkRunId: number,
  outcome: CheckOutcome,
  resumed: boolean,
): Promise<void> {
  const run = { owner: target.owner, repo: target.name, check_run_id: checkRunId };
  const arrived = resumed ? await countAnnotations(octokit, run) : 0;
  const batches = batch(outcome.annotations.slice(arrived));
  const output = { title: outcome.title.slice(0, TITLE_LENGTH), summary: outcome.summary };
  for (const [index, annotations] of batches.entries()) {
    const last = index === batches.length - 1;
    await octokit.rest.checks.update({
      ...run,
      details_url: target.detailsUrl,
      ...(last
        ? { status: 'completed', conclusion: outcome.conclusion, actions: [...(outcome.actions ?? [])] }
        : { status: 'in_progress' }),
      output: { ...output, ...(annotations.length === 0 ? {} : { annotations: [...annotations] }) },
    });
  }
}

/**
 * Creates a check run that is complete from the beginning, or continues the one that an earlier attempt created. It is
 * never in progress, so nothing has to complete it later. Returns its id.
 */
export async function postCheckRun(
  octokit: Octokit,
  target: CheckRunTarget,
  outcome: CheckOutcome,
  resumed: boolean,
): Promise<number> {
  const known = resumed ? await findCheckRun(octokit, target) : null;
  if (known !== null) {
    await completeCheckRun(octokit, target, known, outcome, true);
    return known;
  }
  const [first = [], ...rest] = batch(outcome.annotations);
  const { data } = await octokit.rest.checks.create({
    owner: target.owner,
    repo: target.name,
    name: target.check ?? CHECK_NAME,
    head_sha: target.headOid,
    external_id: target.externalId,
    details_url: target.detailsUrl,
    status: 'completed',
    conclusion: outcome.conclusion,
    actions: [...(outcome.actions ?? [])],
    output: {
      title: outcome.title.slice(0, TITLE_LENGTH),
      summary: outcome.summary,
      ...(first.length === 0 ? {} : { annotations: [...first] }),
    },
  });
  if (rest.length > 0)
    await completeCheckRun(octokit, target, data.id, { ...outcome, annotations: rest.flat() }, false);
  return data.id;
}

/** Replaces the title and summary of a completed check run; its annotations and conclusion stay. */
export async function updateCheckRunText(
  octokit: Octokit,
  { owner, name }: RepositoryName,
  checkRunId: number,
  { title, summary }: Pick<CheckOutcome, 'title' | 'summary'>,
): Promise<void> {
  await octokit.rest.checks.update({
    owner,
    repo: name,
    check_run_id: checkRunId,
    output: { title: title.slice(0, TITLE_LENGTH), summary },
  });
}

async function countAnnotations(
  octokit: Octokit,
  run: { owner: string; repo: string; check_run_id: number },
): Promise<number> {
  const { data } = await octokit.rest.checks.get(run);
  return data.output.annotations_count;
}
