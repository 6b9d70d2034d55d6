import { type ForgeContext, gitDirOf, timestamp } from '../forge-context.ts';
import { listRefs } from '../git/bare-repository.ts';
import type { AccountRecord, RepositoryRecord } from '../state/records.ts';
import { emitRepositoryEvent } from '../webhooks/emit-event.ts';
import { pushPayload, type RefChange } from '../webhooks/push-payload.ts';
import { updatePulls } from './update-pulls.ts';

/** GitHub sends no push events for tags when more than three are pushed at once. */
const MAX_TAGS = 3;

/**
 * Compares the repository's refs with those at the last events, and sends the events of the changes. Safe to call at any
 * time: unchanged refs send nothing, and a push that a crash interrupted is reported at the next start.
 */
export function recordPush(
  context: ForgeContext,
  repository: RepositoryRecord,
  pusher: AccountRecord,
): Promise<readonly RefChange[]> {
  return context.enqueue(`refs ${repository.id}`, async () => {
    const before = repository.refs;
    const after = await listRefs(gitDirOf(context, repository.id));
    const changes = compareRefs(before, after);
    if (changes.length === 0) return changes;
    repository.refs = after;
    repository.pushedAt = repository.updatedAt = timestamp(context.now());
    await emitPushes(context, repository, changes, Object.values(before), pusher);
    for (const change of changes) await updatePulls(context, repository, change, pusher);
    await context.save();
    return changes;
  });
}

async function emitPushes(
  context: ForgeContext,
  repository: RepositoryRecord,
  changes: readonly RefChange[],
  knownBefore: readonly string[],
  sender: AccountRecord,
): Promise<void> {
  const tags = changes.filter((change) => change.ref.startsWith('refs/tags/'));
  for (const change of changes) {
    if (tags.length > MAX_TAGS && tags.includes(change)) continue;
    const event = change.before === null ? 'create' : change.after === null ? 'delete' : null;
    const payload = await pushPayload(context, repository, change, knownBefore, sender);
    if (event) {
      emitRepositoryEvent(context, {
        event,
        repository,
        sender,
        payload: refPayload(repository, change, event),
      });
    }
    emitRepositoryEvent(context, { event: 'push', repository, sender, payload });
  }
}

/** The fields of `create` and `delete`. */
function refPayload(repository: RepositoryRecord, { ref }: RefChange, event: 'create' | 'delete'): object {
  return {
    ref: ref.replace(/^refs\/(heads|tags)\//, ''),
    ref_type: ref.startsWith('refs/tags/') ? 'tag' : 'branch',
    ...(event === 'create' && { master_branch: repository.defaultBranch, description: null }),
    pusher_type: 'user',
  };
}

function compareRefs(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): RefChange[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return names
    .map((ref) => ({ ref, before: before[ref] ?? null, after: after[ref] ?? null }))
    .filter((change) => change.before !== change.after);
}
