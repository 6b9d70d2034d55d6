import { operations, type PlatformClient } from '../client/index.ts';
import { createToken, revokeToken } from '../platform/index.ts';
import { type Database, loadSpace } from '../store/index.ts';

/**
 * Deletes a space of this server's own platform. Only administrators may, and the token of the App's everyday calls is none:
 * so each deletion has a token of its own, which is revoked when it is done.
 *
 * @throws when the operator is no longer an administrator where the space is
 */
export async function deleteOwnSpace(
  db: Database,
  clientFor: (token: string) => PlatformClient,
  spaceId: string,
): Promise<void> {
  const { id, token } = await createToken(db, {
    name: 'docloom serve: delete a space',
    role: 'admin',
    // In case the process is killed before it revokes it.
    expiresAt: new Date(Date.now() + 60 * 60 * 1000),
  });
  try {
    await clientFor(token).call(operations.deleteSpace, { params: { spaceId } });
    // Deleting what the caller may not see succeeds.
    if ((await loadSpace(db, spaceId)) !== null)
      throw new Error(
        `The space ${spaceId} was not deleted: the server's operator is no longer an administrator of its organization; ask one of its administrators to delete it.`,
      );
  } finally {
    await revokeToken(db, id);
  }
}
