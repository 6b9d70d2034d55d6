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
import { clusterJob, conversationJob } from './conversation-jobs.ts';

/** Few enough that their texts take little memory, and that others are answered between two transactions. */
const BATCH = 50;
/** After how many issues their grouping waits a second more for others to come. */
const ISSUES_PER_SECOND = 1_000;

/** Makes the issues of all conversations of an organization that have none yet. What a crash interrupts is done again. */
export async function processConversations(
  { db, queue }: Pick<PlatformDeps, 'db' | 'queue'>,
  organizationId: string,
  { signal }: Pick<JobContext, 'signal'>,
): Promise<void> {
  // The more issues there are, the longer it takes to group them, and the more come before it is worth it.
  const startAfter = Math.ceil((await countConversations(db, organizationId)) / ISSUES_PER_SECOND);
  for (;;) {
    signal.throwIfAborted();
    const batch = await listUnprocessed(db, organizationId, BATCH);
    if (batch.length === 0) return;
    // In the order in which ingestion writes them, so that neither locks the other out.
    const sorted = [...batch].sort((a, b) => (a.key < b.key ? -1 : 1));
    const made = sorted.map((conversation) => ({ conversation, issues: [extract(conversation)] }));
    await db.transaction(async (tx) => {
      for (const { conversation, issues } of made) await completeConversation(tx, conversation, issues);
      await queue.enqueue(tx, clusterJob, { organizationId }, { unlessWaiting: true, startAfter });
    });
  }
}

function extract({ subject, parts }: ConversationRow): NewIssue {
  return { ...extractIssue(subject, parts), method: 'text' };
}

/** Enqueues the work on conversations that an earlier process stored; their jobs may have failed too often. */
export async function resumeConversations({ db, queue }: Pick<PlatformDeps, 'db' | 'queue'>): Promise<void> {
  for (const organizationId of await listOrganizationsToProcess(db))
    await queue.enqueue(db, conversationJob, { organizationId }, { unlessWaiting: true });
}
