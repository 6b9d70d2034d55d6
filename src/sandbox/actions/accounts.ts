import { createHash, randomBytes } from 'node:crypto';
import type { ForgeContext } from '../forge-context.ts';
import { timestamp } from '../forge-context.ts';
import { findAccount } from '../state/find-records.ts';
import type { AccountRecord, TokenRecord } from '../state/records.ts';

const LOGIN = /^[a-z\d](?:-?[a-z\d]){0,38}(?:\[bot\])?$/i;

/** The account of this login, created when it is new. Throws for a login that GitHub would not accept. */
export function ensureAccount(
  context: Pick<ForgeContext, 'data' | 'nextId' | 'now'>,
  login: string,
  type: AccountRecord['type'] = 'User',
): AccountRecord {
  const known = findAccount(context.data, login);
  if (known) return known;
  if (!LOGIN.test(login)) {
    throw new Error(
      `"${login}" cannot be a login: use letters, digits and single hyphens, 39 characters at most.`,
    );
  }
  const id = context.nextId();
  const account: AccountRecord = {
    id,
    login,
    type,
    email: `${id}+${login}@users.noreply.localhost`,
    createdAt: timestamp(context.now()),
  };
  context.data.accounts.push(account);
  return account;
}

function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Creates a token, stores its hash, and returns its text, which is not stored. Deletes expired tokens. */
export function issueToken(
  context: Pick<ForgeContext, 'data' | 'now'>,
  prefix: 'ghp_' | 'ghs_' | 'ghu_',
  record: Omit<TokenRecord, 'hash'>,
): string {
  const token = prefix + randomBytes(27).toString('base64url').replace(/[-_]/g, 'x');
  const now = timestamp(context.now());
  const { data } = context;
  data.tokens = data.tokens.filter((candidate) => candidate.expiresAt === null || candidate.expiresAt > now);
  data.tokens.push({ hash: hashToken(token), ...record });
  return token;
}

/** The record of a valid token. */
export function findToken(
  context: Pick<ForgeContext, 'data' | 'now'>,
  token: string,
): TokenRecord | undefined {
  const hash = hashToken(token);
  const found = context.data.tokens.find((candidate) => candidate.hash === hash);
  return found?.expiresAt && found.expiresAt <= timestamp(context.now()) ? undefined : found;
}

/** Revokes a token. */
export function deleteToken({ data }: Pick<ForgeContext, 'data'>, token: string): void {
  const hash = hashToken(token);
  data.tokens = data.tokens.filter((candidate) => candidate.hash !== hash);
}
