import { type ChangeRequestRow, type Db, listTeamMemberIds, type SpaceRow } from '../../store/index.ts';
import type { Caller } from '../access/caller.ts';
import type { PlatformDeps } from '../deps.ts';
import { excerptOf } from '../notifications/excerpt-of.ts';
import { type NotificationInput, notify } from '../notifications/notify.ts';

/** Of the teams of one request. */
const MAX_MEMBERS = 200;

interface About {
  readonly space: SpaceRow;
  readonly row: ChangeRequestRow;
  readonly caller: Caller;
}

/** Notifies users, and the members of teams, that their review is requested. Call it in the transaction of the request. */
export async function notifyOfRequest(
  deps: PlatformDeps,
  tx: Db,
  about: About & {
    readonly userIds: readonly string[];
    readonly teamIds: readonly string[];
    /** Names the request, so that each is told once. */
    readonly requestId: string;
  },
): Promise<void> {
  const userIds = [...about.userIds, ...(await listTeamMemberIds(tx, about.teamIds, MAX_MEMBERS))];
  const notice = noticeOf(deps, about, {
    kind: 'review-request',
    event: `review-request:${about.requestId}`,
    what: 'asks you to review',
  });
  await notify(deps, tx, { caller: about.caller, userIds, notice });
}

/** Notifies the author of a change request that somebody reviewed it. Call it in the transaction of the review. */
export async function notifyOfReview(
  deps: PlatformDeps,
  tx: Db,
  about: About & { readonly reviewId: string; readonly approved: boolean; readonly said: string | null },
): Promise<void> {
  const { row, caller, reviewId, approved, said } = about;
  if (row.createdBy === null) return;
  const notice = noticeOf(deps, about, {
    kind: 'review',
    event: `review:${reviewId}`,
    what: approved ? 'approved' : 'requests changes in',
    ...(said === null ? {} : { text: excerptOf(said) }),
  });
  await notify(deps, tx, { caller, userIds: [row.createdBy], notice });
}

function noticeOf(
  { publicUrl }: PlatformDeps,
  { space, row }: About,
  {
    kind,
    event,
    what,
    text = row.subject,
  }: Pick<NotificationInput, 'kind' | 'event'> & { readonly what: string; readonly text?: string },
): NotificationInput {
  return {
    kind,
    event,
    space,
    changeRequestId: row.id,
    mail: {
      what: `${what} change request ${row.number} of ${space.title}`,
      text,
      url: `${publicUrl}/spaces/${space.id}/change-requests/${row.number}`,
    },
  };
}
