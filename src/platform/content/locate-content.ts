import {
  type ChangeRequestRow,
  type Db,
  loadRevision,
  type RevisionRow,
  type SpaceRow,
} from '../../store/index.ts';
import type { Caller } from '../access/caller.ts';
import { requireSpace, requireSpaceRight } from '../access/require-space.ts';
import { notFound } from '../api/api-error.ts';
import { locateChangeRequest } from '../change-requests/locate-change-request.ts';

/** Which content is requested: a revision of a space, or the current one when `revisionId` is undefined. */
export interface ContentParams {
  readonly spaceId: string;
  readonly revisionId?: string;
  /** Set: what this change request proposes. Its id or its number. */
  readonly changeRequestId?: string;
}

export interface Content {
  readonly space: SpaceRow;
  readonly revision: RevisionRow;
  readonly changeRequest: ChangeRequestRow | null;
}

/** The requested space and revision, where the caller may see them. */
export async function locateContent(db: Db, caller: Caller, params: ContentParams): Promise<Content> {
  const { space, effectiveRole } = await requireSpace(db, caller, params.spaceId, 'view');
  // Visitors read the current content only, however it is named; drafts and old revisions are for members.
  if (params.revisionId !== space.revisionId && params.revisionId !== undefined) {
    requireSpaceRight(effectiveRole, 'access');
  }
  const changeRequest = await findChangeRequest(db, caller, params);
  const id = params.revisionId ?? changeRequest?.revisionId ?? space.revisionId;
  const revision = id === null ? null : await loadRevision(db, space.id, id);
  if (!revision) throw notFound('revision with this id in this space');
  return { space, revision, changeRequest };
}

async function findChangeRequest(
  db: Db,
  caller: Caller,
  { spaceId, changeRequestId }: ContentParams,
): Promise<ChangeRequestRow | null> {
  if (changeRequestId === undefined) return null;
  const located = await locateChangeRequest(db, caller, { spaceId, changeRequestId }, 'access');
  return located.changeRequest.row;
}

/** Names the version of a revision's content: the commit may move while the content stays. */
export function versionOf({ revision, changeRequest }: Content): string {
  const base = changeRequest === null ? '' : ` ${changeRequest.id} ${changeRequest.baseRevisionId}`;
  return `${revision.id} ${revision.commitOid ?? ''} ${revision.ref ?? ''}${base}`;
}
