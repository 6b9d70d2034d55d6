import { admitByInvite, hashToken } from '../../identity/index.ts';
import {
  type Db,
  insertMember,
  loadOrganization,
  loadUser,
  lockOpenInvite,
  lockOrganization,
  recordAudit,
} from '../../store/index.ts';
import type { Caller } from '../access/caller.ts';
import { ApiError, notFound } from '../api/api-error.ts';

/**
 * Makes the caller a member by an invitation. Its use counts only if they were none.
 *
 * @param canConfirm Whether people can confirm their addresses here. Where they cannot, the address of the account counts:
 *   whoever made the invitation passed its secret on to the person.
 */
export async function acceptInvite(
  { db, canConfirm }: { readonly db: Db; readonly canConfirm: boolean },
  caller: Caller,
  organizationId: string,
  secret: string,
): Promise<void> {
  requireUnbound(caller);
  await db.transaction(async (tx) => {
    await lockOrganization(tx, organizationId);
    const organization = await loadOrganization(tx, organizationId);
    const invite = await lockOpenInvite(tx, organizationId, hashToken(secret));
    if (!organization || !invite || (invite.email === null && !organization.inviteLinks)) {
      throw notFound('invitation with this address: it was used, revoked or has expired');
    }
    const user = await loadUser(tx, caller.user.id);
    if (!user) throw notFound('user with this id');
    const isConfirmed = user.emailVerifiedAt !== null || !canConfirm;
    if (invite.email !== null && (invite.email !== user.email || !isConfirmed)) {
      throw new ApiError(
        'invite-for-another-address',
        'This invitation is for another e-mail address than the one that you confirmed; sign in with that one, or ask for an invitation to yours.',
      );
    }
    await admitByInvite(tx, invite, user, caller.actor);
  });
}

/** Makes the caller a member of an organization that takes everybody with an address of one of its domains. */
export async function joinByDomain(db: Db, caller: Caller, organizationId: string): Promise<void> {
  requireUnbound(caller);
  await db.transaction(async (tx) => {
    await lockOrganization(tx, organizationId);
    const organization = await loadOrganization(tx, organizationId);
    const domain = await confirmedDomain(tx, caller);
    if (!organization || domain === null || !organization.emailDomains.includes(domain)) {
      throw notFound('organization with this id');
    }
    const role = organization.defaultRole;
    if (!(await insertMember(tx, { organizationId, userId: caller.user.id, role }))) return;
    await recordAudit(tx, {
      organizationId,
      action: 'member.join',
      actor: caller.actor,
      target: { kind: 'member', id: caller.user.id, name: caller.user.displayName },
      after: { role, by: 'email-domain', domain },
    });
  });
}

/** The domain of the caller's e-mail address; null when they have not confirmed the address. */
export async function confirmedDomain(db: Db, caller: Caller): Promise<string | null> {
  const user = await loadUser(db, caller.user.id);
  return user === null || user.emailVerifiedAt === null ? null : (user.email.split('@').at(-1) ?? null);
}

/** A token that was made for one organization opens no other. */
function requireUnbound(caller: Caller): void {
  if (!caller.bound) return;
  throw new ApiError('token-bound', 'This token is bound to one organization, so it cannot join another.');
}
