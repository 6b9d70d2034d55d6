import type { Space } from '../../contract/index.ts';
import { countChangeRequests, type SpaceRow } from '../../store/index.ts';
import type { Caller } from '../access/caller.ts';
import { standingInSpace } from '../access/require-space.ts';
import type { Survey } from '../access/survey.ts';
import type { PlatformDeps } from '../deps.ts';
import { presentSpace } from './present-space.ts';

type Deps = Pick<PlatformDeps, 'db' | 'publicUrl'>;

/** A space as the caller sees it. */
export async function viewSpace(deps: Deps, caller: Caller, row: SpaceRow): Promise<Space> {
  const standing = await standingInSpace(deps.db, caller, row);
  const counts = await countChangeRequests(deps.db, [row.id]);
  return presentSpace(row, standing, deps.publicUrl, counts.get(row.id));
}

/** How to show each of some spaces of one organization. */
export async function viewSpaces(
  deps: Deps,
  survey: Survey,
  rows: readonly SpaceRow[],
): Promise<(row: SpaceRow) => Space> {
  const counts = await countChangeRequests(
    deps.db,
    rows.map((row) => row.id),
  );
  return (row) => presentSpace(row, survey.standingInSpace(row), deps.publicUrl, counts.get(row.id));
}
