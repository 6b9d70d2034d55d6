import type { MayHaveMail } from '../../identity/index.ts';
import {
  type Database,
  describeInvite,
  listAdministratorAddresses,
  loadNotificationRow,
  loadSpace,
} from '../../store/index.ts';
import { listParticipants } from '../comments/list-participants.ts';

/**
 * Asks again, when a mail is sent, what was asked when it was made: whoever left, lost their right, or wants no mails any
 * more gets nothing that was said before; neither does anybody get what was deleted, or an invitation that ended.
 */
export function mayHaveMail(db: Database): MayHaveMail {
  return async ({ template, to, organizationId, subjectId }) => {
    if (template === 'domain-missing')
      return organizationId !== null && (await listAdministratorAddresses(db, organizationId)).includes(to);
    // A mail that an earlier release made names no subject.
    if (subjectId === null) return true;
    if (template === 'invite') return (await describeInvite(db, subjectId))?.end === null;
    return template !== 'notification' || (await mayBeNotified(db, subjectId, to));
  };
}

async function mayBeNotified(db: Database, notificationId: string, to: string): Promise<boolean> {
  const row = await loadNotificationRow(db, notificationId);
  const space = row === null ? null : await loadSpace(db, row.spaceId);
  if (row === null || space === null) return false;
  const [participant] = await listParticipants(db, space, [row.userId]);
  return participant !== undefined && takesMail(participant.user) && participant.user.email === to;
}

/** Whether somebody wants mails, at an address that is known to be theirs. */
export function takesMail(user: {
  readonly wantsMail: boolean;
  readonly emailVerifiedAt: Date | null;
}): boolean {
  return user.wantsMail && user.emailVerifiedAt !== null;
}
