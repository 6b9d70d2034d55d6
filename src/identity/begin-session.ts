import { randomBytes } from 'node:crypto';
import { type Db, insertSession, newId, type RequestOrigin } from '../store/index.ts';
import { hashToken } from './token-text.ts';

/** A session that was begun. Only a hash of the secret is stored. */
export interface StartedSession {
  readonly secret: string;
  readonly expiresAt: Date;
}

/** The longest part of a browser's own description that is stored, in characters. */
const MAX_USER_AGENT = 300;

/** What a browser calls itself, as far as it is stored. */
export function storedUserAgent({ userAgent }: Pick<RequestOrigin, 'userAgent'>): string | null {
  return userAgent?.slice(0, MAX_USER_AGENT).toWellFormed() ?? null;
}

/** Begins a session with a new secret of 256 bits. Whoever calls this records it in the audit log. */
export async function beginSession(
  tx: Db,
  session: Omit<Parameters<typeof insertSession>[1], 'id' | 'hash' | 'address' | 'userAgent'> & {
    readonly userId: string | null;
  },
  origin: RequestOrigin,
  at: Date,
): Promise<StartedSession & { readonly id: string }> {
  const secret = randomBytes(32).toString('base64url');
  const id = newId();
  const { address } = origin;
  const row = { ...session, id, hash: hashToken(secret), address, userAgent: storedUserAgent(origin) };
  return { id, secret, ...(await insertSession(tx, row, at)) };
}
