import {
  type Database,
  type Db,
  deleteMemberSessions,
  deleteProvisioned,
  diffFields,
  ensureMember,
  findUserByEmail,
  hasProvedDomain,
  insertProvisioned,
  insertVerifiedUser,
  isMemberElsewhere,
  listProvisionedUsers,
  loadMember,
  loadOrganization,
  loadProvisionedUser,
  lockEmail,
  lockOrganization,
  lockWaysIn,
  newId,
  type ProvisionedUser,
  recordAudit,
  removeMember,
  setEmailVerified,
  type UserRow,
  updateMember,
  updateProvisioned,
  updateProvisionedAccount,
} from '../../store/index.ts';
import { requireOtherAdmin } from '../members/change-member.ts';
import type { Provisioner } from './provisioner.ts';
import { invalidValue, ScimError } from './scim-error.ts';
import { addressOf, nameOf, type ProvisionedProfile, type UserDraft } from './user-draft.ts';

/**
 * Makes somebody a member, or takes a member over who is there already, with the role that they have. Who has an account
 * is linked to it if its address is known to be theirs. @throws ScimError
 */
export async function provisionUser(
  db: Database,
  provisioner: Provisioner,
  draft: UserDraft,
): Promise<ProvisionedUser> {
  const { organizationId, actor } = provisioner;
  return await db.transaction(async (tx) => {
    await lockOrganization(tx, organizationId);
    await requireFreeName(tx, organizationId, draft.userName, null);
    const email = addressOf(draft);
    if (email === null) throw invalidValue('emails', 'must have an e-mail address');
    await requireProved(tx, organizationId, email);
    await lockEmail(tx, email);
    const existing = await findUserByEmail(tx, email);
    if (existing !== null && existing.emailVerifiedAt === null) await confirmAddress(tx, existing);
    if (existing !== null && (await loadProvisionedUser(tx, organizationId, existing.id)) !== null)
      throw new ScimError(409, 'uniqueness', `There is a user with the address ${email} already.`);
    const { id: userId } =
      existing ??
      (await insertVerifiedUser(tx, { id: newId(), email, displayName: nameOf(draft.profile) ?? email }));
    const isMember = (await loadMember(tx, organizationId, userId)) !== null;
    if (!isMember) {
      const role = (await loadOrganization(tx, organizationId))?.defaultRole ?? null;
      await ensureMember(tx, { organizationId, userId, role });
    }
    const { userName, externalId, profile, active = true } = draft;
    await insertProvisioned(tx, { organizationId, userId, userName, externalId, profile, active });
    const made = await requireUser(tx, organizationId, userId);
    await recordAudit(tx, {
      organizationId,
      action: isMember ? 'member.link' : 'member.add',
      actor,
      target: targetOf(made),
      after: { role: made.member.role, userName, externalId },
    });
    await setActive(tx, provisioner, made, draft.active);
    return await requireUser(tx, organizationId, userId);
  });
}

/** Changes a user to what `change` makes of them. @throws ScimError */
export async function changeProvisionedUser(
  db: Database,
  provisioner: Provisioner,
  userId: string,
  change: (user: Omit<UserDraft, 'active'>) => UserDraft,
): Promise<ProvisionedUser> {
  const { organizationId, actor } = provisioner;
  return await db.transaction(async (tx) => {
    await lockOrganization(tx, organizationId);
    const found = await requireUser(tx, organizationId, userId);
    const { provisioned, user } = found;
    const before = { ...provisioned, profile: provisioned.profile as ProvisionedProfile };
    const draft = change(before);
    if (draft.userName.toLowerCase() !== before.userName.toLowerCase())
      await requireFreeName(tx, organizationId, draft.userName, userId);
    const email = addressOf(draft);
    const isMoved = email !== null && email !== addressOf(before) && email !== user.email;
    if (isMoved) await requireOwnAddress(tx, found, email);
    const displayName = nameOf(draft.profile);
    const isRenamed = displayName !== null && displayName !== nameOf(before.profile);
    const account = {
      ...(isMoved ? { email } : {}),
      ...(isRenamed && (await isOwnAccount(tx, found)) ? { displayName } : {}),
    };
    await updateProvisionedAccount(tx, userId, account);
    const { userName, externalId, profile } = draft;
    const changed = diffFields(
      {
        userName: before.userName,
        externalId: before.externalId,
        profile: before.profile,
        ...pick(user, account),
      },
      { userName, externalId, profile, ...account },
      ['userName', 'externalId', 'profile', ...(Object.keys(account) as 'userName'[])],
    );
    if (changed !== null) {
      await updateProvisioned(tx, before, { userName, externalId, profile });
      await recordAudit(tx, {
        organizationId,
        action: 'member.update',
        actor,
        target: targetOf(found),
        ...changed,
      });
    }
    await setActive(tx, provisioner, found, draft.active);
    return await requireUser(tx, organizationId, userId);
  });
}

/**
 * Ends the membership; the account stays. A membership that an administrator disabled by hand stays, too, or the provider
 * would give back what they took, with the next request that makes the user. @throws ScimError @throws ApiError for the
 * last administrator
 */
