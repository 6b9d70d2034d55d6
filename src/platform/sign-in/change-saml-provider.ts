import type { BodyOf, Operations } from '../../contract/index.ts';
import { CertificateProblem, readCertificate } from '../../identity/index.ts';
import {
  type Db,
  diffFields,
  forgetProviderAccounts,
  type IdentityProviderRow,
  insertIdentityProvider,
  lockIdentityProvider,
  lockOrganization,
  newId,
  updateIdentityProvider,
} from '../../store/index.ts';
import type { Caller } from '../access/caller.ts';
import { invalid, notFound } from '../api/api-error.ts';
import type { PlatformDeps } from '../deps.ts';
import { recordProvider, requireOtherProvider, toNewcomerColumns } from './change-provider.ts';

type Body = BodyOf<Operations['updateSamlProvider']>;

const FIELDS = [
  'label',
  'entityId',
  'ssoUrl',
  'certificates',
  'defaultRole',
  'defaultTeamId',
  'status',
] as const;

export async function createSamlProvider(
  { db }: Pick<PlatformDeps, 'db'>,
  caller: Caller,
  organizationId: string,
  body: BodyOf<Operations['createSamlProvider']>,
): Promise<IdentityProviderRow> {
  return await db.transaction(async (tx) => {
    await lockOrganization(tx, organizationId);
    const row = await insertIdentityProvider(tx, {
      id: newProviderId(),
      organizationId,
      kind: 'saml',
      label: body.label,
      ...(await toColumns(tx, caller, organizationId, body, [])),
    });
    const { label, entityId, ssoUrl, defaultRole } = row;
    await recordProvider(tx, caller, row, 'create', { after: { label, entityId, ssoUrl, defaultRole } });
    return row;
  });
}

export async function changeSamlProvider(
  { db }: Pick<PlatformDeps, 'db'>,
  caller: Caller,
  { organizationId, id }: IdentityProviderRow,
  body: Body,
): Promise<IdentityProviderRow> {
  return await db.transaction(async (tx) => {
    await lockOrganization(tx, organizationId);
    const before = await lockIdentityProvider(tx, id, 'no key update');
    if (before === null) throw notFound('SAML provider with this id in this organization');
    const columns = await toColumns(tx, caller, organizationId, body, before.certificates);
    const isOther = columns.entityId !== undefined && columns.entityId !== before.entityId;
    const isBroken = columns.certificates?.length === 0;
    if ((isOther || isBroken) && before.status === 'active') await requireOtherProvider(tx, before);
    // The names that the provider before gave people mean others at the next one.
    const ended = isOther ? await forgetProviderAccounts(tx, id) : null;
    const after = await updateIdentityProvider(tx, id, {
      ...columns,
      ...(body.label === undefined ? {} : { label: body.label }),
      ...(isOther || isBroken ? { status: 'pending' } : {}),
    });
    if (after === null) throw notFound('SAML provider with this id in this organization');
    const diff = diffFields(before, after, FIELDS);
    if (diff !== null)
      await recordProvider(tx, caller, after, 'update', {
        before: { ...diff.before, ...ended },
        after: diff.after,
      });
    return after;
  });
}

async function toColumns(
  tx: Db,
  caller: Caller,
  organizationId: string,
  body: Body,
  certificates: readonly string[],
) {
  const { entityID, ssoURL } = body;
  return {
    ...(entityID === undefined ? {} : { entityId: entityID.trim() || null }),
    ...(ssoURL === undefined ? {} : { ssoUrl: ssoURL }),
    ...(await toNewcomerColumns(tx, caller, organizationId, body)),
    ...toCertificates(body, certificates),
  };
}

/** The first certificate, and the next one while there is one. */
function toCertificates(
  { certificate, nextCertificate }: Body,
  [first, second]: readonly string[],
): { certificates?: string[] } {
  if (certificate === undefined && nextCertificate === undefined) return {};
  const current = certificate === undefined ? first : readField('certificate', certificate);
  const next =
    nextCertificate === undefined
      ? second
      : nextCertificate === null
        ? undefined
        : readField('nextCertificate', nextCertificate);
  if (current === undefined && next !== undefined)
    throw invalid('/body/certificate', 'must be there before the next one');
  return { certificates: [...new Set([current, next].filter((text) => text !== undefined))] };
}

/** An empty text is no certificate either: what nobody may sign with would sign nobody in. */
function readField(name: string, text: string): string {
  try {
    return readCertificate(text);
  } catch (error) {
    if (error instanceof CertificateProblem) throw invalid(`/body/${name}`, error.message);
    throw error;
  }
}

/** An id that is part of addresses which a provider has to take: Okta refuses those with an underscore. */
function newProviderId(): string {
  return newId().replaceAll('_', '-');
}
