import { type GitHubAddress, webAddress } from '../../github/index.ts';
import { type Database, findBindingOfSpace, listCarryingPulls } from '../../store/index.ts';
import type { CarryingPull, SpaceRepository } from '../../web/index.ts';

export interface RepositoryParts {
  readonly db: Database;
  /** The GitHub of the current App; null while there is none. */
  readonly address: () => GitHubAddress | null;
}

const GITHUB: GitHubAddress = { host: null, protocol: 'https' };

/** The repository that is bound to a space; null where none is, or no longer. */
export async function loadSpaceRepository(
  { db, address }: RepositoryParts,
  spaceId: string,
): Promise<SpaceRepository | null> {
  const binding = await findBindingOfSpace(db, spaceId);
  if (binding === null || binding.disconnected !== null) return null;
  return {
    name: binding.repository,
    url: `${webAddress(address() ?? GITHUB)}/${binding.repository}`,
    branch: binding.branch,
    isExportedTo: binding.direction !== 'import',
  };
}

/** The pull requests that carry the edits of a change request, the newest first. */
export async function loadCarryingPulls(
  { db, address }: RepositoryParts,
  spaceId: string,
  changeRequestId: string,
): Promise<readonly CarryingPull[]> {
  const rows = await listCarryingPulls(db, { spaceId, changeRequestId });
  return rows.map(({ repository, number, closedAt }) => ({
    repository,
    number,
    url: repository === null ? null : `${webAddress(address() ?? GITHUB)}/${repository}/pull/${number}`,
    isOpen: closedAt === null,
  }));
}
