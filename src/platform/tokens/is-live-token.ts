import type { Db } from '../../store/db.ts';
import { findTokenOwner } from '../../store/tokens.ts';
import { hashToken } from './token-text.ts';

/** Whether a token would be let in now: it exists and was not revoked. */
export async function isLiveToken(db: Db, token: string): Promise<boolean> {
  return (await findTokenOwner(db, hashToken(token))) !== null;
}
