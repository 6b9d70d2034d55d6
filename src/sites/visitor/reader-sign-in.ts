import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hashToken, type SiteReaders } from '../../identity/index.ts';
import { organizationOf, type PlatformDeps } from '../../platform/index.ts';
import { findOrganizationAt, findSiteByHostname } from '../../store/index.ts';
import type { SiteHosts } from '../site-hosts.ts';
import { answerRefusal } from '../surfaces/answer-refusal.ts';

/** Where members sign in at a host of sites, besides the pages of every site there. */
export const READER_PATH = '~/sign-in';

/** In characters. */
const MAX_PATH = 2_000;

const ASKING_SECONDS = 10 * 60;

/** The sessions of members at hosts of sites; see {@link SiteReaders}. */
export class ReaderSignIn {
  readonly #platform: Pick<PlatformDeps, 'db' | 'publicUrl' | 'sitesUrl'>;
  readonly #hosts: SiteHosts;
  readonly #readers: SiteReaders;
  readonly #cookie: {
    readonly path: '/';
    readonly httpOnly: true;
    readonly sameSite: 'lax';
    readonly secure: boolean;
  };
  readonly #names: { readonly asking: string; readonly reader: string };

  constructor(
    platform: Pick<PlatformDeps, 'db' | 'publicUrl' | 'sitesUrl'>,
    hosts: SiteHosts,
    readers: SiteReaders,
  ) {
    this.#platform = platform;
    this.#hosts = hosts;
    this.#readers = readers;
    const secure = platform.publicUrl.startsWith('https:');
    this.#cookie = { path: '/', httpOnly: true, sameSite: 'lax', secure };
    // The prefix makes browsers refuse the cookie from another host or over http.
    const prefix = secure ? '__Host-' : '';
    this.#names = { asking: `${prefix}docloom-asking`, reader: `${prefix}docloom-reader` };
  }

  /** Sends people to the pages of the team, and takes the ticket with which they come back. */
  async answer({
    request,
    reply,
  }: {
    readonly request: FastifyRequest;
    readonly reply: FastifyReply;
  }): Promise<void> {
    reply.headers({ 'cache-control': 'private, no-store', 'referrer-policy': 'no-referrer' });
    const { ticket, to } = request.query as Readonly<Record<string, unknown>>;
    const host = hostOf(request);
    if (typeof ticket !== 'string') {
      const secret = randomBytes(32).toString('base64url');
      reply.setCookie(this.#names.asking, secret, { ...this.#cookie, maxAge: ASKING_SECONDS });
      const address = new URL('/site-sign-in', this.#platform.publicUrl);
      address.searchParams.set('host', host);
      address.searchParams.set('browser', hashToken(secret));
      address.searchParams.set('to', ownPath(to));
      reply.redirect(address.href, 303);
      return;
    }
    const browserSecret = request.cookies[this.#names.asking] ?? null;
    const redeemed = await this.#readers.redeemTicket(ticket, { host, browserSecret });
    if (redeemed === null) return answerRefusal({ request, reply }, NOT_SIGNED_IN, '');
    reply.clearCookie(this.#names.asking, this.#cookie);
    reply.setCookie(this.#names.reader, redeemed.cookie, this.#cookie);
    reply.redirect(ownPath(redeemed.returnTo), 303);
  }

  /** Whose session a browser has at a host of sites, to read what an organization has not published; null for none. */
  async find(request: FastifyRequest, organizationId: string) {
    const cookie = request.cookies[this.#names.reader];
    if (cookie === undefined) return null;
    return await this.#readers.findReader(cookie, { host: hostOf(request), organizationId });
  }

  /** The address at a host of sites to which a session is handed over; null where it is over, or the host is not served. */
  async handOver(
    sessionToken: string,
    ask: { readonly host: string; readonly browserHash: string; readonly returnTo: string },
  ): Promise<string | null> {
    const place = await this.#placeOf(ask.host);
    if (place === null) return null;
    const ticket = await this.#readers.issueTicket(
      sessionToken,
      { ...place, host: ask.host },
      {
        browserHash: ask.browserHash,
        returnTo: ownPath(ask.returnTo),
      },
    );
    return ticket === null ? null : `${place.origin}/${READER_PATH}?ticket=${ticket}`;
  }

  async #placeOf(host: string): Promise<{ readonly organizationId: string; readonly origin: string } | null> {
    const { db, sitesUrl } = this.#platform;
    const found = this.#hosts.find(host);
    if (found === null) return null;
    if (found === 'site') {
      const site = await findSiteByHostname(db, host);
      return site && { organizationId: site.site.organizationId, origin: `https://${host}` };
    }
    const organization = await findOrganizationAt(db, organizationOf(found.organization));
    if (organization === null || sitesUrl === null) return null;
    return {
      organizationId: organization.id,
      origin: new URL(sitesUrl.replace('*', () => found.organization)).origin,
    };
  }
}

const NOT_SIGNED_IN = {
  status: 403,
  reason:
    'You were not signed in here: the way back is valid once, for a minute, and in the browser that asked. Open the page that you want to read, and sign in again.',
} as const;

function hostOf({ headers }: FastifyRequest): string {
  return (headers.host ?? '').toLowerCase().replace(/:\d+$/, '');
}

/** A path of the same host; the home page where it might lead elsewhere. */
function ownPath(to: unknown): string {
  if (typeof to !== 'string' || to.length > MAX_PATH || !/^\/(?![/\\])[^\s\\]*$/.test(to)) return '/';
  const url = URL.parse(to, 'http://site.invalid');
  return url?.host === 'site.invalid' && !url.pathname.startsWith('//') ? url.pathname + url.search : '/';
}
