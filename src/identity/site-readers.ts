import { randomBytes } from 'node:crypto';
import {
  type Database,
  findOwnerOfSession,
  findSignInRequest,
  insertSignInRequest,
  type Sealer,
  type TokenOwner,
  useSignInRequest,
} from '../store/index.ts';
import { findBearer } from './find-bearer.ts';
import { hashToken } from './token-text.ts';

/** Where a member reads: a host of an organization's sites, which never sees the session of the pages. */
export interface ReaderPlace {
  /** Without a port. */
  readonly host: string;
  readonly organizationId: string;
}

/**
 * Hands a session over to a host of sites, as the right to read what its organization has not published: the pages give a
 * ticket, which the host takes once, within a minute, from the browser that asked for it, and exchanges for a cookie of
 * its own. Everything the cookie opens ends with the session, in every process.
 */
export interface SiteReaders {
  /** The browser has the secret whose hash `browserHash` is. Null where the session is over. */
  issueTicket(
    sessionToken: string,
    place: ReaderPlace,
    ask: { readonly browserHash: string; readonly returnTo: string },
  ): Promise<string | null>;
  /** Null for a ticket that is unknown, used, over, of another host, or asked for by another browser. */
  redeemTicket(
    ticket: string,
    at: { readonly host: string; readonly browserSecret: string | null },
  ): Promise<{ readonly cookie: string; readonly returnTo: string } | null>;
  /** Whose session a cookie stands for at a place; null where it is over. */
  findReader(cookie: string, place: ReaderPlace): Promise<TokenOwner | null>;
}

const KIND = 'site';
const TICKET_MS = 60_000;

/** What is sealed in a ticket's row and in a cookie. */
interface Handover extends ReaderPlace {
  readonly kind: 'site-ticket' | 'site-reader';
  readonly sessionId: string;
}

export function openSiteReaders({
  db,
  sealer,
  now = () => new Date(),
}: {
  readonly db: Database;
  readonly sealer: Sealer;
  readonly now?: () => Date;
}): SiteReaders {
  const seal = (handover: Handover) => sealer.seal(JSON.stringify(handover));

  function unseal(sealed: string | null, kind: Handover['kind']): Handover | null {
    if (sealed === null || sealed.length > MAX_SEALED) return null;
    try {
      const content = JSON.parse(sealer.unseal(sealed)) as Handover;
      return content.kind === kind ? content : null;
    } catch {
      return null;
    }
  }

  return {
    async issueTicket(sessionToken, { host, organizationId }, { browserHash, returnTo }) {
      const owner = await findBearer(db, sessionToken);
      const sessionId = owner?.sessionId ?? null;
      if (sessionId === null) return null;
      const ticket = randomBytes(32).toString('base64url');
      await insertSignInRequest(db, {
        hash: hashToken(ticket),
        kind: KIND,
        browserHash,
        returnTo,
        sealedSecrets: seal({ kind: 'site-ticket', sessionId, host, organizationId }),
        createdAt: now(),
        expiresAt: new Date(now().getTime() + TICKET_MS),
      });
      return ticket;
    },

    async redeemTicket(ticket, { host, browserSecret }) {
      const row = await findSignInRequest(db, hashToken(ticket));
      const handover = row?.kind === KIND ? unseal(row.sealedSecrets, 'site-ticket') : null;
      if (row === null || handover === null || handover.host !== host) return null;
      if (browserSecret === null || hashToken(browserSecret) !== row.browserHash) return null;
      if (!(await useSignInRequest(db, row.hash, now()))) return null;
      return { cookie: seal({ ...handover, kind: 'site-reader' }), returnTo: row.returnTo ?? '/' };
    },

    async findReader(cookie, { host, organizationId }) {
      const handover = unseal(cookie, 'site-reader');
      if (handover === null || handover.host !== host || handover.organizationId !== organizationId)
        return null;
      return await findOwnerOfSession(db, handover.sessionId, now());
    },
  };
}

/** In characters. */
const MAX_SEALED = 2_000;
