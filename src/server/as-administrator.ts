import type { PlatformClient } from '../client/index.ts';
import { createToken, revokeToken } from '../platform/index.ts';
import type { Database } from '../store/index.ts';

/**
 * Does what only administrators of this server's own platform may. The token of the App's everyday calls is none: so each
 * of these has a token of its own, which is revoked when it is done.
 */
export async function asOwnAdministrator<Result>(
  { db, clientFor }: { readonly db: Database; readonly clientFor: (token: string) => PlatformClient },
  purpose: string,
  work: (client: PlatformClient) => Promise<Result>,
): Promise<Result> {
  const { id, token } = await createToken(db, {
    name: `docloom serve: ${purpose}`,
    role: 'admin',
    // In case the process is killed before it revokes it.
    expiresAt: new Date(Date.now() + 60 * 60 * 1000),
  });
  try {
    return await work(clientFor(token));
  } finally {
    await revokeToken(db, id);
  }
}
