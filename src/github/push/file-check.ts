import { describeMistakes, type MistakenFile } from '../describe-mistakes.ts';
import type { Octokit } from '../octokit.ts';
import type { Repository } from '../repository.ts';

/** What there is to say of a file of a commit that Docloom reads. */
export interface FileVerdict extends MistakenFile {
  /** Of the check run. */
  readonly name: string;
  readonly praise: { readonly title: string; readonly summary: string };
}

/**
 * Tells of a file in a check run of its own, with each mistake on its line. Told once for each commit, also when it is
 * looked at again.
 */
export async function tellFile(
  octokit: Octokit,
  repository: Repository,
  commitOid: string,
  verdict: FileVerdict,
): Promise<void> {
  const { owner, name: repo } = repository;
  const { data } = await octokit.rest.checks.listForRef({
    owner,
    repo,
    ref: commitOid,
    check_name: verdict.name,
    per_page: 1,
  });
  if (data.total_count > 0) return;
  const failed = verdict.problems.length > 0;
  const path = verdict.path.split('/').map(encodeURIComponent).join('/');
  await octokit.rest.checks.create({
    owner,
    repo,
    name: verdict.name,
    head_sha: commitOid,
    status: 'completed',
    conclusion: failed ? 'failure' : 'success',
    output: failed ? describeMistakes(verdict) : verdict.praise,
    details_url: `${repository.htmlUrl}/blob/${commitOid}/${path}`,
  });
}
