import { createHash, randomBytes } from 'node:crypto';
import { findLiveToken } from '../platform/index.ts';
import {
  type Database,
  deleteSession,
  findSession,
  insertSession,
  newId,
  type Sealer,
} from '../store/index.ts';
import type { SessionStore } from '../web/index.ts';

/** The longest part of a browser's own description that is stored, in characters. */
const MAX_USER_AGENT = 300;

/** Stores sessions in the database, so that what one process ends is over in all of them. */
export function createSessionStore({
  db,
  sealer,
  now = () => new Date(),
}: {
  readonly db: Database;
  readonly sealer: Sealer;
  readonly now?: () => Date;
}): SessionStore {
  return {
    async start({ token, displayName, userAgent }) {
      const secret = randomBytes(32).toString('base64url');
      // Null when the platform is another server.
      const owner = await findLiveToken(db, token);
      const { expiresAt } = await insertSession(
        db,
        {
          id: newId(),
          hash: hashSecret(secret),
          userId: owner?.userId ?? null,
          tokenId: owner?.tokenId ?? null,
          provider: 'token',
          sealedToken: sealer.seal(token),
          displayName,
          userAgent: userAgent?.slice(0, MAX_USER_AGENT).toWellFormed() ?? null,
        },
        now(),
      );
      return { secret, expiresAt };
    },
    async find(secret) {
      const found = await findSession(db, hashSecret(secret), now());
      const token = found?.sealedToken == null ? null : unseal(sealer, found.sealedToken);
      return found === null || token === null ? null : { token, displayName: found.displayName };
    },
    end: (secret) => deleteSession(db, hashSecret(secret)),
  };
}

/** Secrets are random enough that a plain SHA-256 cannot be reversed. */
function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** Null for what was sealed with a key that is lost: its user signs in again. */
function unseal(sealer: Sealer, sealed: string): string | null {
  try {
    return sealer.unseal(sealed);
  } catch {
    return null;
  }
}
