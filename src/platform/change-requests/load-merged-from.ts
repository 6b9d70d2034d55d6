import type { ChangeRequest } from '../../contract/index.ts';
import { findMergedAs, type RevisionRow, type SpaceRow } from '../../store/index.ts';
import type { Caller } from '../access/caller.ts';
import { effectiveRoleInSpace } from '../access/require-space.ts';
import { allows, spaceRights } from '../access/roles.ts';
import type { PlatformDeps } from '../deps.ts';
import { presentChangeRequest } from './present-change-request.ts';

/** The change request that a revision merged; null for any other revision, and for callers who may not see change requests. */
export async function loadMergedFrom(
  { db, publicUrl }: Pick<PlatformDeps, 'db' | 'publicUrl'>,
  caller: Caller,
  { space, revision }: { readonly space: SpaceRow; readonly revision: RevisionRow },
): Promise<ChangeRequest | null> {
  if (revision.type !== 'merge') return null;
  const effectiveRole = await effectiveRoleInSpace(db, caller, space);
  if (!allows(effectiveRole, spaceRights.access)) return null;
  const found = await findMergedAs(db, space.id, revision.id);
  return found && presentChangeRequest(found, { caller, space, effectiveRole, isUnruled: true, publicUrl });
}
