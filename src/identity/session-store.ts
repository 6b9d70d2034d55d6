import { randomBytes } from 'node:crypto';
import {
  type AuditActor,
  type Database,
  deleteSession,
  findSession,
  findSessionOwner,
  findTokenOwner,
  insertSession,
  newId,
  type Sealer,
  type TokenOwner,
} from '../store/index.ts';
import { hashToken, isTokenShaped, sessionSecretOf, sessionToken } from './token-text.ts';

/** Somebody who is signed in. */
export interface Session {
  /** The token with which the pages call the platform for this user. */
  readonly token: string;
  readonly displayName: string;
}

/** Where the sessions of browsers are stored, for all processes of a server alike. */
export interface SessionStore {
  /** Starts a session. The browser gets the secret, of which only a hash is stored. */
  start(
    session: Session & { readonly userAgent: string | null },
  ): Promise<{ readonly secret: string; readonly expiresAt: Date }>;
  /** Null when there is no such session, or it is over. */
  find(secret: string): Promise<Session | null>;
  end(secret: string): Promise<void>;
}

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
          hash: hashToken(secret),
          userId: owner?.userId ?? null,
          tokenId: owner?.tokenId ?? null,
          provider: 'token',
          // Pages call this platform with the session itself.
          sealedToken: owner === null ? sealer.seal(token) : null,
          displayName,
          userAgent: userAgent?.slice(0, MAX_USER_AGENT).toWellFormed() ?? null,
        },
        now(),
      );
      return { secret, expiresAt };
    },
    async find(secret) {
      const found = await findSession(db, hashToken(secret), now());
      if (found === null) return null;
      const { sealedToken, displayName } = found;
      const token = sealedToken === null ? sessionToken(secret) : unseal(sealer, sealedToken);
      return token === null ? null : { token, displayName };
    },
    end: (secret) => deleteSession(db, hashToken(secret)),
  };
}

/** Null for what was sealed with a key that is lost: its user signs in again. */
function unseal(sealer: Sealer, sealed: string): string | null {
  try {
    return sealer.unseal(sealed);
  } catch {
    return null;
  }
}

/** Whom a bearer token stands for, that of a session too, for the audit log; null for one that opens nothing. */
export async function findActor(db: Database, token: string): Promise<AuditActor | null> {
  const secret = sessionSecretOf(token);
  const owner =
    secret !== null
      ? await findSessionOwner(db, hashToken(secret), new Date())
      : isTokenShaped(token)
        ? await findTokenOwner(db, hashToken(token))
        : null;
  if (owner === null || owner.expiredAt !== null) return null;
  const { userId, displayName, tokenId, sessionId } = owner;
  return { kind: 'user', id: userId, name: displayName, tokenId, sessionId };
}

/** The owner of a token that was created here and is neither revoked nor expired; null for any other text. */
export async function findLiveToken(
  db: Database,
  token: string,
): Promise<Pick<TokenOwner, 'tokenId' | 'userId'> | null> {
  const owner = isTokenShaped(token) ? await findTokenOwner(db, hashToken(token)) : null;
  return owner?.expiredAt === null ? owner : null;
}
