import { operations } from '../../client/index.ts';
import { parseConfig } from '../../config/index.ts';
import { type Octokit, splitName } from '../../github/index.ts';
import {
  type KnownRepository,
  listRepositoryConversations,
  loadRepository,
  recordConversationsError,
} from '../../store/index.ts';
import type { SyncDeps } from '../deps.ts';
import { describeQuestion } from './describe-question.ts';
import { explainUnreadable, explainUnstored } from './explain-refusal.ts';
import { isWanted, type Question, type QuestionName, writeQuestionId } from './question.ts';
import { readDiscussion } from './read-discussions.ts';
import { readIssue } from './read-issues.ts';

/**
 * Makes the conversation of an issue or a discussion what that is now: replaces it, or deletes it where the issue is gone or
 * the configuration does not want it any more. So events may come late, twice and in any order.
 */
export async function syncQuestion(
  deps: SyncDeps,
  { repositoryId, question: name }: { readonly repositoryId: number; readonly question: QuestionName },
  signal: AbortSignal,
): Promise<void> {
  const repository = await loadRepository(deps.db, repositoryId);
  const targets = await listRepositoryConversations(deps.db, repositoryId);
  if (repository === null || repository.disconnected !== null || targets.length === 0) return;
  const octokit = await deps.access.on(repository.installationId, { signal });
  const question = await readWanted(deps, octokit, repository, name);
  if (question === 'unreadable') return;
  for (const { organizationId, source } of targets) {
    const params = { organizationId };
    if (question === null)
      await deps.client.call(operations.deleteConversations, {
        params: { ...params, conversationSource: source },
        query: { id: writeQuestionId(name) },
        signal,
      });
    else await ingest(deps, { organizationId, source, repositoryId }, question, signal);
  }
}

async function ingest(
  { db, client }: SyncDeps,
  target: { readonly organizationId: string; readonly source: string; readonly repositoryId: number },
  question: Question,
  signal: AbortSignal,
): Promise<void> {
  const { organizationId, source, repositoryId } = target;
  try {
    await client.call(operations.ingestConversation, {
      params: { organizationId },
      body: describeQuestion(question, source),
      signal,
    });
  } catch (error) {
    const reason = explainUnstored(error);
    if (reason === null) throw error;
    await recordConversationsError(db, repositoryId, reason);
  }
}

/** The issue or discussion; null where it is not, or not any more, wanted. Why it cannot be read is recorded. */
async function readWanted(
  { db }: SyncDeps,
  octokit: Octokit,
  { id, fullName, configText }: KnownRepository,
  { kind, number }: QuestionName,
): Promise<Question | null | 'unreadable'> {
  const parsed = parseConfig(configText ?? '');
  if ('problems' in parsed) return 'unreadable';
  const read = kind === 'issues' ? readIssue : readDiscussion;
  try {
    const question = await read(octokit, splitName(fullName), number);
    if (question === null || question.isByProgram) return null;
    return isWanted(parsed.config.conversations, kind, question) ? question : null;
  } catch (error) {
    const reason = explainUnreadable(error, kind, fullName);
    if (reason === null) throw error;
    await recordConversationsError(db, id, reason);
    return 'unreadable';
  }
}
