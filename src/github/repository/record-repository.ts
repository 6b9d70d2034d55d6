import { type Db, type SeenRepository, saveRepositories } from '../../store/index.ts';
import type { Repository } from '../api/index.ts';

/** Sentences for people about why a space is not synced any more. */
export const DISCONNECTED = {
  archived:
    'The repository is archived; what was live stays live. Pushes are synced again when it is unarchived.',
  removed: 'The App has no access to the repository any more. Add it to the App’s installation to continue.',
  suspended: 'The App’s installation is suspended. Unsuspend it to continue.',
  uninstalled: 'The App was uninstalled. Install it again to continue.',
} as const;

/** Stores the current state of a repository. */
export async function recordRepository(
  db: Db,
  installationId: number,
  repository: Repository,
): Promise<void> {
  const { id, fullName, defaultBranch, archived } = repository;
  await saveRepositories(db, [describeSeen(installationId, { id, fullName, defaultBranch, archived })]);
}

export function describeSeen(
  installationId: number,
  { archived, ...seen }: Pick<Repository, 'id' | 'fullName' | 'defaultBranch' | 'archived'>,
): SeenRepository {
  return { ...seen, installationId, disconnected: archived ? DISCONNECTED.archived : null };
}
