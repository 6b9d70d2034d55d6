import {
  hasStatusCode,
  nullWhenMissing,
  type Octokit,
  type Repository,
  readBranchTip,
} from '../../github/index.ts';

/** The open pull request with edits of a space. */
export interface OpenPull {
  readonly number: number;
  readonly title: string;
  readonly body: string;
}

/** The branches of a pull request. */
export interface PullBranches {
  readonly repository: Repository;
  readonly head: string;
  readonly base: string;
}

/** https://docs.github.com/rest/pulls/pulls#list-pull-requests */
export async function findOpenPull(octokit: Octokit, branches: PullBranches): Promise<OpenPull | null> {
  const { repository, head, base } = branches;
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

/** The state of a pull request that was open: `merged`, `closed` without a merge, or still `open`. */
export async function readPullState(
  octokit: Octokit,
  repository: Repository,
  number: number,
): Promise<'open' | 'merged' | 'closed'> {
  const response = await nullWhenMissing(
    octokit.rest.pulls.get({ ...nameOf(repository), pull_number: number }),
  );
  if (response === null) return 'closed';
  if (response.data.merged) return 'merged';
  return response.data.state === 'open' ? 'open' : 'closed';
}

/**
 * Merges new commits of the base into the branch of a pull request. False when both changed the same lines, which a
 * person has to resolve.
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

/** The files that the branch changes, at most 300; null when it has no changes that its base does not have. */
export async function listChangedFiles(
  octokit: Octokit,
  { repository, head, base }: PullBranches,
): Promise<readonly string[] | null> {
  const { data } = await octokit.rest.repos.compareCommitsWithBasehead({
    ...nameOf(repository),
    basehead: `${base}...${head}`,
    per_page: 1,
  });
  const { ahead_by: ahead, files } = data;
  return ahead === 0 || files?.length === 0 ? null : (files ?? []).map(({ filename }) => filename);
}

/** Opens the pull request, or updates the text of the open one. Returns its number. */
export async function savePullRequest(
  octokit: Octokit,
  branches: PullBranches,
  open: OpenPull | null,
  { title, body }: { readonly title: string; readonly body: string },
): Promise<number> {
  const { repository, head, base } = branches;
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

/** Deletes the export branch when all its commits are on its base. */
export async function removeBranch(octokit: Octokit, { repository, head }: PullBranches): Promise<void> {
  if ((await readBranchTip(octokit, repository, head)) === null) return;
  try {
    await octokit.rest.git.deleteRef({ ...nameOf(repository), ref: `heads/${head}` });
  } catch (error) {
    if (!hasStatusCode(error, 404, 422)) throw error; // somebody has already deleted it
  }
}

const nameOf = ({ owner, name }: Repository) => ({ owner, repo: name });
