import { findBearer } from '../../identity/index.ts';
import { type Database, type RequestOrigin, recordMemberSeenHourly } from '../../store/index.ts';
import { ApiError } from '../api/api-error.ts';
import { type Caller, toCaller } from './caller.ts';

/**
 * Returns the caller named by the `Authorization: Bearer` header (RFC 6750): the owner of an API token, or of the session
 * of a browser for which a page calls. Throws a 401 that does not reveal whether a token ever existed. The lookup is by the
 * token's hash, so its timing reveals nothing about other tokens.
 */
export async function authenticate(
  db: Database,
  header: string | undefined,
  origin: RequestOrigin,
): Promise<Caller> {
  const token = bearerOf(header);
  if (token === null) {
    throw new ApiError('token-missing', 'This API needs a token: send it as Authorization: Bearer <token>.');
  }
  const owner = await findBearer(db, token);
  if (owner?.scope !== 'api') {
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
  return toCaller(owner, origin, (organizationId) => {
    // Nobody waits for it, and their next request records it when this one cannot.
    recordMemberSeenHourly(db, organizationId, owner.userId).catch(() => {});
  });
}

/** The token of an `Authorization` header; null when it has none. */
export function bearerOf(header: string | undefined): string | null {
  return /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1] ?? null;
}
