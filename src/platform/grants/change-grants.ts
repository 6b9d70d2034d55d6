import {
  type Db,
  findGrant,
  findMembers,
  findTeams,
  type GrantPlace,
  type GrantSubject,
  loadUsers,
  lockOrganization,
  newId,
  putGrant,
  recordAudit,
  removeGrant,
} from '../../store/index.ts';
import type { Caller } from '../access/caller.ts';
import { invalid, notFound } from '../api/api-error.ts';
import type { PlatformDeps } from '../deps.ts';

type Deps = Pick<PlatformDeps, 'db'>;

/** A place with its name, for the audit log. */
export interface NamedPlace extends GrantPlace {
  readonly title: string;
}

/** Grants members and teams a role, or removes what they were granted (null). Throws a 400 for those of elsewhere. */
export async function grantRole(
  { db }: Deps,
  caller: Caller,
  place: NamedPlace,
  {
    users = [],
    teams = [],
    role,
  }: { readonly users?: readonly string[]; readonly teams?: readonly string[]; readonly role: string | null },
): Promise<void> {
  if (users.length + teams.length === 0) throw invalid('/body', 'must name users or teams');
  await db.transaction(async (tx) => {
    await lockOrganization(tx, place.organizationId);
    const members = await findMembers(tx, place.organizationId, users);
    const stranger = users.findIndex((userId) => !members.has(userId));
    if (stranger !== -1) throw invalid(`/body/users/${stranger}`, 'is not a member of the organization');
    const known = await findTeams(tx, place.organizationId, teams);
    const unknown = teams.findIndex((teamId) => !known.has(teamId));
    if (unknown !== -1) throw invalid(`/body/teams/${unknown}`, 'is not a team of the organization');
    const subjects = [...users.map((userId) => ({ userId })), ...teams.map((teamId) => ({ teamId }))];
    for (const subject of subjects) await setGrant(tx, caller, place, subject, role);
  });
}

/** Changes a grant, or removes it (null). Throws a 404 if there is none. */
export async function changeGrant(
  { db }: Deps,
  caller: Caller,
  place: NamedPlace,
  subject: GrantSubject,
  role: string | null | undefined,
): Promise<void> {
  await db.transaction(async (tx) => {
    await lockOrganization(tx, place.organizationId);
    if ((await findGrant(tx, place, subject)) === null)
      throw notFound(
        `${subject.userId === undefined ? 'team' : 'member'} with this id among those granted something here`,
      );
    if (role !== undefined) await setGrant(tx, caller, place, subject, role);
  });
}

/** Removes a grant; does nothing if there is none. */
export async function withdrawGrant(
  { db }: Deps,
  caller: Caller,
  place: NamedPlace,
  subject: GrantSubject,
): Promise<void> {
  await db.transaction((tx) => setGrant(tx, caller, place, subject, null));
}

async function setGrant(
  tx: Db,
  { actor }: Caller,
  place: NamedPlace,
  subject: GrantSubject,
  role: string | null,
): Promise<void> {
  const { organizationId, spaceId, collectionId, siteId, title } = place;
  const before =
    role === null
      ? await removeGrant(tx, place, subject)
      : await putGrant(tx, { id: newId(), organizationId, spaceId, collectionId, siteId, role }, subject);
  if (before === role) return;
  const { kind, id } = placeOf(place);
  const named = await nameSubject(tx, organizationId, subject);
  await recordAudit(tx, {
    organizationId,
    action: role === null ? 'grant.remove' : 'grant.set',
    actor,
    target: { kind, id, name: title },
    ...(role === null
      ? { before: { ...named, role: before } }
      : { before: { role: before }, after: { ...named, role } }),
  });
}

/** A member or a team as an event of the audit log names it, which may be gone when somebody reads it. */
async function nameSubject(tx: Db, organizationId: string, { userId, teamId }: GrantSubject) {
  if (userId === undefined) {
    const teams = await findTeams(tx, organizationId, [teamId]);
    return { team: { id: teamId, name: teams.get(teamId) ?? null } };
  }
  const users = await loadUsers(tx, [userId]);
  return { user: { id: userId, name: users.get(userId)?.displayName ?? null } };
}

/** The space, collection, site or organization itself. */
export function placeOf({ organizationId, spaceId, collectionId, siteId }: NamedPlace): {
  readonly kind: string;
  readonly id: string;
} {
  if (spaceId !== null) return { kind: 'space', id: spaceId };
  if (collectionId !== null) return { kind: 'collection', id: collectionId };
  return siteId === null ? { kind: 'organization', id: organizationId } : { kind: 'site', id: siteId };
}
