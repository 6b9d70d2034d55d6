import { randomBytes } from 'node:crypto';
import {
  type Account,
  countSignInLinks,
  type Db,
  findSignInLink,
  insertSignInLink,
  type LinkPurpose,
  type RequestOrigin,
} from '../../store/index.ts';
import { beginLinkAttempt } from '../sign-in/attempts.ts';
import { hashToken } from '../token-text.ts';
import type { AccountParts } from './account-steps.ts';

/** In minutes: links that sign in or set a password; and in hours: those that confirm an address. */
const LINK_MINUTES = 15;
const VERIFICATION_HOURS = 24;
/** Links of one user in an hour, so that nobody's mailbox is filled. */
export const LINKS_PER_HOUR = 5;

/** Where each kind of link leads. */
export const LINK_PATHS: Readonly<Record<LinkPurpose, string>> = {
  'sign-in': '/login/mail',
  password: '/login/new-password',
  'verify-email': '/login/verify-email',
  'change-email': '/login/change-email',
};

/** Mails an account a link of its own, which works once. */
export async function mailLink(
  { mailer, publicUrl, now }: AccountParts,
  tx: Db,
  {
    account,
    purpose,
    returnTo,
  }: { account: Account; purpose: Exclude<LinkPurpose, 'change-email'>; returnTo: string | null },
): Promise<void> {
  const [secret, at] = [randomBytes(32).toString('base64url'), now()];
  const minutes = purpose === 'verify-email' ? VERIFICATION_HOURS * 60 : LINK_MINUTES;
  const expiresAt = new Date(at.getTime() + minutes * 60_000);
  const { userId, email } = account;
  await insertSignInLink(tx, {
    hash: hashToken(secret),
    purpose,
    userId,
    email,
    returnTo,
    createdAt: at,
    expiresAt,
  });
  const common = { to: email, expiresAt };
  const url = `${publicUrl}${LINK_PATHS[purpose]}?key=${secret}`;
  if (purpose === 'verify-email')
    await mailer.enqueue(tx, {
      ...common,
      template: 'verify-email',
      values: { url, hours: VERIFICATION_HOURS },
    });
  else
    await mailer.enqueue(tx, {
      ...common,
      template: purpose === 'sign-in' ? 'sign-in' : 'reset-password',
      values: { url, minutes: LINK_MINUTES },
    });
}

/**
 * Looks up a link that somebody opened, without using it up; `query` finds it again to use it. Null when it was used, has
 * expired, or never was, which counts as an attempt to guess one.
 *
 * @throws {TooManyAttempts}
 */
export async function findLink(
  { db, now }: AccountParts,
  secret: string,
  purpose: LinkPurpose,
  { address }: RequestOrigin,
) {
  const attempt = await beginLinkAttempt(db, address, now());
  const query = { hash: hashToken(secret), purpose, now: now() };
  const link = await findSignInLink(db, query);
  if (link === null) return null;
  await attempt.succeed(db);
  return { ...link, query };
}

/** Whether a user got as many links in the last hour as anybody may get. */
export async function isFlooded(db: Db, userId: string, now: Date): Promise<boolean> {
  return (await countSignInLinks(db, userId, new Date(now.getTime() - 60 * 60_000))) >= LINKS_PER_HOUR;
}
