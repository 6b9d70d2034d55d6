import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CookieSealer } from './deps.ts';

/** Who is signed in. The token stays on the server's side of the seal: browsers hold it encrypted. */
export interface Session {
  readonly token: string;
  readonly displayName: string;
}

export interface Sessions {
  /** Null when nobody is signed in, the cookie is forged, or it is too old. */
  read(request: FastifyRequest): Session | null;
  begin(reply: FastifyReply, session: Session): void;
  end(reply: FastifyReply): void;
}

/** After so many seconds people sign in again. */
const lifetime = 30 * 24 * 60 * 60;

/** Keeps sessions in one sealed cookie: `HttpOnly`, `SameSite=Lax`, and `Secure` where people come over https. */
export function openSessions(options: {
  readonly sealer: CookieSealer;
  readonly publicUrl: string;
  readonly now: () => Date;
}): Sessions {
  const { sealer, now } = options;
  const secure = new URL(options.publicUrl).protocol === 'https:';
  // The prefix makes browsers refuse the cookie from a subdomain or over http (RFC 6265bis, section 4.1.3.2).
  const name = secure ? '__Host-docloom' : 'docloom';
  const attributes = { path: '/', httpOnly: true, sameSite: 'lax', secure } as const;

  return {
    read(request) {
      const sealed = request.cookies[name];
      if (sealed === undefined) return null;
      const text = unsealOrNull(sealer, sealed);
      if (text === null) return null;
      const { token, displayName, at } = JSON.parse(text) as Session & { readonly at: number };
      return now().getTime() - at < lifetime * 1000 ? { token, displayName } : null;
    },
    begin(reply, { token, displayName }) {
      const text = JSON.stringify({ token, displayName: displayName.slice(0, 200), at: now().getTime() });
      reply.setCookie(name, sealer.seal(text), { ...attributes, maxAge: lifetime });
    },
    end(reply) {
      reply.clearCookie(name, attributes);
    },
  };
}

/** A cookie that this server did not seal, or sealed with an older key, is no session. */
function unsealOrNull(sealer: CookieSealer, sealed: string): string | null {
  try {
    return sealer.unseal(sealed);
  } catch {
    return null;
  }
}
