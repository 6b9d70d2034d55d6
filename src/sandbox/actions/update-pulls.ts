import { type ForgeContext, gitDirOf, timestamp } from '../forge-context.ts';
import { isAncestor } from '../git/read-commits.ts';
import type { AccountRecord, PullRecord, RepositoryRecord } from '../state/records.ts';
import type { RefChange } from '../webhooks/push-payload.ts';
import { emitPullEvent, refreshPull, setPullState } from './pulls.ts';

/** Updates the open pull requests from or into a branch after the branch moved. */
export async function updatePulls(
  context: ForgeContext,
  repository: RepositoryRecord,
  change: RefChange,
  sender: AccountRecord,
): Promise<void> {
  if (!change.ref.startsWith('refs/heads/')) return;
  const branch = change.ref.slice('refs/heads/'.length);
  const open = context.data.pulls.filter((pull) => pull.state === 'open');
  for (const pull of open) {
    if (pull.headRepositoryId === repository.id && pull.headRef === branch) {
      await updateHead(context, pull, change, sender);
    }
    if (pull.state === 'open' && pull.repositoryId === repository.id && pull.baseRef === branch) {
      await updateBase(context, pull, change, sender);
    }
  }
}

async function updateHead(context: ForgeContext, pull: PullRecord, change: RefChange, sender: AccountRecord) {
  if (change.after === null) return setPullState(context, pull, sender);
  const before = pull.headSha;
  pull.headSha = change.after;
  pull.updatedAt = timestamp(context.now());
  await refreshPull(context, pull);
  await emitPullEvent(context, pull, 'synchronize', sender, { before, after: change.after });
}

/** When the base branch contains the head, the pull request is merged; GitHub closes it automatically. */
async function updateBase(context: ForgeContext, pull: PullRecord, change: RefChange, sender: AccountRecord) {
  if (change.after === null) return setPullState(context, pull, sender);
  if (await isAncestor(gitDirOf(context, pull.repositoryId), pull.headSha, change.after)) {
    return setPullState(context, pull, sender, change.after);
  }
  pull.baseSha = change.after;
  await refreshPull(context, pull);
}
