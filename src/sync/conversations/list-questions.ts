import { operations, PlatformError } from '../../client/index.ts';
import { type ConversationsConfig, parseConfig } from '../../config/index.ts';
import { readGrantedPermissions, readRepository, splitName } from '../../github/index.ts';
import {
  deleteRepositoryConversations,
  listBindings,
  listRepositoryConversations,
  loadRepository,
  type RepositoryConversationsRow,
  recordConversationsListed,
  saveRepositoryConversations,
} from '../../store/index.ts';
import type { SyncDeps } from '../deps.ts';
import { conversationSyncJob } from './conversation-job.ts';
import { sourceOf } from './describe-question.ts';
import { digestOfWanted } from './digest-of-wanted.ts';
import { explainUnreadable } from './explain-refusal.ts';
import type { ListedQuestions } from './listed-questions.ts';
import { type QuestionName, readQuestionId, writeQuestionId } from './question.ts';
import { listDiscussions } from './read-discussions.ts';
import { listIssues } from './read-issues.ts';

/** Older issues and discussions say little about the docs of today, and conversations do not stay for ever. */
const OLDEST_MS = 365 * 24 * 60 * 60 * 1_000;
/** GitHub's clock differs from ours. */
const OVERLAP_MS = 10 * 60_000;

/**
 * Compares the conversations of a repository with its issues and discussions, and enqueues those that differ: changed ones
 * since the last time, the first time those of a year, and those that are gone. Decides where they go first: to the
 * organizations of the spaces that the repository feeds, and nowhere where its configuration does not want any.
 */
export async function listQuestions(
  deps: SyncDeps,
  { repositoryId }: { readonly repositoryId: number },
  signal: AbortSignal,
): Promise<void> {
  const { db } = deps;
  const known = await loadRepository(db, repositoryId);
  if (known === null || known.disconnected !== null) return;
  const parsed = parseConfig(known.configText ?? '');
  if ('problems' in parsed) return;
  const wanted = parsed.config.conversations;
  const startedAt = deps.now();
  const targets = await placeConversations(deps, known, wanted, signal);
  if (wanted === undefined || targets.length === 0) return;

  const octokit = await deps.access.on(known.installationId, { signal });
  const repository = await readRepository(octokit, splitName(known.fullName));
  if (repository === null || repository.id !== repositoryId) return;
  const name = { owner: repository.owner, name: repository.name };
  const problems: string[] = [];
  const lists = new Map<QuestionName['kind'], ListedQuestions>();
  for (const kind of ['issues', 'discussions'] as const) {
    try {
      lists.set(kind, await listOf(kind, wanted));
    } catch (error) {
      const reason = explainUnreadable(error, kind, repository.fullName);
      if (reason === null) throw error;
      problems.push(reason);
      // A token of before a new grant is renewed, so that the next list succeeds.
      await readGrantedPermissions(octokit, { [kind]: 'read' });
    }
  }
  const configDigest = digestOfWanted(wanted);
  const due = new Map<string, QuestionName>();
  for (const target of targets)
    for (const question of await findDue(deps, target, { lists, configDigest, startedAt, signal }))
      due.set(writeQuestionId(question), question);
  const { installationId } = known;
  for (const question of due.values())
    await deps.queue.enqueue(
      db,
      conversationSyncJob,
      { repositoryId, installationId, question },
      // What just happened goes before what was always there.
      { unlessWaiting: true, priority: -1 },
    );
  await recordConversationsListed(db, repositoryId, {
    configDigest,
    listedAt: startedAt,
    error: problems.length === 0 ? null : problems.join(' '),
  });

  async function listOf(kind: QuestionName['kind'], config: ConversationsConfig): Promise<ListedQuestions> {
    if (kind === 'issues' && config.issues) return await listIssues(octokit, name, config.issues);
    if (kind === 'discussions' && config.discussions) return await listDiscussions(octokit, name, config);
    return { changedAt: new Map(), isComplete: true };
  }
}

/** Records where the conversations go, and deletes those where they do not go any more. */
async function placeConversations(
  { db, client }: SyncDeps,
  { id: repositoryId, fullName }: { readonly id: number; readonly fullName: string },
  wanted: ConversationsConfig | undefined,
  signal: AbortSignal,
): Promise<readonly RepositoryConversationsRow[]> {
  const organizations = wanted === undefined ? new Set() : await organizationsOf();
  const source = sourceOf(fullName);
  for (const row of await listRepositoryConversations(db, repositoryId)) {
    const { organizationId } = row;
    if (organizations.has(organizationId) && row.source === source) continue;
    await client.call(operations.deleteConversations, {
      params: { organizationId, conversationSource: row.source },
      signal,
    });
    if (!organizations.has(organizationId)) await deleteRepositoryConversations(db, row);
  }
  for (const organizationId of organizations as ReadonlySet<string>)
    await saveRepositoryConversations(db, { repositoryId, organizationId, source });
  return await listRepositoryConversations(db, repositoryId);

  async function organizationsOf(): Promise<ReadonlySet<string>> {
    const ids = new Set<string>();
    for (const { spaceId, disconnected } of await listBindings(db, repositoryId)) {
      if (spaceId === null || disconnected !== null) continue;
      try {
        ids.add((await client.call(operations.getSpace, { params: { spaceId }, signal })).organization);
      } catch (error) {
        if (!(error instanceof PlatformError && error.status === 404)) throw error;
      }
    }
    return ids;
  }
}

/** Those that changed, and those of the stored ones that are not listed any more. */
async function findDue(
  { client }: SyncDeps,
  target: RepositoryConversationsRow,
  {
    lists,
    configDigest,
    startedAt,
    signal,
  }: {
    readonly lists: ReadonlyMap<QuestionName['kind'], ListedQuestions>;
    readonly configDigest: string;
    readonly startedAt: Date;
    readonly signal: AbortSignal;
  },
): Promise<readonly QuestionName[]> {
  const { organizationId, source, listedAt } = target;
  const isFirst = listedAt === null || target.configDigest !== configDigest;
  const since = isFirst ? startedAt.getTime() - OLDEST_MS : listedAt.getTime() - OVERLAP_MS;
  const due: QuestionName[] = [];
  for (const [kind, { changedAt }] of lists)
    for (const [number, changed] of changedAt) if (changed.getTime() >= since) due.push({ kind, number });
  const stored = client.paginate(operations.listConversations, {
    params: { organizationId },
    query: { source, limit: 1_000 },
    signal,
  });
  for await (const { sourceId } of stored) {
    const question = readQuestionId(sourceId);
    const list = question === null ? undefined : lists.get(question.kind);
    if (question !== null && list?.isComplete === true && !list.changedAt.has(question.number))
      due.push(question);
  }
  return due;
}
