import {
  type Db,
  ensureMember,
  ensureUser,
  findMembers,
  hasOtherAdmin,
  hasProvedDomain,
  loadMember,
  lockEmail,
  lockOrganization,
  type MemberView,
  newId,
  recordAudit,
  removeMember,
  updateMember,
} from '../../store/index.ts';
import type { Caller } from '../access/caller.ts';
import { requireWayInOf } from '../access/require-way-in.ts';
import { ApiError, notFound } from '../api/api-error.ts';
import type { PlatformDeps } from '../deps.ts';

type Deps = Pick<PlatformDeps, 'db'>;

interface MemberKey {
  readonly organizationId: string;
  readonly userId: string;
}

/** What an administrator may change of a membership; what is absent stays as it is. */
export interface MemberChange {
  /** Null makes them a guest. */
  readonly role?: string | null;
  readonly disabled?: boolean;
  readonly sso?: boolean;
}

/**
 * Makes somebody a member by an address in an e-mail domain that the organization proved. Throws a 409 for every other
 * address, whether a user has it or not: nobody gets into an organization, and nobody's name is told, without their consent.
 */
export async function addMember(
  { db }: Deps,
  caller: Caller,
  organizationId: string,
  person: { readonly email: string; readonly displayName?: string; readonly role: string | null },
): Promise<MemberView> {
  const email = person.email.toLowerCase();
  const displayName = person.displayName ?? (email.split('@')[0] as string);
  return await db.transaction(async (tx) => {
    await lockOrganization(tx, organizationId);
    const domain = email.slice(email.lastIndexOf('@') + 1);
    if (!(await hasProvedDomain(tx, organizationId, domain))) throw mustBeInvited();
    await lockEmail(tx, email);
    const id = newId();
    const { id: userId, emailVerifiedAt } = await ensureUser(tx, { id, displayName, email });
    if ((await findMembers(tx, organizationId, [userId])).has(userId))
      throw new ApiError('nothing-to-change', 'Somebody with this address is a member of the organization.');
    if (userId !== id && emailVerifiedAt === null) throw mustBeInvited();
    await ensureMember(tx, { organizationId, userId, role: person.role });
    const view = await requireMember(tx, { organizationId, userId });
    await record(tx, caller, view, 'member.add', { after: { role: person.role } });
    return view;
  });
}

/** Changes a membership. Throws a 409 if the organization would have no administrator who is not disabled. */
export async function changeMember(
  { db }: Deps,
  caller: Caller,
  key: MemberKey,
  { role, disabled, sso }: MemberChange,
): Promise<void> {
  await db.transaction(async (tx) => {
    await lockOrganization(tx, key.organizationId);
    const view = await requireMember(tx, key);
    const before = settingsOf(view);
    const after = {
      role: role === undefined ? before.role : role,
      disabled: disabled ?? before.disabled,
      sso: sso ?? before.sso,
    };
    const changed = (['role', 'disabled', 'sso'] as const).filter((name) => before[name] !== after[name]);
    if (changed.length === 0) return;
    if (after.role !== 'admin' || after.disabled) await requireOtherAdmin(tx, view);
    if (after.sso && !before.sso) await requireWayInOf(tx, caller, view);
    await updateMember(tx, key, {
      role: after.role,
      sso: after.sso,
      ...(changed.includes('disabled') ? { disabledAt: after.disabled ? new Date() : null } : {}),
    });
    const only = (settings: typeof before) =>
      Object.fromEntries(changed.map((name) => [name, settings[name]]));
    await record(tx, caller, view, 'member.update', { before: only(before), after: only(after) });
  });
}

/** Removes a member; their tokens no longer give access to the organization. Throws a 409 for the last administrator. */
export async function dismissMember({ db }: Deps, caller: Caller, key: MemberKey): Promise<void> {
  await db.transaction(async (tx) => {
    await lockOrganization(tx, key.organizationId);
    const view = await loadMember(tx, key.organizationId, key.userId);
    if (view === null) return;
    await requireOtherAdmin(tx, view);
    await removeMember(tx, key.organizationId, key.userId);
    await record(tx, caller, view, 'member.remove', { before: { role: view.member.role } });
  });
}

function mustBeInvited(): ApiError {
  return new ApiError(
    'must-be-invited',
    'Only people with a confirmed address in an e-mail domain that the organization has proved are added directly; invite them instead.',
  );
}

function settingsOf({ member }: MemberView): { role: string | null; disabled: boolean; sso: boolean } {
  return { role: member.role, disabled: member.disabledAt !== null, sso: member.sso };
}

/** Without an administrator, nobody could ever appoint one. Call it with the organization locked. */
export async function requireOtherAdmin(tx: Db, { member }: Pick<MemberView, 'member'>): Promise<void> {
  const isAdmin = member.role === 'admin' && member.disabledAt === null;
  if (isAdmin && !(await hasOtherAdmin(tx, member.organizationId, member.userId))) {
    throw new ApiError(
      'last-administrator',
      'This is the last administrator of the organization; make another member an administrator first.',
    );
  }
}

async function requireMember(tx: Db, { organizationId, userId }: MemberKey): Promise<MemberView> {
  const view = await loadMember(tx, organizationId, userId);
  if (view === null) throw notFound('member with this id in this organization');
  return view;
}

async function record(
  tx: Db,
  { actor }: Caller,
  { member: { organizationId }, user }: MemberView,
  action: string,
  change: { readonly before?: Record<string, unknown>; readonly after?: Record<string, unknown> },
): Promise<void> {
  const target = { kind: 'member', id: user.id, name: user.displayName };
  await recordAudit(tx, { organizationId, action, actor, target, ...change });
}
