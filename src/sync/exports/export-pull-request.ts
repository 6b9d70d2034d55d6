import {
  hasStatusCode,
  nullWhenMissing,
  type Octokit,
  type Repository,
  readBranchTip,
} from '../../github/index.ts';

/** The pull request by which edits of a space come to its branch. */
export interface OpenPull {
  readonly number: number;
  readonly title: string;
  readonly body: string;
}

/** From which branch to which. */
export interface PullBranches {
  readonly repository: Repository;
  readonly head: string;
  readonly base: string;
}

/** https://docs.github.com/rest/pulls/pulls#list-pull-requests */
export async function findOpenPull(octokit: Octokit, place: PullBranches): Promise<OpenPull | null> {
  const { repository, head, base } = place;
  const { data } = await octokit.rest.pulls.list({
    ...nameOf(repository),
    state: 'open',
    head: `${repository.owner}:${head}`,
    base,
    per_page: 1,
  });
  const [pull] = data;
  return pull === undefined ? null : { number: pull.number, title: pull.title, body: pull.body ?? '' };
}

/** How a pull request stands that was open: `merged`, `closed` by somebody who did not want it, or still `open`. */
export async function readPullState(
  octokit: Octokit,
  repository: Repository,
  number: number,
): Promise<'open' | 'merged' | 'closed'> {
  const answer = await nullWhenMissing(
    octokit.rest.pulls.get({ ...nameOf(repository), pull_number: number }),
  );
  if (answer === null) return 'closed';
  if (answer.data.merged) return 'merged';
  return answer.data.state === 'open' ? 'open' : 'closed';
}

/**
 * Brings what is new on the base into the branch of a pull request, by a merge commit. False when both changed the
 * same lines, which a person has to settle.
 * https://docs.github.com/rest/branches/branches#merge-a-branch
 */
export async function mergeBase(
  octokit: Octokit,
  { repository, head, base }: PullBranches,
): Promise<boolean> {
  try {
    await octokit.rest.repos.merge({ ...nameOf(repository), base: head, head: base });
    return true;
  } catch (error) {
    if (hasStatusCode(error, 409)) return false;
    throw error;
  }
}

/** Whether the branch has commits that its base has not. */
export async function isAhead(octokit: Octokit, { repository, head, base }: PullBranches): Promise<boolean> {
  const { data } = await octokit.rest.repos.compareCommitsWithBasehead({
    ...nameOf(repository),
    basehead: `${base}...${head}`,
    per_page: 1,
  });
  return data.ahead_by > 0 && (data.files?.length ?? 1) > 0;
}

/** Opens the pull request, or says in the one that is open what it brings now. Answers its number. */
export async function savePullRequest(
  octokit: Octokit,
  place: PullBranches,
  open: OpenPull | null,
  { title, body }: { readonly title: string; readonly body: string },
): Promise<number> {
  const { repository, head, base } = place;
  if (open === null) {
    const { data } = await octokit.rest.pulls.create({ ...nameOf(repository), head, base, title, body });
    return data.number;
  }
  if (open.title !== title || open.body !== body) {
    await octokit.rest.pulls.update({ ...nameOf(repository), pull_number: open.number, title, body });
  }
  return open.number;
}

export async function closePullRequest(
  octokit: Octokit,
  repository: Repository,
  number: number,
): Promise<void> {
  await octokit.rest.pulls.update({ ...nameOf(repository), pull_number: number, state: 'closed' });
}

/** Removes a branch of ours whose commits are all on its base. */
export async function removeBranch(octokit: Octokit, { repository, head }: PullBranches): Promise<void> {
  if ((await readBranchTip(octokit, repository, head)) === null) return;
  try {
    await octokit.rest.git.deleteRef({ ...nameOf(repository), ref: `heads/${head}` });
  } catch (error) {
    if (!hasStatusCode(error, 404, 422)) throw error; // somebody was faster
  }
}

const nameOf = ({ owner, name }: Repository) => ({ owner, repo: name });
