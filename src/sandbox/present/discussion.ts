import type { ForgeContext } from '../forge-context.ts';
import { accountById, repositoryById } from '../state/find-records.ts';
import type { CommentRecord, DiscussionRecord } from '../state/records.ts';
import { nodeId, presentAccount } from './account.ts';
import { associationOf, presentLabels } from './issue.ts';
import { repositoryUrls } from './repository.ts';

/** The `discussion` of GitHub's events. */
export function presentDiscussion(context: ForgeContext, discussion: DiscussionRecord) {
  const repository = repositoryById(context.data, discussion.repositoryId);
  const { html, api } = repositoryUrls(context, repository);
  return {
    repository_url: api,
    category: {
      id: 1,
      name: discussion.category,
      slug: discussion.category.toLowerCase(),
      is_answerable: false,
    },
    html_url: `${html}/discussions/${discussion.number}`,
    id: discussion.id,
    node_id: nodeId('Discussion', discussion.id),
    number: discussion.number,
    title: discussion.title,
    body: discussion.body,
    user: presentAccount(context, accountById(context.data, discussion.authorId)),
    labels: presentLabels(context, repository, discussion.labels),
    state: 'open',
    locked: false,
    comments: discussion.comments.length,
    created_at: discussion.createdAt,
    updated_at: discussion.updatedAt,
    author_association: associationOf(repository, discussion.authorId),
  };
}

/** The `comment` of GitHub's events about discussions. */
export function presentDiscussionComment(
  context: ForgeContext,
  discussion: DiscussionRecord,
  comment: CommentRecord,
) {
  const repository = repositoryById(context.data, discussion.repositoryId);
  const { html } = repositoryUrls(context, repository);
  return {
    id: comment.id,
    node_id: nodeId('DiscussionComment', comment.id),
    html_url: `${html}/discussions/${discussion.number}#discussioncomment-${comment.id}`,
    discussion_id: discussion.id,
    author_association: associationOf(repository, comment.authorId),
    user: presentAccount(context, accountById(context.data, comment.authorId)),
    created_at: comment.createdAt,
    updated_at: comment.updatedAt,
    body: comment.body,
  };
}

/** A discussion as GitHub's GraphQL API has it. */
export function describeDiscussion(context: ForgeContext, discussion: DiscussionRecord) {
  const repository = repositoryById(context.data, discussion.repositoryId);
  const { html } = repositoryUrls(context, repository);
  const authored = ({ authorId, body }: { readonly authorId: number; readonly body: string }) => ({
    body,
    author: { __typename: accountById(context.data, authorId).type },
    authorAssociation: associationOf(repository, authorId),
  });
  return {
    ...authored(discussion),
    number: discussion.number,
    title: discussion.title,
    url: `${html}/discussions/${discussion.number}`,
    createdAt: discussion.createdAt,
    updatedAt: discussion.updatedAt,
    category: { name: discussion.category },
    labels: { nodes: discussion.labels.map((name) => ({ name })) },
    comments: {
      nodes: discussion.comments.map((comment) => ({
        ...authored(comment),
        isMinimized: false,
        replies: { nodes: [] },
      })),
    },
  };
}
