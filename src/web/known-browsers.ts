import type { FastifyReply, FastifyRequest } from 'fastify';
import type { KnownBrowser } from '../identity/index.ts';
import type { CookieSealer } from './deps.ts';
import { openSealedCookie } from './sealed-cookie.ts';

/** In seconds: half a year since the last sign-in. */
const LIFETIME = 180 * 24 * 60 * 60;

/** People who may share a browser. */
const MOST = 5;

/** Browsers in which people have signed in: a sealed cookie says whose they are, and signs nobody in. */
export interface KnownBrowsers {
  read(request: FastifyRequest): readonly KnownBrowser[];
  /** Makes the browser one of this user, who has just signed in. */
  remember(request: FastifyRequest, reply: FastifyReply, userId: string): void;
}

export function openKnownBrowsers({
  sealer,
  publicUrl,
  now = () => new Date(),
}: {
  readonly sealer: CookieSealer;
  readonly publicUrl: string;
  readonly now?: () => Date;
}): KnownBrowsers {
  const cookie = openSealedCookie<{ readonly known: readonly KnownBrowser[] }>({
    sealer,
    publicUrl,
    now,
    name: 'docloom-known',
    kind: 'known-browser',
    lifetimeSeconds: LIFETIME,
  });
  const read = (request: FastifyRequest) => cookie.read(request)?.known ?? [];

  return {
    read,
    remember(request, reply, userId) {
      const known = read(request);
      const own = known.find((one) => one.userId === userId) ?? { userId, id: crypto.randomUUID() };
      cookie.write(reply, { known: [own, ...known.filter((one) => one !== own)].slice(0, MOST) });
    },
  };
}
