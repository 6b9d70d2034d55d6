import { nullWhenMissing } from './errors.ts';
import type { Octokit } from './octokit.ts';
import { type Repository, type RepositoryName, readRepository } from './repository.ts';

/** A hint that a pull request changed. */
export interface PullHint {
  readonly installationId: number;
  readonly repositoryId: number;
  readonly name: RepositoryName;
  readonly number: number;
  /** Someone requested a new check, whatever the last one found. */
  readonly rerun?: Rerun;
}

export interface Rerun {
  /** The delivery of that request. */
  readonly delivery: string;
  /** The check run to run again; null for all. */
  readonly checkRunId: number | null;
}

/** The current state of a pull request, which may be newer than the event. */
export interface PullRequest {
  readonly repository: Repository;
  readonly number: number;
  readonly url: string;
  readonly headOid: string;
  /** A ref of the base repository from which the head can be fetched. */
  readonly headRef: string;
  /** The branch of its author; null for a merge group, and when the fork is gone. */
  readonly head: HeadBranch | null;
  /** The branch it is to be merged into, without `refs/heads/`. */
  readonly baseBranch: string;
  /** The merge base of head and base branch: what the head is compared with. */
  readonly baseOid: string;
}

export interface HeadBranch {
  /** Without `refs/heads/`. */
  readonly branch: string;
  readonly cloneUrl: string;
  readonly isFork: boolean;
  /** Whether the pull request allows the App to write to it: in a fork its author decides. */
  readonly isWritable: boolean;
}

/** Whether the head's author may have no write access to this repository. A merge group was admitted by somebody who has. */
export function isForeign({ headRef, head }: Pick<PullRequest, 'headRef' | 'head'>): boolean {
  // When the fork is gone, its branch was no branch of this repository.
  return headRef.startsWith('refs/pull/') && head?.isFork !== false;
}

/** Reads a pull request; null when there is nothing to check: it is closed, deleted, or its repository is archived. */
export async function readPullRequest(octokit: Octokit, hint: PullHint): Promise<PullRequest | null> {
  const repository = await readRepository(octokit, hint.name);
  if (repository === null || repository.id !== hint.repositoryId || repository.archived) return null;
  const name = { owner: repository.owner, repo: repository.name };
  const response = await nullWhenMissing(octokit.rest.pulls.get({ ...name, pull_number: hint.number }));
  if (response === null || response.data.state !== 'open') return null;
  const { head, base, html_url: url, number, maintainer_can_modify: isWritable } = response.data;
  // 404 when the two have no history in common: then the whole base branch is what it is compared with.
  const comparison = await nullWhenMissing(
    octokit.rest.repos.compareCommitsWithBasehead({
      ...name,
      basehead: `${base.ref}...${head.sha}`,
      per_page: 1,
    }),
  );
  // The fork may be gone, although the types exclude it.
  const source = head.repo as typeof head.repo | null;
  const isFork = source?.id !== repository.id;
  return {
    repository,
    number,
    url,
    headOid: head.sha,
    headRef: `refs/pull/${number}/head`,
    head:
      source === null
        ? null
        : { branch: head.ref, cloneUrl: source.clone_url, isFork, isWritable: !isFork || isWritable },
    baseBranch: base.ref,
    baseOid: comparison?.data.merge_base_commit.sha ?? base.sha,
  };
}
