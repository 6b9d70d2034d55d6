import {
  type Db,
  findTokenOwner,
  listTokenRows,
  markTokenRevoked,
  type TokenRow,
} from '../../store/index.ts';
import { hashToken, isTokenShaped } from './token-text.ts';

export { createToken, type NewToken, UnknownOrganization } from './create-token.ts';

/** The tokens' names and dates, oldest first. */
export async function listTokens(db: Db): Promise<readonly TokenRow[]> {
  return await listTokenRows(db);
}

/** Revokes a token at once. Returns false if there is none with this id. */
export async function revokeToken(db: Db, id: string): Promise<boolean> {
  return await markTokenRevoked(db, id);
}

/** Whether a token was created here and is not revoked. */
export async function isLiveToken(db: Db, token: string): Promise<boolean> {
  return isTokenShaped(token) && (await findTokenOwner(db, hashToken(token))) !== null;
}
