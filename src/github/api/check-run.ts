import type { RunVerdict } from '../../store/index.ts';
import { type Annotation, batch } from './annotations.ts';
import type { Octokit } from './octokit.ts';
import type { RepositoryName } from './repository.ts';

export const CHECK_NAME = 'Docloom links';

export type Conclusion = RunVerdict['conclusion'];

const PER_PAGE = 100;
/** GitHub lists no more than the newest 1,000 of a commit. */
const MAX_PAGES = 10;

/** One check run of ours on a commit, under the address of its repository. */
export interface CheckRunTarget extends RepositoryName {
  /** Its name; `CHECK_NAME` when absent. */
  readonly check?: string;
  readonly headOid: string;
  /** Ours to choose; by it a run is found again after a crash. */
  readonly externalId: string;
  readonly detailsUrl: string;
}

/** Opens the check run as in progress, or finds the one that an earlier try opened. Answers its id. */
export async function openCheckRun(
  octokit: Octokit,
  place: CheckRunTarget,
  resumed: boolean,
): Promise<number> {
  const repository = { owner: place.owner, repo: place.name };
  if (resumed) {
    const known = await findCheckRun(octokit, place);
    if (known !== null) return known;
  }
  const { data } = await octokit.rest.checks.create({
    ...repository,
    name: place.check ?? CHECK_NAME,
    head_sha: place.headOid,
    status: 'in_progress',
    external_id: place.externalId,
    details_url: place.detailsUrl,
  });
  return data.id;
}

/** Those of a commit's check runs that are in progress and whose external id begins so, the oldest first. */
export async function listOpenRuns(
  octokit: Octokit,
  { owner, name: repo, headOid: ref }: RepositoryName & Pick<CheckRunTarget, 'headOid'>,
  prefix: string,
): Promise<readonly { readonly id: number; readonly name: string }[]> {
  const found: { readonly id: number; readonly name: string }[] = [];
  // Of all Apps: a matrix of jobs alone may fill a page.
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
  return found.toSorted((one, other) => one.id - other.id);
}

/** The id of the check run with the place's external id; null when none was opened. */
export async function findCheckRun(octokit: Octokit, place: CheckRunTarget): Promise<number | null> {
  const { data } = await octokit.rest.checks.listForRef({
    owner: place.owner,
    repo: place.name,
    ref: place.headOid,
    check_name: place.check ?? CHECK_NAME,
    filter: 'all',
    per_page: PER_PAGE,
  });
  return data.check_runs.find((run) => run.external_id === place.externalId)?.id ?? null;
}

/** What a check run is completed with. */
export interface CheckOutcome extends RunVerdict {
  readonly annotations: readonly Annotation[];
}

/** GitHub's limit is not documented; longer titles are cut on the page. */
const TITLE_LENGTH = 255;

/**
 * Completes a check run. Updates append annotations, so they go in batches and a resumed try asks first how
 * many arrived; the last update brings the conclusion, so a run is complete only with all of them.
 */
export async function completeCheckRun(
  octokit: Octokit,
  place: CheckRunTarget,
  checkRunId: number,
  outcome: CheckOutcome,
  resumed: boolean,
): Promise<void> {
  const run = { owner: place.owner, repo: place.name, check_run_id: checkRunId };
  const arrived = resumed ? await countAnnotations(octokit, run) : 0;
  const batches = batch(outcome.annotations.slice(arrived));
  const output = { title: outcome.title.slice(0, TITLE_LENGTH), summary: outcome.summary };
  for (const [index, annotations] of batches.entries()) {
    const last = index === batches.length - 1;
    await octokit.rest.checks.update({
      ...run,
      details_url: place.detailsUrl,
      ...(last
        ? { status: 'completed', conclusion: outcome.conclusion, actions: [...(outcome.actions ?? [])] }
        : { status: 'in_progress' }),
      output: { ...output, ...(annotations.length === 0 ? {} : { annotations: [...annotations] }) },
    });
  }
}

/**
 * Makes a check run that is complete from the beginning, or goes on with the one that an earlier try made. It is never in
 * progress, so that nobody has to end it. Answers its id.
 */
export async function postCheckRun(
  octokit: Octokit,
  place: CheckRunTarget,
  outcome: CheckOutcome,
  resumed: boolean,
): Promise<number> {
  const known = resumed ? await findCheckRun(octokit, place) : null;
  if (known !== null) {
    await completeCheckRun(octokit, place, known, outcome, true);
    return known;
  }
  const [first = [], ...rest] = batch(outcome.annotations);
  const { data } = await octokit.rest.checks.create({
    owner: place.owner,
    repo: place.name,
    name: place.check ?? CHECK_NAME,
    head_sha: place.headOid,
    external_id: place.externalId,
    details_url: place.detailsUrl,
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
    await completeCheckRun(octokit, place, data.id, { ...outcome, annotations: rest.flat() }, false);
  return data.id;
}

/** Says something else on a check run that is complete; its annotations and its conclusion stay. */
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
