import type { Space } from '../../contract/index.ts';
import type { SpaceRow } from '../../store/index.ts';
import type { Caller } from '../access/caller.ts';
import type { AccessMap } from '../access/load-access-map.ts';
import { effectiveRoleInSpace } from '../access/require-space.ts';
import type { PlatformDeps } from '../deps.ts';
import { loadSpaceCounts, presentSpace } from './present-space.ts';

type Deps = Pick<PlatformDeps, 'db' | 'publicUrl'>;

/** A space as the caller sees it. */
export async function viewSpace(deps: Deps, caller: Caller, row: SpaceRow): Promise<Space> {
  const role = await effectiveRoleInSpace(deps.db, caller, row);
  const standing = { role, inOrganization: caller.roleIn(row.organizationId) };
  const countsOf = await loadSpaceCounts(deps.db, [row.id]);
  return presentSpace(row, standing, deps.publicUrl, countsOf(row.id));
}

/** Returns a presenter for these spaces of one organization. */
export async function viewSpaces(
  deps: Deps,
  accessMap: AccessMap,
  rows: readonly SpaceRow[],
): Promise<(row: SpaceRow) => Space> {
  const countsOf = await loadSpaceCounts(
    deps.db,
    rows.map((row) => row.id),
  );
  return (row) => {
    const standing = { role: accessMap.roleInSpace(row), inOrganization: accessMap.roleInOrganization };
    return presentSpace(row, standing, deps.publicUrl, countsOf(row.id));
  };
}
