import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CookieSealer } from './deps.ts';

/** A value in a cookie that the browser can neither read nor change. */
export interface SealedCookie<T> {
  /** Null when there is none, or it is forged, expired, sealed with an older key, or of another kind. */
  read(request: FastifyRequest): T | null;
  write(reply: FastifyReply, value: T): void;
  clear(reply: FastifyReply): void;
}

export interface SealedCookieOptions {
  readonly sealer: CookieSealer;
  readonly publicUrl: string;
  readonly now: () => Date;
  readonly name: string;
  /** Distinguishes it from other values that are sealed with the same key. */
  readonly kind: string;
  readonly lifetimeSeconds: number;
}

/** The name and attributes of a cookie: `HttpOnly`, `SameSite=Lax` (so that it is sent when a link of another site is opened), and `Secure` over https. */
export function cookieFor(publicUrl: string, name: string) {
  const secure = new URL(publicUrl).protocol === 'https:';
  return {
    // The prefix makes browsers refuse the cookie from a subdomain or over http (RFC 6265bis, section 4.1.3.2).
    name: secure ? `__Host-${name}` : name,
    attributes: { path: '/', httpOnly: true, sameSite: 'lax', secure },
  } as const;
}

export function openSealedCookie<T extends object>(options: SealedCookieOptions): SealedCookie<T> {
  const { sealer, now, kind, lifetimeSeconds } = options;
  const { name, attributes } = cookieFor(options.publicUrl, options.name);

  return {
    read(request) {
      const sealed = request.cookies[name];
      if (sealed === undefined) return null;
      try {
        const content = JSON.parse(sealer.unseal(sealed)) as T & { kind?: unknown; at: number };
        const isFresh = now().getTime() - content.at < lifetimeSeconds * 1000;
        return content.kind === kind && isFresh ? content : null;
      } catch {
        return null;
      }
    },
    write(reply, value) {
      const text = JSON.stringify({ ...value, kind, at: now().getTime() });
      reply.setCookie(name, sealer.seal(text), { ...attributes, maxAge: lifetimeSeconds });
    },
    clear(reply) {
      reply.clearCookie(name, attributes);
    },
  };
}
