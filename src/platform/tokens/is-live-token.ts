import { type Db, findTokenOwner } from '../../store/index.ts';
import { hashToken, isTokenShaped } from './token-text.ts';

/** Whether a token opens anything: it was made here and was not revoked. */
export async function isLiveToken(db: Db, token: string): Promise<boolean> {
  return isTokenShaped(token) && (await findTokenOwner(db, hashToken(token))) !== null;
}
