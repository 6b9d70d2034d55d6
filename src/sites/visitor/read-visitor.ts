import type { FastifyReply, FastifyRequest } from 'fastify';

/** The query parameters with which visitors come in; no page is shown at an address with one of them. */
const PARAMETERS = {
  shareKey: 'shareKey',
  token: 'jwt_token',
  unsigned: /^visitor\.([A-Za-z_]\w{0,63})$/,
} as const;

/** In characters; browsers send cookies with every request. */
const MAX_COOKIE = 3_500;

/** What a request brings along that may let its visitor in. */
export interface Visitor {
  /** In the address: from a link that was just opened. */
  readonly opened: Credentials;
  /** In cookies: from one that was opened before. */
  readonly known: Credentials;
  /** How often they were sent to sign in during the last minute. */
  readonly attempts: number;
  /** Whether they are signed in as a member who may see the site. Asked only where it matters. */
  isMember(): Promise<boolean>;
}

export interface Credentials {
  readonly shareKey: string | null;
  readonly token: string | null;
  readonly unsigned: Readonly<Record<string, unknown>>;
}

/** The cookies of one site: they are named after it, since sites may share a host. */
export class VisitorCookies {
  readonly #siteId: string;
  readonly #attributes: {
    readonly path: string;
    readonly httpOnly: true;
    readonly sameSite: 'lax';
    readonly secure: boolean;
  };

  /** @param path below which the site is reached */
  constructor(siteId: string, { path, secure }: { readonly path: string; readonly secure: boolean }) {
    this.#siteId = siteId;
    this.#attributes = { path, httpOnly: true, sameSite: 'lax', secure };
  }

  read({ cookies }: FastifyRequest, name: CookieName): string | null {
    const value = cookies[this.#nameOf(name)];
    return value === undefined || value.length > MAX_COOKIE ? null : value;
  }

  write(reply: FastifyReply, name: CookieName, value: string, maxAgeSeconds?: number): void {
    const maxAge = maxAgeSeconds === undefined ? {} : { maxAge: Math.max(0, Math.floor(maxAgeSeconds)) };
    reply.setCookie(this.#nameOf(name), value, { ...this.#attributes, ...maxAge });
  }

  #nameOf(name: CookieName): string {
    return `docloom-${name}-${this.#siteId}`;
  }
}

type CookieName = 'share' | 'visitor' | 'unsigned' | 'attempts';

export function readVisitor(
  request: FastifyRequest,
  cookies: VisitorCookies,
  isMember: () => Promise<boolean>,
): Visitor {
  return {
    opened: readOpened(request),
    known: {
      shareKey: cookies.read(request, 'share'),
      token: cookies.read(request, 'visitor'),
      unsigned: parseObject(cookies.read(request, 'unsigned')),
    },
    attempts: Number(cookies.read(request, 'attempts') ?? 0) || 0,
    isMember,
  };
}

/**
 * The same visitor by a program that is not to be redirected: what it brings along in its address, or as
 * `Authorization: Bearer`, counts for this request alone.
 */
export function asProgram({ opened, known, ...visitor }: Visitor, { headers }: FastifyRequest): Visitor {
  const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? null;
  return {
    ...visitor,
    opened: NO_CREDENTIALS,
    known: {
      shareKey: opened.shareKey ?? known.shareKey,
      token: bearer ?? opened.token ?? known.token,
      unsigned: { ...known.unsigned, ...opened.unsigned },
    },
  };
}

const NO_CREDENTIALS: Credentials = { shareKey: null, token: null, unsigned: {} };

/** What an address brings along. */
function readOpened(request: FastifyRequest): Credentials {
  if (!request.originalUrl.includes('?')) return NO_CREDENTIALS;
  const { searchParams } = urlOf(request);
  return {
    shareKey: searchParams.get(PARAMETERS.shareKey),
    token: searchParams.get(PARAMETERS.token),
    unsigned: Object.fromEntries(
      [...searchParams].flatMap(([name, value]) => {
        const claim = PARAMETERS.unsigned.exec(name)?.[1];
        return claim === undefined ? [] : [[claim, claimValue(value)]];
      }),
    ),
  };
}

/** Whether an address has a parameter of a visitor, which its page is shown without. */
export function bringsCredentials({ opened }: Visitor): boolean {
  return opened.shareKey !== null || opened.token !== null || Object.keys(opened.unsigned).length > 0;
}

/** The query of a request without what visitors come in with: empty, or with `?` at its beginning. */
export function ownQuery(request: FastifyRequest): string {
  const { searchParams } = urlOf(request);
  for (const name of [...searchParams.keys()]) {
    if (name === PARAMETERS.shareKey || name === PARAMETERS.token || PARAMETERS.unsigned.test(name)) {
      searchParams.delete(name);
    }
  }
  return searchParams.size === 0 ? '' : `?${searchParams}`;
}

function urlOf({ originalUrl }: FastifyRequest): URL {
  return new URL(originalUrl.replace(/^\/+/, '/'), 'http://site.invalid');
}

/** Booleans are written as words in addresses. */
function claimValue(text: string): unknown {
  return text === 'true' ? true : text === 'false' ? false : text;
}

function parseObject(text: string | null): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
  } catch {
    return {};
  }
}
