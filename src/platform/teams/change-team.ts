import {
  type Db,
  deleteTeam,
  findInTeam,
  findMembers,
  insertTeam,
  lockOrganization,
  newId,
  putTeamMembers,
  recordAudit,
  removeTeamMembers,
  renameTeam,
  type StoredTeamRole,
  type TeamRow,
} from '../../store/index.ts';
import type { Caller } from '../access/caller.ts';
import { ApiError, invalid } from '../api/api-error.ts';
import { nameMembers } from '../audit/name-members.ts';
import type { PlatformDeps } from '../deps.ts';

type Deps = Pick<PlatformDeps, 'db'>;

/** Who comes into a team and who leaves it; `path` is the field of the request that names them. */
export interface TeamChange {
  readonly put: readonly {
    readonly userId: string;
    readonly role: StoredTeamRole | null;
    readonly path: string;
  }[];
  readonly remove: readonly string[];
}

export async function createTeam(
  { db }: Deps,
  caller: Caller,
  {
    organizationId,
    title,
    members,
  }: {
    readonly organizationId: string;
    readonly title: string;
    readonly members: readonly string[];
  },
): Promise<TeamRow> {
  return await db.transaction(async (tx) => {
    await lockOrganization(tx, organizationId);
    const put = members.map((userId, index) => ({ userId, role: null, path: `/body/members/${index}` }));
    await requireMembers(tx, organizationId, put);
    const team = await insertTeam(tx, { id: newId(), organizationId, title });
    await putTeamMembers(tx, team, put);
    await record(tx, caller, team, 'team.create', { after: { title, ...(await nameMembers(tx, put)) } });
    return team;
  });
}

/** Throws a 409 for a team that an identity provider keeps. */
export async function changeTitle({ db }: Deps, caller: Caller, team: TeamRow, title: string): Promise<void> {
  if (team.provisionedAt !== null && title !== team.title) throw isProvisioned();
  await db.transaction(async (tx) => {
    await renameTeam(tx, team.id, title);
    await record(tx, caller, team, 'team.update', { before: { title: team.title }, after: { title } });
  });
}

export async function removeTeam({ db }: Deps, caller: Caller, team: TeamRow): Promise<void> {
  await db.transaction(async (tx) => {
    await deleteTeam(tx, team.id);
    await record(tx, caller, team, 'team.delete', { before: { title: team.title } });
  });
}

/**
 * Changes who is in a team, and their roles there. Throws a 400 for somebody who is no member of the organization, and a
 * 409 where somebody would join or leave a team that an identity provider keeps.
 */
export async function changeTeamMembers(
  { db }: Deps,
  caller: Caller,
  team: TeamRow,
  { put, remove }: TeamChange,
): Promise<void> {
  await db.transaction(async (tx) => {
    await lockOrganization(tx, team.organizationId);
    await requireMembers(tx, team.organizationId, put);
    if (team.provisionedAt !== null) await requireSameMembers(tx, team, { put, remove });
    const named = [...new Set([...remove, ...put.map(({ userId }) => userId)])];
    const before = await findInTeam(tx, team.id, named);
    await removeTeamMembers(tx, team.id, remove);
    await putTeamMembers(tx, team, put);
    const after = await findInTeam(tx, team.id, named);
    const changed = named.filter((userId) => before.get(userId) !== after.get(userId));
    if (changed.length === 0) return;
    const nameChanged = (roles: ReadonlyMap<string, string>) =>
      nameMembers(
        tx,
        changed.filter((id) => roles.has(id)).map((userId) => ({ userId, role: roles.get(userId) ?? null })),
      );
    await record(tx, caller, team, 'team.members', {
      before: await nameChanged(before),
      after: await nameChanged(after),
    });
  });
}

/** The organization is locked meanwhile, so nobody leaves it between this and the change. */
async function requireMembers(tx: Db, organizationId: string, put: TeamChange['put']): Promise<void> {
  const members = await findMembers(
    tx,
    organizationId,
    put.map(({ userId }) => userId),
  );
  const stranger = put.find(({ userId }) => !members.has(userId));
  if (stranger !== undefined) throw invalid(stranger.path, 'is not a member of the organization');
}

async function requireSameMembers(tx: Db, { id }: TeamRow, { put, remove }: TeamChange): Promise<void> {
  const joining = put.map(({ userId }) => userId);
  const present = await findInTeam(tx, id, [...joining, ...remove]);
  if (joining.some((userId) => !present.has(userId)) || remove.some((userId) => present.has(userId)))
    throw isProvisioned();
}

function isProvisioned(): ApiError {
  return new ApiError(
    'team-provisioned',
    'An identity provider keeps the title and the members of this team; change the group there.',
  );
}

async function record(
  tx: Db,
  { actor }: Caller,
  { organizationId, id, title }: TeamRow,
  action: string,
  change: { readonly before?: Record<string, unknown>; readonly after?: Record<string, unknown> },
): Promise<void> {
  await recordAudit(tx, {
    organizationId,
    action,
    actor,
    target: { kind: 'team', id, name: title },
    ...change,
  });
}
