import type { BodyOf, Operations } from '../../contract/index.ts';
import {
  type Db,
  deleteIdentityProvider,
  hasActiveProvider,
  hasSsoMembers,
  type IdentityProviderRow,
  loadOrganization,
  loadTeam,
  lockIdentityProvider,
  lockOrganization,
  recordAudit,
} from '../../store/index.ts';
import type { Caller } from '../access/caller.ts';
import { ApiError, invalid } from '../api/api-error.ts';
import type { PlatformDeps } from '../deps.ts';

/** What changes of identity providers have in common, whatever protocol they speak. */

/** Where only single sign-on is taken, of all or of some members, there must be a provider that works. @throws {ApiError} */
export async function requireOtherProvider(
  tx: Db,
  { organizationId, id, status }: IdentityProviderRow,
): Promise<void> {
  if (status !== 'active' || (await hasActiveProvider(tx, organizationId, id))) return;
  const organization = await loadOrganization(tx, organizationId);
  if (!organization?.sso) {
    if (!(await hasSsoMembers(tx, organizationId))) return;
    throw new ApiError(
      'last-provider',
      'Some members sign in by single sign-on alone, and this is the last provider that works: set their sso to false first.',
    );
  }
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

export async function removeProvider(
  { db }: Pick<PlatformDeps, 'db'>,
  caller: Caller,
  row: IdentityProviderRow,
): Promise<void> {
  await db.transaction(async (tx) => {
    await lockOrganization(tx, row.organizationId);
    const locked = await lockIdentityProvider(tx, row.id, 'no key update');
    if (locked === null) return;
    await requireOtherProvider(tx, locked);
    const ended = await deleteIdentityProvider(tx, row.id);
    await recordProvider(tx, caller, row, 'delete', { before: { ...ended } });
  });
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
