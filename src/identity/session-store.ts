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
  recordAudit,
  type Sealer,
  type TokenOwner,
} from '../store/index.ts';
import { hashToken, isTokenShaped, sessionSecretOf, sessionToken } from './token-text.ts';

/** Somebody who is signed in. */
export interface Session {
  /** The token with which the pages call the platform for this user. */
  readonly token: string;
  readonly displayName: string;
  /** Null when the platform is another server: only that one knows its users. */
  readonly userId: string | null;
  /** How they signed in: `token`, or a provider of {@link SignIn}. */
  readonly provider: string;
}

/** Where a request of a browser comes from. */
export interface BrowserOrigin {
  /** The network address. */
  readonly address: string | null;
  readonly userAgent: string | null;
  readonly requestId: string | null;
}

/** Somebody who has just shown who they are, by any method. */
export interface SignIn {
  readonly userId: string;
  readonly displayName: string;
  readonly provider: 'password' | 'mail' | 'set-up' | 'recovery' | 'github' | 'oidc' | 'saml';
  /** The provider of an organization: its sessions end with it. */
  readonly providerId?: string | null;
  /** The organization whose single sign-on was passed, or whose recovery code was used. */
  readonly ssoOrganizationId?: string | null;
}

/** A session that was begun. Only a hash of the secret is stored. */
export interface StartedSession {
  readonly secret: string;
  readonly expiresAt: Date;
}

/** Where the sessions of browsers are stored, for all processes of a server alike. */
export interface SessionStore {
  /** Starts a session for whoever has this API token, and records it in the audit log. */
  startWithToken(
    token: { readonly token: string; readonly displayName: string },
    origin: BrowserOrigin,
  ): Promise<StartedSession>;
  /** Starts a session for somebody who signed in by another method, and records it in the audit log. */
  start(signIn: SignIn, origin: BrowserOrigin): Promise<StartedSession>;
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
  type NewSession = Parameters<typeof insertSession>[1];

  async function insert(
    session: Omit<NewSession, 'id' | 'hash' | 'address' | 'userAgent'>,
    origin: BrowserOrigin,
  ): Promise<StartedSession> {
    const secret = randomBytes(32).toString('base64url');
    const id = newId();
    return await db.transaction(async (tx) => {
      const { expiresAt } = await insertSession(
        tx,
        {
          ...session,
          id,
          hash: hashToken(secret),
          address: origin.address,
          userAgent: origin.userAgent?.slice(0, MAX_USER_AGENT).toWellFormed() ?? null,
        },
        now(),
      );
      const { userId = null, displayName, tokenId = null, provider } = session;
      // The users of another platform are in its audit log.
      if (userId !== null)
        await recordAudit(tx, {
          organizationId: null,
          action: 'session.start',
          actor: { kind: 'user', id: userId, name: displayName, tokenId, sessionId: id, ...origin },
          target: { kind: 'user', id: userId, name: displayName },
          after: { provider },
        });
      return { secret, expiresAt };
    });
  }

  return {
    async startWithToken({ token, displayName }, origin) {
      // Null when the platform is another server.
      const owner = await findLiveToken(db, token);
      return await insert(
        {
          userId: owner?.userId ?? null,
          tokenId: owner?.tokenId ?? null,
          provider: 'token',
          ssoOrganizationId: owner?.ssoOrganizationId ?? null,
          // Pages call this platform with the session itself.
          sealedToken: owner === null ? sealer.seal(token) : null,
          displayName,
        },
        origin,
      );
    },
    start: ({ userId, displayName, provider, providerId = null, ssoOrganizationId = null }, origin) =>
      insert({ userId, displayName, provider, providerId, ssoOrganizationId }, origin),
    async find(secret) {
      const found = await findSession(db, hashToken(secret), now());
      if (found === null) return null;
      const { sealedToken, ...session } = found;
      const token = sealedToken === null ? sessionToken(secret) : unseal(sealer, sealedToken);
      return token === null ? null : { token, ...session };
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
): Promise<Pick<TokenOwner, 'tokenId' | 'userId' | 'ssoOrganizationId'> | null> {
  const owner = isTokenShaped(token) ? await findTokenOwner(db, hashToken(token)) : null;
  return owner?.expiredAt === null ? owner : null;
}
