import { enqueueRecheck } from '../github/index.ts';
import type { Queue } from '../queue/index.ts';
import { type Database, findBindingOfSpace } from '../store/index.ts';

/**
 * Has the GitHub App import a space again, whose bytes were lost; only for the first of them, since one import fetches all.
 * What comes of it too late, the comparison with GitHub finds. Returns whether a repository is connected.
 */
export async function refetchSpace(
  { db, queue }: { readonly db: Database; readonly queue: Queue },
  spaceId: string,
  { isFirst }: { readonly isFirst: boolean },
): Promise<boolean> {
  const binding = await findBindingOfSpace(db, spaceId);
  if (binding === null || binding.disconnected !== null || binding.direction === 'export') return false;
  const { installationId, repositoryId, repository: fullName, branch } = binding;
  if (isFirst)
    await enqueueRecheck({ db, queue }, { kind: 'branch', installationId, repositoryId, fullName, branch });
  return true;
}
