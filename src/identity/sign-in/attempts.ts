import { isIPv6 } from 'node:net';
import {
  clearSignInFailures,
  countSignInAttempt,
  type Db,
  findSignInLock,
  type LockoutRule,
  uncountSignInAttempt,
} from '../../store/index.ts';
import { hashToken } from '../token-text.ts';

/** Somebody has to wait before the next attempt. The sentence says nothing about accounts. */
export class TooManyAttempts extends Error {
  override readonly name = 'TooManyAttempts';
  readonly until: Date;

  constructor(until: Date, now: Date) {
    const seconds = Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000));
    const pause =
      seconds < 60 ? `${seconds} seconds` : seconds < 120 ? '1 minute' : `${Math.ceil(seconds / 60)} minutes`;
    super(`There were too many attempts. Try again in ${pause}.`);
    this.until = until;
  }
}

/** An account is locked early, but never for long: others can lock it, too. */
const ACCOUNT: LockoutRule = { free: 5, forgetOneAfter: null, firstPause: 30, longestPause: 15 * 60 };
/** Many people may share a network address: what they mistype over a day must not add up, nor lock the others for long. */
const ADDRESS: LockoutRule = { free: 20, forgetOneAfter: 3 * 60, firstPause: 30, longestPause: 15 * 60 };
/** Of an account at a network address only the first failure in an hour counts for the address. */
const PAIR: LockoutRule = { free: 1, forgetOneAfter: null, firstPause: 60 * 60, longestPause: 60 * 60 };
/** Mails that somebody requests, for whomever. */
const MAILS: LockoutRule = { free: 10, forgetOneAfter: 6 * 60, firstPause: 60, longestPause: 60 * 60 };
/** Addresses of links that do not work. Programs that scan mails read each several times. */
const LINKS: LockoutRule = { free: 50, forgetOneAfter: 60, firstPause: 30, longestPause: 60 * 60 };

/** Addresses of invitations that somebody tries, and accounts that they make with one. */
const INVITES: LockoutRule = { free: 50, forgetOneAfter: 60, firstPause: 30, longestPause: 60 * 60 };

/**
 * Sign-ins at a provider that a network address began and did not end: a whole company may have one address, and begin its
 * day there. Each window of ten minutes counts anew.
 */
const STARTS: LockoutRule = { free: 500, forgetOneAfter: null, firstPause: 30, longestPause: 10 * 60 };
const STARTS_MS = 10 * 60_000;
/** Searches for the single sign-on of an address, in the same windows. */
const SEARCHES: LockoutRule = { free: 500, forgetOneAfter: null, firstPause: 30, longestPause: 10 * 60 };
/** Refused answers of a network address, and those to all of a provider that the audit log has, in each hour. */
const REFUSED: LockoutRule = { free: 20, forgetOneAfter: null, firstPause: 30, longestPause: 60 * 60 };
const RECORDED: LockoutRule = { free: 200, forgetOneAfter: null, firstPause: 60 * 60, longestPause: 60 * 60 };
/** Says once in the hour that more were refused. */
const LEFT_OUT: LockoutRule = { free: 1, forgetOneAfter: null, firstPause: 60 * 60, longestPause: 60 * 60 };
const REFUSED_MS = 60 * 60_000;

/** An attempt to sign in that was counted as a failure until it succeeds. */
export interface Attempt {
  /** Takes back what was counted. */
  succeed(db: Db): Promise<void>;
}

/** A browser in which somebody signed in before. */
export interface KnownBrowser {
  readonly userId: string;
  readonly id: string;
}

/**
 * Counts an attempt for an account, whether it exists or not, and for a network address: there by how many accounts it
 * tries, so that nobody who mistypes their own password locks out others. @throws {TooManyAttempts} when either is locked.
 */
export async function beginAttempt(
  db: Db,
  { email, address }: { readonly email: string; readonly address: string | null },
  now: Date,
): Promise<Attempt> {
  const network = networkOf(address);
  const keys = {
    address: keyOf('address', network),
    account: keyOf('account', email),
    pair: keyOf('account at address', `${network} ${email}`),
  };
  const locked = await findSignInLock(db, keys.address, now);
  if (locked !== null) throw new TooManyAttempts(locked, now);
  const isFirst = (await countSignInAttempt(db, keys.pair, PAIR, now)) === null;
  if (isFirst) await count(db, keys.address, ADDRESS, now);
  await count(db, keys.account, ACCOUNT, now);
  return {
    async succeed(tx) {
      await uncountSignInAttempt(tx, keys.address);
      await clearSignInFailures(tx, keys.pair);
      await clearSignInFailures(tx, keys.account);
    },
  };
}

/**
 * Counts an attempt of somebody in a browser in which they signed in before, for that browser alone: what strangers, or
 * others at the same network address, do to an account locks out nobody who is known. @throws {TooManyAttempts}
 */
