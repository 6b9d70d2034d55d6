import { parseConfig } from '../../config/index.ts';
import type { ChangedQuestion } from '../../github/index.ts';
import type { Queue } from '../../queue/index.ts';
import { type Database, listRepositoryConversations, loadRepository } from '../../store/index.ts';
import { conversationSyncJob } from './conversation-job.ts';
import { isWanted } from './question.ts';

/** Enqueues a job when an issue or a discussion changed that is, or was, a conversation. It calls nobody. */
export function watchQuestions({ db, queue }: { readonly db: Database; readonly queue: Queue }) {
  return async ({ repositoryId, installationId, question, marks }: ChangedQuestion): Promise<void> => {
    if ((await listRepositoryConversations(db, repositoryId)).length === 0) return;
    const known = await loadRepository(db, repositoryId);
    const parsed = parseConfig(known?.configText ?? '');
    if ('problems' in parsed) return;
    if (marks !== null && !isWanted(parsed.config.conversations, question.kind, marks)) return;
    await queue.enqueue(
      db,
      conversationSyncJob,
      { repositoryId, installationId, question },
      { unlessWaiting: true },
    );
  };
}