export async function deprovisionUser(
  db: Database,
  { organizationId, actor }: Provisioner,
  userId: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    await lockOrganization(tx, organizationId);
    const found = await requireUser(tx, organizationId, userId);
    await requireOtherAdmin(tx, found);
    await deleteMemberSessions(tx, organizationId, { userId, tokenId: null }, { except: null });
    const isKept = found.member.disabledAt !== null && !isDisabledByProvider(found);
    if (isKept) await deleteProvisioned(tx, found.provisioned);
    else await removeMember(tx, organizationId, userId);
    await recordAudit(tx, {
      organizationId,
      action: isKept ? 'member.unlink' : 'member.remove',
      actor,
      target: targetOf(found),
      before: { role: found.member.role, userName: found.provisioned.userName },
    });
  });
}

/**
 * Takes access away and gives it back. What an administrator took away by hand stays away: only a disabling of the provider's
 * own is undone, which both rows know by its moment.
 */
async function setActive(
  tx: Db,
  { organizationId, actor }: Provisioner,
  found: ProvisionedUser,
  active: boolean | undefined,
): Promise<void> {
  if (active === undefined) return;
  const { member, provisioned } = found;
  const key = { organizationId, userId: member.userId };
  const isOwn = isDisabledByProvider(found);
  const disabledAt = active ? null : new Date();
  if (active !== (member.disabledAt === null) && (!active || isOwn)) {
    if (!active) {
      await requireOtherAdmin(tx, found);
      await deleteMemberSessions(tx, organizationId, { ...key, tokenId: null }, { except: null });
    }
    await updateMember(tx, key, { disabledAt });
    await updateProvisioned(tx, key, { active, disabledAt });
    await recordAudit(tx, {
      organizationId,
      action: 'member.update',
      actor,
      target: targetOf(found),
      before: { disabled: active },
      after: { disabled: !active },
    });
  } else if (active !== provisioned.active) await updateProvisioned(tx, key, { active });
}

/**
 * As for single sign-on: who signed up with somebody else’s address must not share an account with them; one that nobody can
 * use, such as that of a member who was added by their address, is no risk. @throws ScimError
 */
async function confirmAddress(tx: Db, { id, email }: UserRow): Promise<void> {
  if ((await lockWaysIn(tx, id)).hasAny)
    throw new ScimError(
      409,
      'uniqueness',
      `There is a user with the address ${email} who has not confirmed it; let them confirm it first.`,
    );
  await setEmailVerified(tx, id);
}

/** Whether what disabled a member was their provider; also true for one who is not disabled and never was. */
function isDisabledByProvider({ member, provisioned }: ProvisionedUser): boolean {
  return member.disabledAt?.getTime() === provisioned.disabledAt?.getTime();
}

async function requireFreeName(
  tx: Db,
  organizationId: string,
  userName: string,
  exceptId: string | null,
): Promise<void> {
  const { rows } = await listProvisionedUsers(tx, organizationId, { userName }, { offset: 0, limit: 1 });
  if (rows[0] !== undefined && rows[0].user.id !== exceptId)
    throw new ScimError(409, 'uniqueness', `There is a user with the userName ${userName} already.`);
}

async function requireProved(tx: Db, organizationId: string, email: string): Promise<void> {
  const domain = domainOf(email);
  if (await hasProvedDomain(tx, organizationId, domain)) return;
  throw invalidValue(
    'emails',
    `has an address of ${domain}, which the organization has not proved to be its own; add the domain to its single sign-on first`,
  );
}

/** An address signs in, so a provider gives one only to an account that is the organization's alone. */
async function requireOwnAddress(tx: Db, found: ProvisionedUser, email: string): Promise<void> {
  await requireProved(tx, found.member.organizationId, email);
  if (!(await isOwnAccount(tx, found)))
    throw new ScimError(
      400,
      'mutability',
      'The address of this user is not in the hands of the organization alone, so only they change it.',
    );
  await lockEmail(tx, email);
  if ((await findUserByEmail(tx, email)) !== null)
    throw new ScimError(409, 'uniqueness', `There is a user with the address ${email} already.`);
}

/** Whether somebody is in no other organization, and their address is in a domain that this one proved. */
async function isOwnAccount(tx: Db, { member, user }: ProvisionedUser): Promise<boolean> {
  return (
    (await hasProvedDomain(tx, member.organizationId, domainOf(user.email))) &&
    !(await isMemberElsewhere(tx, member.organizationId, user.id))
  );
}

async function requireUser(tx: Db, organizationId: string, userId: string): Promise<ProvisionedUser> {
  const found = await loadProvisionedUser(tx, organizationId, userId);
  if (found === null) throw userNotFound();
  return found;
}

export function userNotFound(): ScimError {
  return new ScimError(404, null, 'There is no user with this id that was provisioned in this organization.');
}

function targetOf({ user }: ProvisionedUser) {
  return { kind: 'member', id: user.id, name: user.displayName };
}

function domainOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1);
}

function pick<T extends object>(from: T, like: object): Partial<T> {
  return Object.fromEntries(Object.keys(like).map((name) => [name, from[name as keyof T]])) as Partial<T>;
}
