import type { BodyOf, Operations } from '../../contract/index.ts';
import {
  type Db,
  hasActiveProvider,
  type IdentityProviderRow,
  loadOrganization,
  loadTeam,
  recordAudit,
} from '../../store/index.ts';
import type { Caller } from '../access/caller.ts';
import { ApiError, invalid } from '../api/api-error.ts';

/** What changes of identity providers have in common, whatever protocol they speak. */

/** An organization that takes only single sign-on must not be left without a provider that works. @throws {ApiError} */
export async function requireOtherProvider(
  tx: Db,
  { organizationId, id, status }: IdentityProviderRow,
): Promise<void> {
  const organization = await loadOrganization(tx, organizationId);
  if (!organization?.sso || status !== 'active') return;
  if (await hasActiveProvider(tx, organizationId, id)) return;
  throw new ApiError(
    'last-provider',
    'The organization takes only single sign-on, and this is its last provider that works: switch sso off first.',
  );
}

/** What people get who come for the first time. @throws {ApiError} for a team of another organization */
export async function toNewcomerColumns(
  tx: Db,
  caller: Caller,
  organizationId: string,
  { defaultRole, defaultTeam }: Pick<BodyOf<Operations['updateSamlProvider']>, 'defaultRole' | 'defaultTeam'>,
) {
  if (defaultTeam != null && (await loadTeam(tx, organizationId, defaultTeam, caller.user.id)) === null)
    throw invalid('/body/defaultTeam', 'is not a team of this organization');
  return {
    ...(defaultRole === undefined ? {} : { defaultRole }),
    ...(defaultTeam === undefined ? {} : { defaultTeamId: defaultTeam }),
  };
}

export async function recordProvider(
  tx: Db,
  caller: Caller,
  row: IdentityProviderRow,
  what: 'create' | 'update' | 'delete',
  changes: { readonly before?: Record<string, unknown>; readonly after?: Record<string, unknown> },
): Promise<void> {
  await recordAudit(tx, {
    organizationId: row.organizationId,
    action: `identity-provider.${what}`,
    actor: caller.actor,
    target: { kind: 'identity-provider', id: row.id, name: row.label },
    ...changes,
  });
}
