import {
  type Database,
  type Db,
  deleteTeam,
  diffFields,
  findProvisioned,
  insertProvisionedTeam,
  joinTeam,
  keepInTeam,
  listProvisionedGroups,
  loadProvisionedGroup,
  lockOrganization,
  newId,
  type ProvisionedGroup,
  recordAudit,
  removeTeamMembers,
  type TeamRow,
  updateProvisionedTeam,
} from '../../store/index.ts';
import { nameMembers } from '../audit/name-members.ts';
import { type GroupChange, MAX_GROUP_MEMBERS } from './group-change.ts';
import type { Provisioner } from './provisioner.ts';
import { invalidValue, ScimError } from './scim-error.ts';

/**
 * Makes a team that mirrors a group. A team that people made is never taken over, even one with the same title: whoever
 * fills groups would have what it was granted. @throws ScimError
 */
export async function provisionGroup(
  db: Database,
  provisioner: Provisioner,
  change: GroupChange & { readonly displayName: string },
): Promise<ProvisionedGroup> {
  const { organizationId, actor } = provisioner;
  return await db.transaction(async (tx) => {
    await lockOrganization(tx, organizationId);
    const { displayName: title, externalId = null } = change;
    await requireFreeTitle(tx, organizationId, title, null);
    const team = await insertProvisionedTeam(tx, { id: newId(), organizationId, title, externalId });
    await recordAudit(tx, {
      organizationId,
      action: 'team.create',
      actor,
      target: targetOf(team),
      after: { title, externalId },
    });
    return await changeMembers(tx, provisioner, { team, members: 0 }, change.members);
  });
}

/** @throws ScimError */
export async function changeGroup(
  db: Database,
  provisioner: Provisioner,
  teamId: string,
  change: GroupChange,
): Promise<ProvisionedGroup> {
  const { organizationId, actor } = provisioner;
  return await db.transaction(async (tx) => {
    await lockOrganization(tx, organizationId);
    const found = await requireGroup(tx, organizationId, teamId);
    const { team } = found;
    const next = {
      title: change.displayName ?? team.title,
      externalId: change.externalId === undefined ? team.externalId : change.externalId,
    };
    const changed = diffFields(team, { ...team, ...next }, ['title', 'externalId']);
    if (changed !== null) {
      await requireFreeTitle(tx, organizationId, next.title, teamId);
      await updateProvisionedTeam(tx, teamId, next);
      await recordAudit(tx, {
        organizationId,
        action: 'team.update',
        actor,
        target: targetOf(team),
        ...changed,
      });
    }
    return await changeMembers(tx, provisioner, found, change.members);
  });
}

/** Deletes a team that mirrors a group, with what it was granted. @throws ScimError */
export async function deprovisionGroup(
  db: Database,
  { organizationId, actor }: Provisioner,
  teamId: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    await lockOrganization(tx, organizationId);
    const { team } = await requireGroup(tx, organizationId, teamId);
    await deleteTeam(tx, teamId);
    await recordAudit(tx, {
      organizationId,
      action: 'team.delete',
      actor,
      target: targetOf(team),
      before: { title: team.title },
    });
  });
}

async function changeMembers(
  tx: Db,
  { organizationId, actor }: Provisioner,
  { team }: ProvisionedGroup,
  { replaced, added, removed }: GroupChange['members'],
): Promise<ProvisionedGroup> {
  const known = await findProvisioned(tx, organizationId, [...added]);
  const stranger = [...added].find((id) => !known.has(id));
  if (stranger !== undefined)
    throw invalidValue(
      'members',
      `has ${stranger}, which is no user that was provisioned in this organization`,
    );
  const left = replaced
    ? await keepInTeam(tx, team.id, [...added])
    : await removeTeamMembers(tx, team.id, [...removed]);
  const joined = await joinTeam(tx, team, [...added]);
  const after = await requireGroup(tx, organizationId, team.id);
  if (after.members > MAX_GROUP_MEMBERS)
    throw new ScimError(413, null, `A group must have at most ${MAX_GROUP_MEMBERS} members; split it.`);
  if (left.length > 0 || joined.length > 0)
    await recordAudit(tx, {
      organizationId,
      action: 'team.members',
      actor,
      target: targetOf(team),
      before: await nameMembers(
        tx,
        left.map((userId) => ({ userId })),
      ),
      after: await nameMembers(
        tx,
        joined.map((userId) => ({ userId })),
      ),
    });
  return after;
}

async function requireFreeTitle(
  tx: Db,
  organizationId: string,
  displayName: string,
  exceptId: string | null,
): Promise<void> {
  const { rows } = await listProvisionedGroups(tx, organizationId, { displayName }, { offset: 0, limit: 2 });
  if (rows.some(({ team }) => team.id !== exceptId))
    throw new ScimError(409, 'uniqueness', `There is a group with the displayName ${displayName} already.`);
}

async function requireGroup(tx: Db, organizationId: string, teamId: string): Promise<ProvisionedGroup> {
  const found = await loadProvisionedGroup(tx, organizationId, teamId);
  if (found === null) throw groupNotFound();
  return found;
}

export function groupNotFound(): ScimError {
  return new ScimError(
    404,
    null,
    'There is no group with this id that was provisioned in this organization.',
  );
}

function targetOf({ id, title }: TeamRow) {
  return { kind: 'team', id, name: title };
}
