import { operations, type PlatformClient } from '../client/index.ts';
import { type Database, loadSpace } from '../store/index.ts';
import { asOwnAdministrator } from './as-administrator.ts';

/**
 * Deletes a space of this server's own platform.
 *
 * @throws when the operator is no longer an administrator where the space is
 */
export async function deleteOwnSpace(
  db: Database,
  clientFor: (token: string) => PlatformClient,
  spaceId: string,
): Promise<void> {
  await asOwnAdministrator({ db, clientFor }, 'delete a space', async (client) => {
    await client.call(operations.deleteSpace, { params: { spaceId } });
    // Deleting what the caller may not see succeeds.
    if ((await loadSpace(db, spaceId)) !== null)
      throw new Error(
        `The space ${spaceId} was not deleted: the server's operator is no longer an administrator of its organization; ask one of its administrators to delete it.`,
      );
  });
}
