import { type ForgeContext, timestamp } from '../forge-context.ts';
import { presentDiscussion, presentDiscussionComment } from '../present/discussion.ts';
import { findDiscussion, repositoryById } from '../state/find-records.ts';
import type { AccountRecord, CommentRecord, DiscussionRecord, RepositoryRecord } from '../state/records.ts';
import { emitRepositoryEvent } from '../webhooks/emit-event.ts';

/** What people write into a discussion. */
export interface DiscussionText {
  readonly title: string;
  readonly body: string;
  readonly category: string;
  readonly labels: readonly string[];
}

type Action = 'created' | 'edited' | 'labeled' | 'unlabeled' | 'category_changed' | 'deleted';

export function openDiscussion(
  context: ForgeContext,
  repository: RepositoryRecord,
  author: AccountRecord,
  text: DiscussionText,
): number {
  const now = timestamp(context.now());
  const discussion: DiscussionRecord = {
    id: context.nextId(),
    number: repository.nextPullNumber,
    repositoryId: repository.id,
    authorId: author.id,
    ...text,
    comments: [],
    createdAt: now,
    updatedAt: now,
  };
  repository.nextPullNumber += 1;
  context.data.discussions = [...(context.data.discussions ?? []), discussion];
  emit(context, discussion, 'created', author);
  return discussion.number;
}

function requireDiscussion(
  context: ForgeContext,
  repository: RepositoryRecord,
  number: number,
): DiscussionRecord {
  const found = findDiscussion(context.data, repository.id, number);
  if (!found) throw new Error(`The sandbox has no discussion ${number} of ${repository.name}.`);
  return found;
}

/** Changes a discussion, with an event for each kind of change. */
export function editDiscussion(
  context: ForgeContext,
  repository: RepositoryRecord,
  number: number,
  change: Partial<DiscussionText>,
  sender: AccountRecord,
): void {
  const discussion = requireDiscussion(context, repository, number);
  const before = { ...discussion };
  Object.assign(discussion, change, { updatedAt: timestamp(context.now()) });
  const { title, body, category, labels } = discussion;
  const actions: Action[] = [];
  if (title !== before.title || body !== before.body) actions.push('edited');
  if (category !== before.category) actions.push('category_changed');
  if (labels.some((label) => !before.labels.includes(label))) actions.push('labeled');
  if (before.labels.some((label) => !labels.includes(label))) actions.push('unlabeled');
  for (const action of actions) emit(context, discussion, action, sender);
}

export function commentOnDiscussion(
  context: ForgeContext,
  repository: RepositoryRecord,
  number: number,
  { author, body }: { readonly author: AccountRecord; readonly body: string },
): void {
  const discussion = requireDiscussion(context, repository, number);
  const now = timestamp(context.now());
  const comment: CommentRecord = {
    id: context.nextId(),
    authorId: author.id,
    body,
    createdAt: now,
    updatedAt: now,
  };
  discussion.comments = [...discussion.comments, comment];
  discussion.updatedAt = now;
  emitRepositoryEvent(context, {
    event: 'discussion_comment',
    action: 'created',
    repository,
    sender: author,
    payload: {
      discussion: presentDiscussion(context, discussion),
      comment: presentDiscussionComment(context, discussion, comment),
    },
  });
}

export function deleteDiscussion(
  context: ForgeContext,
  repository: RepositoryRecord,
  number: number,
  sender: AccountRecord,
): void {
  const discussion = requireDiscussion(context, repository, number);
  context.data.discussions = (context.data.discussions ?? []).filter((candidate) => candidate !== discussion);
  emit(context, discussion, 'deleted', sender);
}

function emit(
  context: ForgeContext,
  discussion: DiscussionRecord,
  action: Action,
  sender: AccountRecord,
): void {
  emitRepositoryEvent(context, {
    event: 'discussion',
    action,
    repository: repositoryById(context.data, discussion.repositoryId),
    sender,
    payload: { discussion: presentDiscussion(context, discussion) },
  });
}
