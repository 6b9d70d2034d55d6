import type { Notification } from '../../contract/index.ts';
import type { NotificationView } from '../../store/index.ts';
import type { Caller } from '../access/caller.ts';
import { commentPage } from '../comments/present-comment.ts';
import { presentUserTo } from '../organizations/present-user.ts';
import { excerptOf } from './excerpt-of.ts';

/** The public fields of a notification. */
export function presentNotification(
  caller: Caller,
  { row, actor, spaceTitle, changeRequest, comment, pageTitle, reply }: NotificationView,
  publicUrl: string,
): Notification {
  const text = reply ?? comment?.markdown;
  return {
    object: 'notification',
    id: row.id,
    kind: row.kind as Notification['kind'],
    createdAt: row.createdAt.toISOString(),
    ...(row.readAt === null ? {} : { readAt: row.readAt.toISOString() }),
    ...(actor === null ? {} : { by: presentUserTo(caller, row.organizationId, actor, publicUrl) }),
    organization: row.organizationId,
    space: { id: row.spaceId, title: spaceTitle },
    ...(row.changeRequestId === null || changeRequest === null
      ? {}
      : { changeRequest: { id: row.changeRequestId, ...changeRequest } }),
    ...(row.commentId === null ? {} : { comment: row.commentId }),
    ...(row.replyId === null ? {} : { reply: row.replyId }),
    ...(comment?.pageId == null ? {} : { page: { id: comment.pageId, title: pageTitle ?? '' } }),
    ...(text === undefined ? {} : { text: excerptOf(text) }),
    urls: {
      location: `${publicUrl}/v1/user/notifications/${row.id}`,
      app: addressOf(row, changeRequest?.number ?? null, publicUrl),
    },
  };
}

function addressOf(
  { spaceId, commentId, replyId }: NotificationView['row'],
  changeRequest: number | null,
  publicUrl: string,
): string {
  if (commentId !== null) {
    const page = commentPage({ spaceId, changeRequest }, commentId, publicUrl);
    return replyId === null ? page : `${page}#reply-${replyId}`;
  }
  const within = changeRequest === null ? '' : `/change-requests/${changeRequest}`;
  return `${publicUrl}/spaces/${spaceId}${within}`;
}
