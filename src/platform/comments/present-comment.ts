import type { Comment, CommentReply, EmojiReaction, User } from '../../contract/index.ts';
import {
  type CommentView,
  type Db,
  loadReactions,
  loadRepliers,
  loadUsersById,
  type ReactionSum,
  type ReplierSum,
  type ReplyView,
  type UserRow,
} from '../../store/index.ts';
import { presentUserTo } from '../organizations/present-user.ts';
import { type LocatedDiscussion, mayModerate } from './locate-discussion.ts';

export type CommentFormat = 'document' | 'markdown';

interface Presentation {
  readonly located: LocatedDiscussion;
  readonly publicUrl: string;
  readonly format: CommentFormat;
}

/** How many repliers a comment names. */
const REPLIERS_SHOWN = 20;

/** Returns a presenter for these comments of a discussion. */
export async function viewComments(
  db: Db,
  views: readonly CommentView[],
  presentation: Presentation,
): Promise<(view: CommentView) => Comment> {
  const ids = views.map(({ row }) => row.id);
  const [reactions, repliers] = await Promise.all([
    loadReactions(db, 'comments', ids),
    loadRepliers(db, ids),
  ]);
  const people = await loadUsersById(db, [
    ...reactorsOf(reactions),
    ...[...repliers.values()].flat().flatMap(({ userId }) => userId ?? []),
  ]);
  return (view) =>
    presentComment(view, presentation, {
      reactions: reactions.get(view.row.id) ?? [],
      repliers: repliers.get(view.row.id) ?? [],
      people,
    });
}

/** Returns a presenter for these replies to one comment. */
export async function viewReplies(
  db: Db,
  views: readonly ReplyView[],
  presentation: Presentation,
): Promise<(view: ReplyView) => CommentReply> {
  const reactions = await loadReactions(
    db,
    'replies',
    views.map(({ row }) => row.id),
  );
  const people = await loadUsersById(db, reactorsOf(reactions));
  return (view) => presentReply(view, presentation, { reactions: reactions.get(view.row.id) ?? [], people });
}

function reactorsOf(reactions: ReadonlyMap<string, readonly ReactionSum[]>): readonly string[] {
  return [...reactions.values()].flat().flatMap(({ users }) => users.map(({ userId }) => userId));
}

/** The address of a comment in the API. */
export function commentLocation(
  { space, changeRequest }: LocatedDiscussion,
  commentId: string,
  publicUrl: string,
): string {
  const within = changeRequest === null ? '' : `/change-requests/${changeRequest.row.id}`;
  return `${publicUrl}/v1/spaces/${space.id}${within}/comments/${commentId}`;
}

/** The address of a thread in the browser. */
export function commentPage(
  place: { readonly spaceId: string; readonly changeRequest: number | null },
  commentId: string,
  publicUrl: string,
): string {
  const within = place.changeRequest === null ? '' : `/change-requests/${place.changeRequest}`;
  return `${publicUrl}/spaces/${place.spaceId}${within}/comments/${commentId}`;
}

function presentComment(
  view: CommentView,
  { located, publicUrl, format }: Presentation,
  facts: {
    readonly reactions: readonly ReactionSum[];
    readonly repliers: readonly ReplierSum[];
    readonly people: ReadonlyMap<string, UserRow>;
  },
): Comment {
  const { row, author, resolver, page } = view;
  const present = presenterOf(located, publicUrl);
  const moderates = mayModerate(located, row.authorId);
  const place = { spaceId: row.spaceId, changeRequest: located.changeRequest?.row.number ?? null };
  return {
    object: 'comment',
    id: row.id,
    postedBy: present(author),
    postedAt: row.createdAt.toISOString(),
    ...(row.editedAt === null ? {} : { editedAt: row.editedAt.toISOString() }),
    reactions: presentReactions(facts.reactions, facts.people, present),
    replies: facts.repliers.reduce((sum, { count }) => sum + count, 0),
    repliers: facts.repliers.slice(0, REPLIERS_SHOWN).map(({ userId, count, updatedAt }) => ({
      updatedAt: updatedAt.toISOString(),
      count,
      user: present(facts.people.get(userId ?? '') ?? null),
    })),
    body: presentBody(row, format),
    ...presentMirror(row),
    target: {
      space: row.spaceId,
      revision: page?.revisionId ?? row.revisionId,
      ...(row.changeRequestId === null ? {} : { changeRequest: row.changeRequestId }),
      ...(row.reviewId === null ? {} : { review: row.reviewId }),
      ...presentPlace(view),
    },
    urls: {
      location: commentLocation(located, row.id, publicUrl),
      app: commentPage(place, row.id, publicUrl),
    },
    permissions: { view: true, edit: moderates, reply: true, delete: moderates },
    status: row.resolvedAt === null ? 'open' : 'resolved',
    ...(row.resolvedAt === null
      ? {}
      : { resolvedAt: row.resolvedAt.toISOString(), resolvedBy: present(resolver) }),
  };
}

