import type { Notification } from '../../contract/index.ts';
import { claimCall, type Db, insertNotifications, newId, type SpaceRow } from '../../store/index.ts';
import type { Caller } from '../access/caller.ts';
import { listParticipants } from '../comments/list-participants.ts';
import type { PlatformDeps } from '../deps.ts';
import { takesMail } from './may-have-mail.ts';

/** Something that people should look at. */
export interface NotificationInput {
  readonly kind: Notification['kind'];
  /** Names what happened: each person is told of it once, whatever the kind. */
  readonly event: string;
  readonly space: SpaceRow;
  readonly changeRequestId: string | null;
  readonly commentId?: string;
  readonly replyId?: string;
  /** What is said of it in a mail: what was done where, what was written, and its address. */
  readonly mail: {
    /** Completes a sentence that begins with who did it. */
    readonly what: string;
    readonly text: string;
    readonly url: string;
  };
}

/** Mails to others that what one person does sends in an hour; beyond that, people are told on their page only. */
const MAILS = { count: 200, ms: 60 * 60 * 1000 };

/**
 * Notifies those of these users who take part in the discussions of the space, but not the one who did it: on their page,
 * and by mail where their address is confirmed and they want it. Call it in the transaction of what happened.
 */
export async function notify(
  { mailer, publicUrl }: PlatformDeps,
  tx: Db,
  {
    caller,
    userIds,
    notice,
  }: {
    readonly caller: Caller;
    readonly userIds: readonly string[];
    readonly notice: NotificationInput;
  },
): Promise<void> {
  const others = [...new Set(userIds)].filter((id) => id !== caller.user.id);
  if (others.length === 0) return;
  const { space, kind, event, changeRequestId, commentId = null, replyId = null, mail } = notice;
  const { organizationId, id: spaceId } = space;
  const participants = await listParticipants(tx, space, others);
  const ids = new Map(participants.map(({ user }) => [user.id, newId()]));
  const told = new Set(
    await insertNotifications(
      tx,
      [...ids].map(([userId, id]) => ({
        id,
        userId,
        organizationId,
        spaceId,
        changeRequestId,
        commentId,
        replyId,
        kind,
        event,
        actorId: caller.user.id,
      })),
    ),
  );
  for (const { user } of participants) {
    if (!told.has(user.id) || !takesMail(user)) continue;
    if ((await claimCall(tx, `notification-mails:${caller.user.id}`, MAILS)) > 0) return;
    await mailer.enqueue(tx, {
      template: 'notification',
      to: user.email,
      organizationId,
      subjectId: ids.get(user.id) ?? '',
      values: { by: caller.user.displayName, ...mail, settingsUrl: `${publicUrl}/account` },
    });
  }
}
