import type { BodyOf, Operations } from '../../contract/index.ts';
import { DEFAULT_SCOPES } from '../../identity/index.ts';
import {
  type Db,
  diffFields,
  endProviderSessions,
  forgetProviderAccounts,
  type IdentityProviderRow,
  insertIdentityProvider,
  lockIdentityProvider,
  lockOrganization,
  newId,
  updateIdentityProvider,
} from '../../store/index.ts';
import type { Caller } from '../access/caller.ts';
import { notFound } from '../api/api-error.ts';
import type { PlatformDeps } from '../deps.ts';
import { recordProvider, requireOtherProvider, toNewcomerColumns } from './change-provider.ts';

type Deps = Pick<PlatformDeps, 'db' | 'sealer'>;
type Body = BodyOf<Operations['updateOidcProvider']>;

/** The public fields; whether there is a secret is one, the secret is none. */
const FIELDS = [
  'label',
  'issuer',
  'clientId',
  'hasClientSecret',
  'scopes',
  'defaultRole',
  'defaultTeamId',
  'status',
] as const;

export async function createOidcProvider(
  deps: Deps,
  caller: Caller,
  organizationId: string,
  body: BodyOf<Operations['createOidcProvider']>,
): Promise<IdentityProviderRow> {
  return await deps.db.transaction(async (tx) => {
    await lockOrganization(tx, organizationId);
    const row = await insertIdentityProvider(tx, {
      id: newId(),
      organizationId,
      kind: 'oidc',
      label: body.label,
      ...(await toColumns(deps, tx, caller, organizationId, body)),
    });
    const { label, issuer, clientId, defaultRole } = row;
    await recordProvider(tx, caller, row, 'create', { after: { label, issuer, clientId, defaultRole } });
    return row;
  });
}

export async function changeOidcProvider(
  deps: Deps,
  caller: Caller,
  { organizationId, id }: IdentityProviderRow,
  body: Body,
): Promise<IdentityProviderRow> {
  return await deps.db.transaction(async (tx) => {
    await lockOrganization(tx, organizationId);
    const before = await lockIdentityProvider(tx, id, 'no key update');
    if (before === null) throw notFound('OpenID Connect provider with this id in this organization');
    const columns = await toColumns(deps, tx, caller, organizationId, body);
    const isOther = columns.issuer !== undefined && columns.issuer !== before.issuer;
    const isBroken = columns.clientId === null;
    if ((isOther || isBroken) && before.status === 'active') await requireOtherProvider(tx, before);
    // Its subjects are other people, and the secret is for the provider before alone.
    const ended = isOther ? await forgetProviderAccounts(tx, id) : null;
    if (isBroken && !isOther) await endProviderSessions(tx, id);
    const after = await updateIdentityProvider(tx, id, {
      ...(isOther ? { sealedClientSecret: null } : {}),
      ...columns,
      ...(body.label === undefined ? {} : { label: body.label }),
      ...(isOther || isBroken ? { status: 'pending' } : {}),
    });
    if (after === null) throw notFound('OpenID Connect provider with this id in this organization');
    const diff = diffFields(withoutSecret(before), withoutSecret(after), FIELDS);
    const isNewSecret = body.clientSecret != null;
    if (diff !== null || isNewSecret)
      await recordProvider(tx, caller, after, 'update', {
        before: { ...diff?.before, ...ended },
        after: { ...diff?.after, ...(isNewSecret && { clientSecret: 'changed' }) },
      });
    return after;
  });
}

function withoutSecret({ sealedClientSecret, ...row }: IdentityProviderRow) {
  return { ...row, hasClientSecret: sealedClientSecret !== null };
}

async function toColumns({ sealer }: Deps, tx: Db, caller: Caller, organizationId: string, body: Body) {
  const { issuer, clientID, clientSecret, scopes } = body;
  return {
    ...(issuer === undefined ? {} : { issuer: issuer === '' ? null : issuer }),
    ...(clientID === undefined ? {} : { clientId: clientID === '' ? null : clientID }),
    ...(clientSecret === undefined
      ? {}
      : { sealedClientSecret: clientSecret === null ? null : sealer.seal(clientSecret) }),
    ...(scopes === undefined
      ? {}
      : { scopes: scopes.length === 0 ? [...DEFAULT_SCOPES] : [...new Set(['openid', ...scopes])] }),
    ...(await toNewcomerColumns(tx, caller, organizationId, body)),
  };
}
