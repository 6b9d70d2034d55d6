import type { BrowserSession } from '../../contract/index.ts';
import type { SessionRow } from '../../store/index.ts';
import type { Caller } from '../access/caller.ts';

/** The public fields of a session, and whether it is the one that the caller uses. */
export function presentSession(row: SessionRow, caller: Caller): BrowserSession {
  return {
    object: 'session',
    id: row.id,
    provider: row.provider,
    ...(row.address === null ? {} : { address: row.address }),
    ...(row.userAgent === null ? {} : { userAgent: row.userAgent }),
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: row.lastUsedAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
    current: row.id === caller.actor.sessionId,
  };
}
