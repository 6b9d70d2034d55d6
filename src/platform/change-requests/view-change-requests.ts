import type { ChangeRequest } from '../../contract/index.ts';
import type { ChangeRequestView, SpaceRow } from '../../store/index.ts';
import type { Caller } from '../access/caller.ts';
import type { EffectiveRole } from '../access/roles.ts';
import type { PlatformDeps } from '../deps.ts';
import { findObjection, loadMergeRules, loadMerges } from './enforce-merge-rules.ts';
import { presentChangeRequest } from './present-change-request.ts';

/** Returns a presenter for these change requests of one space, as the caller sees them. */
export async function viewChangeRequests(
  { db, publicUrl }: Pick<PlatformDeps, 'db' | 'publicUrl'>,
  caller: Caller,
  { space, effectiveRole }: { readonly space: SpaceRow; readonly effectiveRole: EffectiveRole },
  views: readonly ChangeRequestView[],
): Promise<(view: ChangeRequestView) => ChangeRequest> {
  const inForce = await loadMergeRules(db, space);
  const open = views.map(({ row }) => row).filter(({ status }) => status === 'draft' || status === 'open');
  const mergeOf = await loadMerges(db, space, inForce, { rows: open, userId: caller.user.id });
  return (view) => {
    const isUnruled = findObjection(inForce, mergeOf(view.row)) === null;
    return presentChangeRequest(view, { caller, space, effectiveRole, isUnruled, publicUrl });
  };
}
