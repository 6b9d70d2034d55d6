import type { ChangeRequest } from '../../contract/index.ts';
import { type ChangeRequestView, RETENTION_DAYS, type SpaceRow, type UserRow } from '../../store/index.ts';
import type { Caller } from '../access/caller.ts';
import { type EffectiveRole, permissionsOf } from '../access/roles.ts';
import { presentUserTo } from '../organizations/present-user.ts';

/** The role that each right in a change request requires; see `spaceRights`. */
export const changeRequestRights = {
  view: 'read',
  comment: 'comment',
  edit: 'edit',
  review: 'review',
  merge: 'review',
} as const;

const DAY_MS = 24 * 60 * 60 * 1000;

function removalTime({ retainedSince }: ChangeRequestView): Date {
  return new Date(retainedSince.getTime() + RETENTION_DAYS.archivedChangeRequests * DAY_MS);
}

/** The public fields of a change request. */
export function presentChangeRequest(
  found: ChangeRequestView,
  view: {
    readonly caller: Caller;
    readonly space: SpaceRow;
    readonly effectiveRole: EffectiveRole;
    /** Whether the merge rules let the caller merge it. */
    readonly isUnruled: boolean;
    readonly publicUrl: string;
  },
): ChangeRequest {
  const { row, createdBy, mergedBy } = found;
  const { caller, space, effectiveRole, isUnruled, publicUrl } = view;
  const present = (user: UserRow) => presentUserTo(caller, space.organizationId, user, publicUrl);
  const isDone = row.status === 'merged';
  const permissions = permissionsOf(changeRequestRights, effectiveRole);
  const isOpen = row.status === 'draft' || row.status === 'open';
  return {
    object: 'change-request',
    id: row.id,
    number: row.number,
    subject: row.subject,
    status: row.status as ChangeRequest['status'],
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    space: space.id,
    revision: row.revisionId,
    revisionInitial: row.baseRevisionId,
    revisionMergeBase: row.baseRevisionId,
    outdated: !isDone && row.baseRevisionId !== space.revisionId,
    // Who may not read the comments is not told that there are any.
    comments: permissions.comment ? found.comments : 0,
    urls: {
      location: `${publicUrl}/v1/spaces/${space.id}/change-requests/${row.id}`,
      app: `${publicUrl}/spaces/${space.id}/change-requests/${row.number}`,
    },
    permissions: {
      ...permissions,
      edit: permissions.edit && !isDone,
      merge: permissions.merge && isOpen && space.editMode !== 'locked' && isUnruled,
    },
    ...(createdBy === null ? {} : { createdBy: present(createdBy) }),
    ...(mergedBy === null ? {} : { mergedBy: present(mergedBy) }),
    ...(row.status === 'archived' && { removedAt: removalTime(found).toISOString() }),
    ...(row.mergedAt === null ? {} : { mergedAt: row.mergedAt.toISOString() }),
    ...(row.mergedRevisionId === null
      ? {}
      : { mergedRevision: row.mergedRevisionId, revisionMerged: row.mergedRevisionId }),
  };
}
