import { extractIssue } from '../../conversations/index.ts';
import type { JobContext } from '../../queue/index.ts';
import {
  type ConversationRow,
  completeConversation,
  countConversations,
  listOrganizationsToProcess,
  listUnprocessed,
  type NewIssue,
} from '../../store/index.ts';
import type { PlatformDeps } from '../deps.ts';
import { findModel } from '../models/find-model.ts';
import { type ModelRun, startModelRun } from '../models/start-model-run.ts';
import { clusterJob, conversationJob } from './conversation-jobs.ts';
import { extractByModel } from './extract-by-model.ts';

/** Few enough that their texts take little memory, and that others are answered between two transactions. */
const BATCH = 50;
/** Of a model, so many are requested at once. */
const MODEL_BATCH = 6;
/** After how many issues their grouping waits a second more for others to come. */
const ISSUES_PER_SECOND = 1_000;
/** With a model, it may take hours: after so long, a further job goes on. Far less than a job may take. */
const TURN_MS = 5 * 60_000;

/**
 * Makes the issues of all conversations of an organization that have none yet, by the model where there is one for it, else
 * of their own sentences. What a crash interrupts is done again.
 */
export async function processConversations(
  deps: Pick<PlatformDeps, 'db' | 'queue' | 'model' | 'log'>,
  organizationId: string,
  { signal, turnMs = TURN_MS }: Pick<JobContext, 'signal'> & { readonly turnMs?: number },
): Promise<void> {
  const { db, queue, log } = deps;
  // The more issues there are, the longer it takes to group them, and the more come before it is worth it.
  const startAfter = Math.ceil((await countConversations(db, organizationId)) / ISSUES_PER_SECOND);
  const run = startModelRun(await findModel(deps, organizationId), log);
  const start = performance.now();
  for (;;) {
    signal.throwIfAborted();
    const batch = await listUnprocessed(db, organizationId, run.isUsable ? MODEL_BATCH : BATCH);
    if (batch.length === 0) return;
    // In the order in which ingestion writes them, so that neither locks the other out.
    const sorted = [...batch].sort((a, b) => (a.key < b.key ? -1 : 1));
    const made = await Promise.all(
      sorted.map(async (conversation) => ({
        conversation,
        issues: await extract(conversation, run, signal),
      })),
    );
    await db.transaction(async (tx) => {
      for (const { conversation, issues } of made) await completeConversation(tx, conversation, issues);
      await queue.enqueue(tx, clusterJob, { organizationId }, { unlessWaiting: true, startAfter });
    });
    if (performance.now() - start < turnMs) continue;
    await queue.enqueue(db, conversationJob, { organizationId }, { unlessWaiting: true });
    return;
  }
}

async function extract(
  { subject, parts }: ConversationRow,
  run: ModelRun,
  signal: AbortSignal,
): Promise<readonly NewIssue[]> {
  const outcome = run.isUsable
    ? await run.request((guided) => extractByModel(guided, { subject, messages: parts }, { signal }))
    : null;
  if (outcome?.kind === 'made') return outcome.value.map((issue) => ({ ...issue, method: 'model' }));
  return [{ ...extractIssue(subject, parts), quotes: [], method: 'text' }];
}

/** Enqueues the work on conversations that an earlier process stored; their jobs may have failed too often. */
export async function resumeConversations({ db, queue }: Pick<PlatformDeps, 'db' | 'queue'>): Promise<void> {
  for (const organizationId of await listOrganizationsToProcess(db))
    await queue.enqueue(db, conversationJob, { organizationId }, { unlessWaiting: true });
}
