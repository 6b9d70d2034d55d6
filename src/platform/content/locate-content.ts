import {
  type ChangeRequestView,
  type Db,
  loadChangeRequest,
  loadRevision,
  loadSpecsVersion,
  type RevisionRow,
  recordEarlierBlobs,
  type SpaceRow,
} from '../../store/index.ts';
import type { Caller } from '../access/caller.ts';
import { requireSpace, requireSpaceRight } from '../access/require-space.ts';
import { allows, type EffectiveRole, openApiRights } from '../access/roles.ts';
import { notFound } from '../api/api-error.ts';

/** The requested content: a revision of a space, or the current content if neither revision nor change request is set. */
export interface ContentParams {
  readonly spaceId: string;
  readonly revisionId?: string;
  /** The id or number of a change request, for what it proposes. */
  readonly changeRequestId?: string;
}

/** What a read of content gets. `identify` is called with the version of the answer. */
export interface ContentRequest<Params extends ContentParams, Query> {
  readonly caller: Caller;
  readonly params: Params;
  readonly query: Query;
  readonly identify: (version: string) => void;
}

export interface Content {
  readonly space: SpaceRow;
  readonly revision: RevisionRow;
  readonly changeRequest: ChangeRequestView | null;
  /** The caller's role in the space. */
  readonly effectiveRole: EffectiveRole;
  /** The caller's role in the organization, on which depends which of its specifications the content shows them. */
  readonly organizationRole: EffectiveRole;
}

/** What content shows of the organization's specifications. */
export interface SpecsVersions {
  /** The version of what computed pages are generated from. */
  readonly madeFrom: string;
  /** The version of all that is shown of specifications, their own fields included. */
  readonly specs: string;
}

/** Returns the requested space and revision if the caller may see them; throws a 404 or 403 otherwise. */
export async function locateContent(db: Db, caller: Caller, params: ContentParams): Promise<Content> {
  const { space, effectiveRole } = await requireSpace(db, caller, params.spaceId, 'view');
  // Visitors read only the current content, also by its revision id; drafts and old revisions are for members.
  if (params.revisionId !== space.revisionId && params.revisionId !== undefined) {
    requireSpaceRight(effectiveRole, 'access');
  }
  if (params.changeRequestId !== undefined) requireSpaceRight(effectiveRole, 'access');
  const changeRequest = await findChangeRequest(db, params);
  const id = params.revisionId ?? changeRequest?.row.revisionId ?? space.revisionId;
  const revision = id === null ? null : await loadRevision(db, space.id, id);
  if (!revision) throw notFound('revision with this id in this space');
  await recordEarlierBlobs(db, revision);
  const organizationRole = caller.roleIn(space.organizationId);
  return { space, revision, changeRequest, effectiveRole, organizationRole };
}

async function findChangeRequest(
  db: Db,
  { spaceId, changeRequestId }: ContentParams,
): Promise<ChangeRequestView | null> {
  if (changeRequestId === undefined) return null;
  const found = await loadChangeRequest(db, spaceId, changeRequestId);
  if (found === null) throw notFound('change request with this id or number in this space');
  return found;
}

/**
 * Identifies the version of the specifications that content shows, together with whether the caller may read private
 * ones: answers are shared by callers to whom the same is shown.
 */
export async function specsVersionOf(db: Db, { space, organizationRole }: Content): Promise<SpecsVersions> {
  const { content, fields } = await loadSpecsVersion(db, space.organizationId);
  if (content === '') return { madeFrom: '', specs: '' };
  const madeFrom = `${content} ${allows(organizationRole, openApiRights.view) ? 'all' : 'public'}`;
  return { madeFrom, specs: `${madeFrom} ${fields}` };
}

/** Identifies the version of a revision's content: its commit may change while the content stays the same. */
export function versionOf({ revision, changeRequest }: Content): string {
  const base = changeRequest === null ? '' : ` ${changeRequest.row.id} ${changeRequest.row.baseRevisionId}`;
  return `${revision.id} ${revision.commitOid ?? ''} ${revision.ref ?? ''}${base}`;
}
