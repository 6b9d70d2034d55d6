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
      const content = sealed === undefined ? null : openSeal(sealer, sealed);
      if (content === null || now().getTime() - content.at >= lifetime * 1000) return null;
      return { token: content.token, displayName: content.displayName };
    },
    begin(reply, { token, displayName }) {
      const text = JSON.stringify({
        kind,
        token,
        displayName: displayName.slice(0, 200),
        at: now().getTime(),
      });
      reply.setCookie(name, sealer.seal(text), { ...attributes, maxAge: lifetime });
    },
    end(reply) {
      reply.clearCookie(name, attributes);
    },
  };
}

const kind = 'session';

/** What is under the seal; null for a cookie that this server did not seal, sealed with an older key, or for something else. */
function openSeal(sealer: CookieSealer, sealed: string): (Session & { readonly at: number }) | null {
  try {
    const content = JSON.parse(sealer.unseal(sealed)) as Record<string, unknown> | null;
    if (content?.['kind'] !== kind) return null;
    return content as unknown as Session & { readonly at: number };
  } catch {
    return null;
  }
}
