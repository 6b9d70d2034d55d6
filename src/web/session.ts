import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RequestOrigin, Session, SessionStore, SignIn, StartedSession } from '../identity/index.ts';
import type { KnownBrowsers } from './known-browsers.ts';
import { mayChangeAccount } from './routes/own-session.ts';
import { cookieFor } from './sealed-cookie.ts';

/** The sessions of browsers. Each has a random secret in a cookie; everything else is in the store. */
export interface Sessions {
  /** Null when nobody is signed in, or the session is over. */
  read(request: FastifyRequest): Promise<Session | null>;
  /** Whether the session that `read` found is not over by now; that is no use of it. */
  isOpen(request: FastifyRequest): Promise<boolean>;
  /** Signs the owner of an API token in, with a new secret; the session that the browser had is ended. */
  startWithToken(
    request: FastifyRequest,
    reply: FastifyReply,
    token: Pick<Session, 'token' | 'displayName'>,
  ): Promise<void>;
  /** The same for somebody who signed in by another method. By one of their own, the browser is theirs from then on. */
  start(request: FastifyRequest, reply: FastifyReply, signIn: SignIn): Promise<void>;
  /** The secret of the browser's session, for what concerns all but this session. */
  secretOf(request: FastifyRequest): string | null;
  /** Gives the browser a session that was started already; the one that it had is ended. */
  adopt(request: FastifyRequest, reply: FastifyReply, started: StartedSession): Promise<void>;
  /** Ends the session in every process, and deletes the cookie. */
  end(request: FastifyRequest, reply: FastifyReply): Promise<void>;
}

/** 32 bytes in base64url. */
const SECRET = /^[\w-]{43}$/;

/** In characters. */
const MAX_DISPLAY_NAME = 200;

export function openSessions({
  sessionStore,
  publicUrl,
  knownBrowsers,
}: {
  readonly sessionStore: SessionStore;
  readonly publicUrl: string;
  /** Absent where nobody signs in, and sessions are only read. */
  readonly knownBrowsers?: KnownBrowsers;
}): Sessions {
  const { name, attributes } = cookieFor(publicUrl, 'docloom-session');
  // A release before 0.2.0 keeps whole sessions in this cookie, and may run beside this one.
  const earlier = cookieFor(publicUrl, 'docloom');
  const found = new WeakMap<FastifyRequest, Promise<Session | null>>();

  function secretOf(request: FastifyRequest): string | null {
    const value = request.cookies[name];
    return value !== undefined && SECRET.test(value) ? value : null;
  }

  async function adopt(
    request: FastifyRequest,
    reply: FastifyReply,
    { secret, expiresAt }: StartedSession,
  ): Promise<void> {
    const before = secretOf(request);
    if (before !== null) await sessionStore.end(before, originOf(request));
    reply.setCookie(name, secret, { ...attributes, expires: expiresAt });
  }

  return {
    read(request) {
      const known = found.get(request);
      if (known !== undefined) return known;
      const secret = secretOf(request);
      const session = secret === null ? Promise.resolve(null) : sessionStore.find(secret);
      found.set(request, session);
      return session;
    },
    async isOpen(request) {
      const secret = secretOf(request);
      return secret !== null && (await sessionStore.isOpen(secret));
    },
    async startWithToken(request, reply, { token, displayName }) {
      const owner = { token, displayName: displayName.slice(0, MAX_DISPLAY_NAME) };
      await adopt(request, reply, await sessionStore.startWithToken(owner, originOf(request)));
    },
    async start(request, reply, signIn) {
      await adopt(request, reply, await sessionStore.start(signIn, originOf(request)));
      if (mayChangeAccount(signIn)) knownBrowsers?.remember(request, reply, signIn.userId);
    },
    adopt,
    secretOf,
    async end(request, reply) {
      const secret = secretOf(request);
      if (secret !== null) await sessionStore.end(secret, originOf(request));
      reply.clearCookie(name, attributes).clearCookie(earlier.name, earlier.attributes);
    },
  };
}

/** Where a browser's request comes from, for the audit log and the limits of attempts. */
export function originOf(request: FastifyRequest): RequestOrigin {
  return {
    address: request.ip,
    userAgent: request.headers['user-agent'] ?? null,
    requestId: request.id.slice(0, 100),
  };
}
