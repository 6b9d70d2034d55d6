import { type Db, findTokenOwner } from '../../store/index.ts';
import { ApiError } from '../api/api-error.ts';
import { hashToken, isTokenShaped } from '../tokens/token-text.ts';
import { type Caller, toCaller } from './caller.ts';

/**
 * Returns the caller named by the `Authorization: Bearer` header (RFC 6750). Throws a 401 that does not reveal whether a
 * token ever existed. The lookup is by the token's hash, so its timing reveals nothing about other tokens.
 */
export async function authenticate(db: Db, header: string | undefined): Promise<Caller> {
  const token = /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1];
  if (token === undefined) {
    throw new ApiError('token-missing', 'This API needs a token: send it as Authorization: Bearer <token>.');
  }
  const owner = isTokenShaped(token) ? await findTokenOwner(db, hashToken(token)) : null;
  if (!owner) {
    throw new ApiError(
      'token-unknown',
      'The token is unknown or was revoked; create one with docloom token create.',
    );
  }
  if (owner.expiredAt !== null) {
    throw new ApiError(
      'token-expired',
      `The token expired at ${owner.expiredAt.toISOString()}; create one with docloom token create.`,
    );
  }
  return toCaller(owner);
}
