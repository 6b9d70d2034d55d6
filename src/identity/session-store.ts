import {
  type Database,
  deleteSession,
  findSession,
  isSessionOpen,
  type RequestOrigin,
  recordAudit,
  type Sealer,
  tryUnseal,
} from '../store/index.ts';
import { beginSession, type StartedSession } from './begin-session.ts';
import { findLiveToken } from './find-bearer.ts';
import { hashToken, sessionToken } from './token-text.ts';

/** Somebody who is signed in. */
export interface Session {
  /** The token with which the pages call the platform for this user. */
  readonly token: string;
  readonly displayName: string;
  /** Null when the platform is another server: only that one knows its users. */
  readonly userId: string | null;
  /** How they signed in: `token`, or a provider of {@link SignIn}. */
  readonly provider: string;
  /** The organization whose single sign-on was passed, whose recovery code was used, or whose token this is. */
  readonly ssoOrganizationId: string | null;
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

/** Where the sessions of browsers are stored, for all processes of a server alike. */
export interface SessionStore {
  /** Starts a session for whoever has this API token, and records it in the audit log. */
  startWithToken(
    token: { readonly token: string; readonly displayName: string },
    origin: RequestOrigin,
  ): Promise<StartedSession>;
  /** Starts a session for somebody who signed in by another method, and records it in the audit log. */
  start(signIn: SignIn, origin: RequestOrigin): Promise<StartedSession>;
  /** Null when there is no such session, or it is over. */
  find(secret: string): Promise<Session | null>;
  /** Whether the session is not over. That somebody asks is no use of it. */
  isOpen(secret: string): Promise<boolean>;
  /** Ends a session and, unless it was over already, records that in the audit log. */
  end(secret: string, origin: RequestOrigin): Promise<void>;
}

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
  async function start(
    session: Parameters<typeof beginSession>[1],
    origin: RequestOrigin,
  ): Promise<StartedSession> {
    return await db.transaction(async (tx) => {
      const { id, ...started } = await beginSession(tx, session, origin, now());
      const { userId, displayName, tokenId = null, provider } = session;
      // The users of another platform are in its audit log.
      if (userId !== null)
        await recordAudit(tx, {
          organizationId: null,
          action: 'session.start',
          actor: { kind: 'user', id: userId, name: displayName, tokenId, sessionId: id, ...origin },
          target: { kind: 'user', id: userId, name: displayName },
          after: { provider },
        });
      return started;
    });
  }

  return {
    async startWithToken({ token, displayName }, origin) {
      // Null when the platform is another server.
      const owner = await findLiveToken(db, token);
      return await start(
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
      start({ userId, displayName, provider, providerId, ssoOrganizationId }, origin),
    async find(secret) {
      const found = await findSession(db, hashToken(secret), now());
      if (found === null) return null;
      const { sealedToken, ...session } = found;
      const token = sealedToken === null ? sessionToken(secret) : tryUnseal(sealer, sealedToken);
      return token === null ? null : { token, ...session };
    },
    isOpen: (secret) => isSessionOpen(db, hashToken(secret), now()),
    async end(secret, origin) {
      await db.transaction(async (tx) => {
        const ended = await deleteSession(tx, hashToken(secret), now());
        // The users of another platform are in its audit log.
        if (ended === null || ended.userId === null) return;
        const { id: sessionId, userId: id, tokenId, displayName: name } = ended;
        await recordAudit(tx, {
          organizationId: null,
          action: 'session.end',
          actor: { kind: 'user', id, name, tokenId, sessionId, ...origin },
          target: { kind: 'user', id, name },
          before: { sessions: 1 },
        });
      });
    },
  };
}
