/** Reads the forge as a user of GitHub's API would: statuses of a commit, check runs, annotations. */
import type { Octokit } from '@octokit/rest';
import { waitFor } from './narrator.ts';

export interface ObservedRepository {
  readonly owner: string;
  readonly repo: string;
}

/** Waits until all statuses of the commit are final and there are at least `expected` of them. */
export async function waitForStatuses(
  octokit: Octokit,
  repository: ObservedRepository,
  ref: string,
  expected: number,
  signal?: AbortSignal,
) {
  return await waitFor(
    `the statuses of commit ${ref.slice(0, 7)}`,
    async () => {
      const { data } = await octokit.repos.getCombinedStatusForRef({ ...repository, ref });
      const final = data.statuses.filter((status) => status.state !== 'pending');
      return final.length >= expected && final.length === data.statuses.length ? data.statuses : undefined;
    },
    signal === undefined ? {} : { signal },
  );
}

/** Waits until the commit's check run is completed, and reads all of its annotations. */
export async function waitForCheck(
  octokit: Octokit,
  repository: ObservedRepository,
  ref: string,
  signal?: AbortSignal,
) {
  const run = await waitFor(
    `the check run of commit ${ref.slice(0, 7)}`,
    async () => {
      const { data } = await octokit.checks.listForRef({ ...repository, ref });
      return data.check_runs.find((check) => check.status === 'completed');
    },
    signal === undefined ? {} : { signal },
  );
  const annotations = await octokit.paginate(octokit.checks.listAnnotations, {
    ...repository,
    check_run_id: run.id,
    per_page: 100,
  });
  return { ...run, annotations };
}
