import type { Space } from '../../contract/index.ts';
import { countChangeRequests, type SpaceRow } from '../../store/index.ts';
import type { Caller } from '../access/caller.ts';
import type { AccessMap } from '../access/load-access-map.ts';
import { effectiveRoleInSpace } from '../access/require-space.ts';
import type { PlatformDeps } from '../deps.ts';
import { presentSpace } from './present-space.ts';

type Deps = Pick<PlatformDeps, 'db' | 'publicUrl'>;

/** A space as the caller sees it. */
export async function viewSpace(deps: Deps, caller: Caller, row: SpaceRow): Promise<Space> {
  const effectiveRole = await effectiveRoleInSpace(deps.db, caller, row);
  const counts = await countChangeRequests(deps.db, [row.id]);
  return presentSpace(row, effectiveRole, deps.publicUrl, counts.get(row.id));
}

/** Returns a presenter for these spaces of one organization. */
export async function viewSpaces(
  deps: Deps,
  accessMap: AccessMap,
  rows: readonly SpaceRow[],
): Promise<(row: SpaceRow) => Space> {
  const counts = await countChangeRequests(
    deps.db,
    rows.map((row) => row.id),
  );
  return (row) => presentSpace(row, accessMap.roleInSpace(row), deps.publicUrl, counts.get(row.id));
}