export async function beginKnownAttempt(db: Db, { userId, id }: KnownBrowser, now: Date): Promise<Attempt> {
  const key = keyOf('known browser', `${userId} ${id}`);
  await count(db, key, ACCOUNT, now);
  return { succeed: (tx) => clearSignInFailures(tx, key) };
}

/**
 * Counts a try of a recovery code for a network address, apart from passwords, and not for the account: nobody guesses one of
 * 100 bits, and whoever knows an administrator’s address must not be able to lock this last way in. @throws {TooManyAttempts}
 */
export async function beginRecoveryAttempt(db: Db, address: string | null, now: Date): Promise<Attempt> {
  const key = keyOf('recovery codes', networkOf(address));
  await count(db, key, ADDRESS, now);
  return { succeed: (tx) => uncountSignInAttempt(tx, key) };
}

/** Counts the use or the reading of a link for a network address, as one that does not work. @throws {TooManyAttempts} */
export async function beginLinkAttempt(db: Db, address: string | null, now: Date): Promise<Attempt> {
  const key = keyOf('links', networkOf(address));
  await count(db, key, LINKS, now);
  return { succeed: (tx) => uncountSignInAttempt(tx, key) };
}

/** Counts a use of an invitation's address as a failure until it succeeds. @throws {TooManyAttempts} */
export async function beginInviteAttempt(db: Db, address: string | null, now: Date): Promise<Attempt> {
  const key = keyOf('invites', networkOf(address));
  await count(db, key, INVITES, now);
  return { succeed: (tx) => uncountSignInAttempt(tx, key) };
}

/** Counts a mail that somebody requests. @throws {TooManyAttempts} */
export async function countMailRequest(db: Db, address: string | null, now: Date): Promise<void> {
  await count(db, keyOf('mails', networkOf(address)), MAILS, now);
}

/** Counts a sign-in that somebody begins at a provider. @throws {TooManyAttempts} */
export async function countSignInStart(db: Db, address: string | null, now: Date): Promise<void> {
  await count(db, startsKey(address, now), STARTS, now);
}

/** Counts a search for the providers of an e-mail domain. @throws {TooManyAttempts} */
export async function countLoginSearch(db: Db, address: string | null, now: Date): Promise<void> {
  const key = keyOf('login searches', `${windowOf(now, STARTS_MS)} ${networkOf(address)}`);
  await count(db, key, SEARCHES, now);
}

/** A sign-in that was begun ended well, so that it does not count. */
export async function uncountSignInStart(db: Db, address: string | null, now: Date): Promise<void> {
  await uncountSignInAttempt(db, startsKey(address, now));
}

/**
 * How the audit log takes a refused answer. Strangers with many addresses must not fill it; what is left out is said once in
 * each hour.
 */
export type Recording = 'recorded' | 'first-left-out' | 'left-out';

/** Counts an answer that a provider's service refused. @throws {TooManyAttempts} when the network address had too many */
export async function countRefusedAnswer(
  db: Db,
  { providerId, address }: { readonly providerId: string; readonly address: string | null },
  now: Date,
): Promise<Recording> {
  const window = windowOf(now, REFUSED_MS);
  await count(db, keyOf('refused answers', `${window} ${networkOf(address)}`), REFUSED, now);
  return await countRecorded(db, `refused answers to ${window} ${providerId}`, now);
}

/**
 * Counts somebody whom a provider signed in, and who may not come in here: apart from answers that anybody can send, which
 * would hide them in the audit log otherwise.
 */
export async function countRefusedAdmission(db: Db, providerId: string, now: Date): Promise<Recording> {
  return await countRecorded(db, `refused admissions ${windowOf(now, REFUSED_MS)} ${providerId}`, now);
}

async function countRecorded(db: Db, what: string, now: Date): Promise<Recording> {
  if ((await countSignInAttempt(db, hashToken(what), RECORDED, now)) === null) return 'recorded';
  const isFirst = (await countSignInAttempt(db, keyOf('left out', what), LEFT_OUT, now)) === null;
  return isFirst ? 'first-left-out' : 'left-out';
}

function startsKey(address: string | null, now: Date): string {
  return keyOf('sign-in starts', `${windowOf(now, STARTS_MS)} ${networkOf(address)}`);
}

function windowOf(now: Date, ms: number): number {
  return Math.floor(now.getTime() / ms);
}

async function count(db: Db, key: string, rule: LockoutRule, now: Date): Promise<void> {
  const locked = await countSignInAttempt(db, key, rule, now);
  if (locked !== null) throw new TooManyAttempts(locked.lockedUntil, now);
}

function keyOf(kind: string, value: string): string {
  return hashToken(`${kind} ${value}`);
}

/** One customer of a network has a whole /64 of IPv6. */
export function networkOf(address: string | null): string {
  if (address === null || !isIPv6(address)) return address ?? 'unknown';
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [head = '', tail = ''] = (address.split('%')[0] ?? '').split('::');
  const first = head === '' ? [] : head.split(':');
  const last = tail === '' ? [] : tail.split(':');
  const groups = address.includes('::')
    ? [...first, ...Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => '0'), ...last]
    : first;
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
