import { type ChangeRequestView, type Db, loadChangeRequest, type SpaceRow } from '../../store/index.ts';
import type { Caller } from '../access/caller.ts';
import { requireSpace } from '../access/require-space.ts';
import type { EffectiveRole, SpaceRight } from '../access/roles.ts';
import { notFound } from '../api/api-error.ts';

export interface LocatedChangeRequest {
  readonly space: SpaceRow;
  readonly effectiveRole: EffectiveRole;
  readonly changeRequest: ChangeRequestView;
}

/** Returns the change request if the caller has this right in its space; throws a 404 or 403 otherwise. */
export async function locateChangeRequest(
  db: Db,
  caller: Caller,
  params: { readonly spaceId: string; readonly changeRequestId: string },
  right: SpaceRight,
): Promise<LocatedChangeRequest> {
  const { space, effectiveRole } = await requireSpace(db, caller, params.spaceId, right);
  const changeRequest = await loadChangeRequest(db, space.id, params.changeRequestId);
  if (changeRequest === null) throw notFound('change request with this id or number in this space');
  return { space, effectiveRole, changeRequest };
}
