import type { FastifyReply, FastifyRequest } from 'fastify';

/** Sign-ins that may be open in one browser at once, each in its own tab. */
const MOST_OPEN = 5;

/** In seconds: as long as their requests. */
const LIFETIME = 600;

/** 32 bytes in base64url. */
const SECRET = /^[\w-]{43}$/;

/** The secrets of sign-ins that a browser began at providers: only that browser can end them. */
export interface OpenSignIns {
  secretsOf(request: FastifyRequest): readonly string[];
  add(request: FastifyRequest, reply: FastifyReply, secret: string): void;
}

export function openSignInsCookie(
  name: string,
  attributes: {
    readonly path: string;
    readonly httpOnly: boolean;
    readonly secure: boolean;
    readonly sameSite: 'none' | 'lax';
  },
): OpenSignIns {
  const secretsOf = (request: FastifyRequest) =>
    (request.cookies[name] ?? '')
      .split('.')
      .filter((secret) => SECRET.test(secret))
      .slice(0, MOST_OPEN);
  return {
    secretsOf,
    add(request, reply, secret) {
      const open = [secret, ...secretsOf(request)].slice(0, MOST_OPEN);
      reply.setCookie(name, open.join('.'), { ...attributes, maxAge: LIFETIME });
    },
  };
}
