import { findBearer } from '../../identity/index.ts';
import { type AuditActor, type Db, loadApiToken, type RequestOrigin } from '../../store/index.ts';
import { bearerOf } from '../access/authenticate.ts';
import { toCaller } from '../access/caller.ts';
import { ScimError } from './scim-error.ts';

/** Who keeps the people of an organization up to date: an identity provider with a token that an administrator made. */
export interface Provisioner {
  readonly organizationId: string;
  readonly actor: AuditActor;
}

/**
 * Whom the bearer token lets in. It is worth what its maker may do now: when they are no administrator any more, or the
 * organization takes only a single sign-on that they had not passed when they made it, it opens nothing.
 *
 * @throws ScimError 401 for every other credential, 403, or 404 for another organization, whether there is such a one or not
 */
export async function authenticateProvisioner(
  db: Db,
  header: string | undefined,
  organizationId: string,
  origin: RequestOrigin,
): Promise<Provisioner> {
  const text = bearerOf(header);
  const owner = text === null ? null : await findBearer(db, text);
  if (owner?.scope !== 'scim' || owner.tokenId === null)
    throw new ScimError(
      401,
      null,
      'Provisioning needs a token that an administrator of the organization made for it, sent as Authorization: Bearer <token>; this one is missing, unknown, revoked or for something else.',
    );
  if (owner.expiredAt !== null)
    throw new ScimError(401, null, `The token expired at ${owner.expiredAt.toISOString()}; make a new one.`);
  if (owner.organizationId !== organizationId)
    throw new ScimError(404, null, 'There is no organization at this address that the token opens.');
  const caller = toCaller(owner, origin);
  if (caller.needsSso(organizationId))
    throw new ScimError(
      403,
      null,
      'The organization takes only single sign-on, and this token was made without it; make a new one after signing in that way.',
    );
  if (caller.roleIn(organizationId) !== 'admin')
    throw new ScimError(
      403,
      null,
      'Who made this token is no administrator of the organization any more; let one make a new token.',
    );
  const token = await loadApiToken(db, owner.tokenId);
  return {
    organizationId,
    actor: {
      kind: 'provider',
      id: owner.tokenId,
      name: token?.name ?? null,
      tokenId: owner.tokenId,
      ...origin,
    },
  };
}
