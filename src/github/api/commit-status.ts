import { hasStatusCode } from './errors.ts';
import { quoteNames } from './markdown.ts';
import type { Octokit } from './octokit.ts';
import type { RepositoryName } from './repository.ts';

/** GitHub refuses longer descriptions. https://docs.github.com/rest/commits/statuses#create-a-commit-status */
const DESCRIPTION_LIMIT = 140;

export interface CommitStatus {
  readonly context: string;
  readonly state: 'pending' | 'success' | 'failure' | 'error';
  /** One sentence; cut to 140 characters. */
  readonly description: string;
  readonly targetUrl?: string;
}

export async function postCommitStatus(
  octokit: Octokit,
  repository: RepositoryName,
  commitOid: string,
  status: CommitStatus,
): Promise<void> {
  await octokit.rest.repos.createCommitStatus({
    owner: repository.owner,
    repo: repository.name,
    sha: commitOid,
    context: status.context,
    state: status.state,
    description: describe(status),
    ...(status.targetUrl === undefined ? {} : { target_url: status.targetUrl }),
  });
}

function describe({ description }: CommitStatus): string {
  return cutText(quoteNames(description), DESCRIPTION_LIMIT);
}

/** Whether the newest status of this context is already the same. */
export async function hasStatus(
  octokit: Octokit,
  repository: RepositoryName,
  commitOid: string,
  status: CommitStatus,
): Promise<boolean> {
  const { data } = await octokit.rest.repos.getCombinedStatusForRef({
    owner: repository.owner,
    repo: repository.name,
    ref: commitOid,
    per_page: 100,
  });
  return data.statuses.some(
    ({ context, state, description }) =>
      context === status.context && state === status.state && description === describe(status),
  );
}

/** The newest state of this context on a commit; null for none. */
export async function readStatus(
  octokit: Octokit,
  repository: RepositoryName,
  commitOid: string,
  context: string,
): Promise<string | null> {
  const { data } = await octokit.rest.repos.getCombinedStatusForRef({
    owner: repository.owner,
    repo: repository.name,
    ref: commitOid,
    per_page: 100,
  });
  return data.statuses.find((status) => status.context === context)?.state ?? null;
}

/** The statuses of this context on a commit, newest first, at most 100; none when the commit is gone. */
export async function listStatuses(
  octokit: Octokit,
  repository: RepositoryName,
  commitOid: string,
  context: string,
): Promise<readonly CommitStatus[]> {
  try {
    const { data } = await octokit.rest.repos.listCommitStatusesForRef({
      owner: repository.owner,
      repo: repository.name,
      ref: commitOid,
      per_page: 100,
    });
    return data
      .filter((status) => status.context === context)
      .map(({ state, description, target_url: targetUrl }) => ({
        context,
        state: state as CommitStatus['state'],
        description: description ?? '',
        ...(targetUrl === null ? {} : { targetUrl }),
      }));
  } catch (error) {
    if (hasStatusCode(error, 404, 422)) return [];
    throw error;
  }
}

/** At most `length` UTF-16 code units on one line, with an ellipsis where something was cut. */
export function cutText(text: string, length: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const characters = Array.from(line);
  return line.length <= length
    ? line
    : `${characters.slice(0, countFitting(characters, length - 1)).join('')}…`;
}

/** How many whole characters fit into `length` UTF-16 code units. */
function countFitting(characters: readonly string[], length: number): number {
  let units = 0;
  for (const [index, character] of characters.entries()) {
    units += character.length;
    if (units > length) return index;
  }
  return characters.length;
}

/** The name of each space's status: its title, or its directory where two spaces share a title. */
export function statusContexts(
  spaces: readonly { readonly directory: string; readonly title: string }[],
): readonly string[] {
  return spaces.map(({ directory, title }) => {
    const shared = spaces.filter((space) => space.title === title).length > 1;
    return `docloom/${shared ? directory || title : title}`;
  });
}
