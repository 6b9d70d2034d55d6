import {
  type AuditActor,
  type Db,
  findSessionOwner,
  findTokenOwner,
  type TokenOwner,
} from '../store/index.ts';
import { hashToken, isTokenShaped, sessionSecretOf } from './token-text.ts';

/** Whom a bearer token stands for, that of a session too; null for one that is unknown, was revoked or is over. */
export async function findBearer(db: Db, token: string): Promise<TokenOwner | null> {
  const secret = sessionSecretOf(token);
  if (secret !== null) return await findSessionOwner(db, hashToken(secret), new Date());
  return isTokenShaped(token) ? await findTokenOwner(db, hashToken(token)) : null;
}

/** The same for the audit log; also null for a token that has expired. */
export async function findActor(db: Db, token: string): Promise<AuditActor | null> {
  const owner = await findBearer(db, token);
  if (owner === null || owner.expiredAt !== null) return null;
  const { userId, displayName, tokenId, sessionId } = owner;
  return { kind: 'user', id: userId, name: displayName, tokenId, sessionId };
}

/** The owner of a token that was created here and is neither revoked nor expired; null for any other text. */
export async function findLiveToken(
  db: Db,
  token: string,
): Promise<Pick<TokenOwner, 'tokenId' | 'userId' | 'ssoOrganizationId'> | null> {
  const owner = isTokenShaped(token) ? await findTokenOwner(db, hashToken(token)) : null;
  return owner?.expiredAt === null ? owner : null;
}
