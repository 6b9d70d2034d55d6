import type { Db } from '../../store/index.ts';
import { loadRepliers } from '../../store/index.ts';
import type { PlatformDeps } from '../deps.ts';
import { excerptOf } from '../notifications/excerpt-of.ts';
import { type NotificationInput, notify } from '../notifications/notify.ts';
import type { LocatedDiscussion } from './locate-discussion.ts';
import { commentPage } from './present-comment.ts';

/** A comment or reply that was written or changed. */
export interface Written {
  readonly commentId: string;
  readonly replyId?: string;
  readonly pageTitle: string | null;
  readonly markdown: string;
  /** The users whom it mentions. */
  readonly mentions: readonly string[];
}

/** Notifies whom a new comment mentions, and the author of its change request. */
export async function notifyOfComment(
  deps: PlatformDeps,
  tx: Db,
  located: LocatedDiscussion,
  written: Written,
): Promise<void> {
  await notifyOfMentions(deps, tx, located, written);
  const author = located.changeRequest?.row.createdBy ?? null;
  if (author === null) return;
  const notice = noticeOf(deps, located, written, { kind: 'comment', what: 'commented on' });
  await notify(deps, tx, { caller: located.caller, userIds: [author], notice });
}

/** Notifies whom a new reply mentions, and those who take part in the thread. */
export async function notifyOfReply(
  deps: PlatformDeps,
  tx: Db,
  located: LocatedDiscussion,
  written: Written & { readonly threadAuthor: string | null },
): Promise<void> {
  await notifyOfMentions(deps, tx, located, written);
  const repliers = (await loadRepliers(tx, [written.commentId])).get(written.commentId) ?? [];
  const userIds = [written.threadAuthor, ...repliers.map(({ userId }) => userId)].flatMap((id) => id ?? []);
  const notice = noticeOf(deps, located, written, { kind: 'reply', what: 'replied to a comment on' });
  await notify(deps, tx, { caller: located.caller, userIds, notice });
}

/** Notifies whom a text mentions; of one that was changed, those who are named in it for the first time. */
export async function notifyOfMentions(
  deps: PlatformDeps,
  tx: Db,
  located: LocatedDiscussion,
  written: Written,
): Promise<void> {
  const notice = noticeOf(deps, located, written, { kind: 'mention', what: 'mentioned you in a comment on' });
  await notify(deps, tx, { caller: located.caller, userIds: written.mentions, notice });
}

function noticeOf(
  { publicUrl }: PlatformDeps,
  { space, changeRequest }: LocatedDiscussion,
  { commentId, replyId, pageTitle, markdown }: Written,
  { kind, what }: { readonly kind: NotificationInput['kind']; readonly what: string },
): NotificationInput {
  const number = changeRequest?.row.number ?? null;
  const where = [
    ...(pageTitle === null ? [] : [`the page ${pageTitle}`]),
    ...(number === null ? [] : [`change request ${number}`]),
  ];
  const page = commentPage({ spaceId: space.id, changeRequest: number }, commentId, publicUrl);
  return {
    kind,
    event: replyId === undefined ? `comment:${commentId}` : `reply:${replyId}`,
    space,
    changeRequestId: changeRequest?.row.id ?? null,
    commentId,
    ...(replyId === undefined ? {} : { replyId }),
    mail: {
      what: `${what} ${where.length === 0 ? space.title : `${where.join(' in ')} of ${space.title}`}`,
      text: excerptOf(markdown),
      url: replyId === undefined ? page : `${page}#reply-${replyId}`,
    },
  };
}