function presentPlace({ row, page }: CommentView): Partial<Comment['target']> {
  if (row.pageId === null) return {};
  const isGone = page !== null && page.goneAt !== null;
  const hasLostText = row.quote !== null && row.node === null;
  return {
    page: { id: row.pageId, ...(page === null ? {} : { title: page.title }) },
    ...(row.node === null || isGone ? {} : { node: { id: row.node } }),
    ...(row.tableCell === null || row.node === null || isGone ? {} : { tableCell: row.tableCell }),
    anchor: {
      state: isGone ? 'page-gone' : hasLostText ? 'text-gone' : 'found',
      ...(row.quote === null ? {} : { quote: row.quote }),
    },
  };
}

function presentReply(
  { row, author }: ReplyView,
  { located, publicUrl, format }: Presentation,
  facts: { readonly reactions: readonly ReactionSum[]; readonly people: ReadonlyMap<string, UserRow> },
): CommentReply {
  const present = presenterOf(located, publicUrl);
  const moderates = mayModerate(located, row.authorId);
  const { space, changeRequest } = located;
  const place = { spaceId: space.id, changeRequest: changeRequest?.row.number ?? null };
  return {
    object: 'comment-reply',
    id: row.id,
    postedBy: present(author),
    postedAt: row.createdAt.toISOString(),
    ...(row.editedAt === null ? {} : { editedAt: row.editedAt.toISOString() }),
    reactions: presentReactions(facts.reactions, facts.people, present),
    body: presentBody(row, format),
    ...presentMirror(row),
    urls: {
      location: `${commentLocation(located, row.commentId, publicUrl)}/replies/${row.id}`,
      app: `${commentPage(place, row.commentId, publicUrl)}#reply-${row.id}`,
    },
    permissions: { view: true, edit: moderates, reply: true, delete: moderates },
  };
}

function presentBody(
  { markdown, document }: { readonly markdown: string; readonly document: unknown },
  format: CommentFormat,
): Comment['body'] {
  return format === 'markdown' ? { markdown } : { document: document as never };
}

function presentMirror({
  mirrorUrl,
  mirrorAuthor,
}: {
  readonly mirrorUrl: string | null;
  readonly mirrorAuthor: string | null;
}): Pick<Comment, 'mirror'> {
  if (mirrorUrl === null) return {};
  return { mirror: { url: mirrorUrl, ...(mirrorAuthor === null ? {} : { author: mirrorAuthor }) } };
}

function presentReactions(
  sums: readonly ReactionSum[],
  people: ReadonlyMap<string, UserRow>,
  present: (user: UserRow | null) => User,
): EmojiReaction[] {
  return sums.map(({ emoji, count, users }) => ({
    emoji,
    count,
    users: users.map(({ userId, reactedAt }) => ({
      user: present(people.get(userId) ?? null),
      reactedAt: reactedAt.toISOString(),
    })),
  }));
}

function presenterOf({ caller, space }: LocatedDiscussion, publicUrl: string) {
  return (user: UserRow | null): User =>
    user === null
      ? {
          object: 'user',
          id: 'deleted',
          displayName: 'Deleted account',
          urls: { location: `${publicUrl}/v1/users/deleted` },
        }
      : presentUserTo(caller, space.organizationId, user, publicUrl);
}
