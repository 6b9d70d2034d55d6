import { type ForgeContext, gitDirOf, timestamp } from '../forge-context.ts';
import { fetchInto, updateRef, updateRefs } from '../git/bare-repository.ts';
import { mergeCommits } from '../git/merge-commits.ts';
import { presentFullPull } from '../present/pull.ts';
import { accountById, repositoryById } from '../state/find-records.ts';
import type { AccountRecord, PullRecord, RepositoryRecord } from '../state/records.ts';
import { emitRepositoryEvent } from '../webhooks/emit-event.ts';

export interface NewPull {
  readonly base: RepositoryRecord;
  readonly baseRef: string;
  readonly baseSha: string;
  readonly head: RepositoryRecord;
  readonly headRef: string;
  readonly headSha: string;
  readonly title: string;
  readonly body: string | null;
  readonly draft: boolean;
  readonly maintainerCanModify: boolean;
  readonly author: AccountRecord;
}

/** Opens a pull request whose branches were already checked, and sends the event. */
export async function openPull(context: ForgeContext, input: NewPull): Promise<PullRecord> {
  const now = timestamp(context.now());
  const pull: PullRecord = {
    id: context.nextId(),
    number: input.base.nextPullNumber,
    repositoryId: input.base.id,
    authorId: input.author.id,
    headRepositoryId: input.head.id,
    headRef: input.headRef,
    headSha: input.headSha,
    baseRef: input.baseRef,
    baseSha: input.baseSha,
    title: input.title,
    body: input.body,
    draft: input.draft,
    maintainerCanModify: input.maintainerCanModify,
    state: 'open',
    createdAt: now,
    updatedAt: now,
    closedAt: null,
    mergedAt: null,
    mergedById: null,
    mergeSha: null,
  };
  input.base.nextPullNumber += 1;
  context.data.pulls.push(pull);
  await refreshPull(context, pull);
  await emitPullEvent(context, pull, 'opened', input.author);
  return pull;
}

/** Updates the head's objects, `refs/pull/N/head` and `refs/pull/N/merge` to match the record. */
export async function refreshPull(context: ForgeContext, pull: PullRecord): Promise<void> {
  const gitDir = gitDirOf(context, pull.repositoryId);
  const head = `refs/pull/${pull.number}/head`;
  if (pull.headRepositoryId !== pull.repositoryId)
    await fetchInto(gitDir, gitDirOf(context, pull.headRepositoryId), pull.headSha, head);
  const author = accountById(context.data, pull.authorId);
  pull.mergeSha = await mergeCommits(
    gitDir,
    pull.baseSha,
    pull.headSha,
    `Merge ${pull.headSha} into ${pull.baseSha}`,
    { name: author.login, email: author.email, at: context.now() },
  );
  await updateRefs(gitDir, { [head]: pull.headSha, [`refs/pull/${pull.number}/merge`]: pull.mergeSha });
}

/** Closes a pull request, as merged when `mergeSha` is passed. */
export async function setPullState(
  context: ForgeContext,
  pull: PullRecord,
  sender: AccountRecord,
  mergeSha?: string,
): Promise<void> {
  const now = timestamp(context.now());
  pull.state = 'closed';
  pull.closedAt = pull.updatedAt = now;
  if (mergeSha !== undefined) {
    pull.mergedAt = now;
    pull.mergedById = sender.id;
    pull.mergeSha = mergeSha;
  }
  await updateRef(gitDirOf(context, pull.repositoryId), `refs/pull/${pull.number}/merge`, null);
  await emitPullEvent(context, pull, 'closed', sender);
}

/** Sends `pull_request` with the fields of the action (`changes` of an edit, the oids of a synchronize). */
export async function emitPullEvent(
  context: ForgeContext,
  pull: PullRecord,
  action: string,
  sender: AccountRecord,
  fields: object = {},
): Promise<void> {
  emitRepositoryEvent(context, {
    event: 'pull_request',
    action,
    repository: repositoryById(context.data, pull.repositoryId),
    sender,
    payload: { number: pull.number, pull_request: await presentFullPull(context, pull), ...fields },
  });
}
