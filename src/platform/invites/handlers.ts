import { randomBytes } from 'node:crypto';
import type { MailInvite, Role } from '../../contract/index.ts';
import { hashToken, inviteAddress, inviteAddressInMail, isMailAddress } from '../../identity/index.ts';
import {
  countOpenInvites,
  type Db,
  INVITE_DAYS,
  type InviteRow,
  insertInvite,
  listInvites,
  listOrganizationsWithDomain,
  loadInvite,
  lockOrganization,
  newId,
  type OrganizationRow,
  recordAudit,
  renewInvite,
  revokeInvite,
  revokeInvitesOf,
  setInviteRole,
} from '../../store/index.ts';
import type { Caller } from '../access/caller.ts';
import { requireOrganization } from '../access/require-organization.ts';
import { allows, toRole } from '../access/roles.ts';
import { ageKeyOf, readAgeCursor } from '../api/age-cursor.ts';
import { ApiError, invalid, notFound } from '../api/api-error.ts';
import { limitOf, toList } from '../api/cursor.ts';
import type { HandlersOf } from '../api/handler.ts';
import type { PlatformDeps } from '../deps.ts';
import { presentOrganization } from '../organizations/present-organization.ts';
import { acceptInvite, confirmedDomain, joinByDomain } from './accept-invite.ts';
import { presentLinkInvite, presentMailInvite } from './present-invite.ts';

/** The most invitations of an organization that can be accepted at a time. */
const MAX_OPEN = 5_000;

export function inviteHandlers({ db, mailer, publicUrl }: PlatformDeps): HandlersOf<'invites'> {
  const addressOf = (secret: string) => inviteAddress(publicUrl, secret);

  /** The organization, for somebody who invites to it. */
  async function locate(caller: Caller, organizationId: string): Promise<OrganizationRow> {
    return (await requireOrganization(db, caller, organizationId, 'admin')).organization;
  }

  async function record(
    tx: Db,
    caller: Caller,
    action: `invite.${string}`,
    invite: InviteRow,
  ): Promise<void> {
    await recordAudit(tx, {
      organizationId: invite.organizationId,
      action,
      actor: caller.actor,
      target: { kind: 'invite', id: invite.id, name: invite.email },
      after: { role: invite.role, by: invite.email === null ? 'link' : 'mail' },
    });
  }

  /** Enqueues the mail of an invitation that was just made or renewed, whose secret is known only now. */
  async function send(
    tx: Db,
    caller: Caller,
    organization: OrganizationRow,
    invite: InviteRow,
    secret: string,
  ): Promise<MailInvite> {
    const url = addressOf(secret);
    const { email, expiresAt } = invite;
    const proof = { publicUrl, secret, email: email ?? '', createdAt: new Date(), expiresAt };
    const { state } = await mailer.enqueue(tx, {
      template: 'invite',
      to: email ?? '',
      organizationId: organization.id,
      expiresAt,
      subjectId: hashToken(secret),
      values: {
        url: mailer.isSet ? await inviteAddressInMail(tx, proof) : url,
        organization: organization.title,
        invitedBy: caller.user.displayName,
        place: null,
        days: INVITE_DAYS,
      },
    });
    return { ...presentMailInvite(invite), url, mail: state };
  }

  return {
    async inviteUsers({ caller, params, body }) {
      const organization = await locate(caller, params.organizationId);
      if (body.sso === true) throw invalid('/body/sso', 'cannot be set here: set it on the member');
      const requested = new Map<string, Role | null>();
      for (const [index, entry] of body.emails.entries()) {
        const [address, role] =
          typeof entry === 'string' ? [entry, body.role ?? null] : [entry.email, entry.role];
        const email = address.trim().toLowerCase();
        if (!isMailAddress(email)) throw invalid(`/body/emails/${index}`, 'is not an e-mail address');
        requireOwnRole(caller, organization.id, role);
        requested.set(email, role);
      }
      const invites = await db.transaction(async (tx) => {
        await requireRoom(tx, organization.id, requested.size);
        const made: MailInvite[] = [];
        for (const [email, role] of requested) {
          await revokeInvitesOf(tx, organization.id, email);
          const secret = newSecret();
          const row = await insertInvite(tx, {
            id: newId(),
            organizationId: organization.id,
            email,
            hash: hashToken(secret),
            role,
            maxUses: 1,
            createdBy: caller.user.id,
          });
          await record(tx, caller, 'invite.create', row);
          made.push(await send(tx, caller, organization, row, secret));
        }
        return made;
      });
      return { users: [], invited: invites.length, invites };
    },

    async listInvites({ caller, params, query }) {
      const { id } = await locate(caller, params.organizationId);
      const limit = limitOf(query);
      const after = readAgeCursor('invites', query);
      const found = await listInvites(db, id, 'mail', { after, limit: limit + 1 });
      return toList(found, { list: 'invites', limit, keyOf: ageKeyOf, present: presentMailInvite });
    },

    async joinWithInvite({ caller, params }) {
      await acceptInvite({ db, canConfirm: mailer.isSet }, caller, params.organizationId, params.inviteId);
      return {};
    },

    async resendInvite({ caller, params }) {
      const organization = await locate(caller, params.organizationId);
      const found = await loadInvite(db, organization.id, 'mail', params.inviteId);
      if (!found) throw notFound('invitation with this id in this organization');
      if (found.uses > 0) throw notFound('invitation with this id that was not accepted yet');
      requireOwnRole(caller, organization.id, found.role === null ? null : toRole(found.role));
      const secret = newSecret();
      return await db.transaction(async (tx) => {
        const row = await renewInvite(tx, found.id, hashToken(secret));
        if (!row) throw notFound('invitation with this id in this organization');
        await record(tx, caller, 'invite.resend', row);
        return await send(tx, caller, organization, row, secret);
      });
    },

    revokeInvite: ({ caller, params }) => revoke(caller, params, 'mail'),

    async createLinkInvite({ caller, params, body }) {
      const organization = await locate(caller, params.organizationId);
      requireOwnRole(caller, organization.id, body.role);
      const secret = newSecret();
      const row = await db.transaction(async (tx) => {
        await requireRoom(tx, organization.id, 1);
        if (!organization.inviteLinks) {
          throw new ApiError(
            'invite-links-off',
            'This organization allows no invite links; set its inviteLinks first, or invite people by mail.',
          );
        }
        const created = await insertInvite(tx, {
          id: newId(),
          organizationId: organization.id,
          email: null,
          hash: hashToken(secret),
          role: body.role,
          maxUses: body.maxUses ?? null,
          createdBy: caller.user.id,
        });
        await record(tx, caller, 'invite.create', created);
        return created;
      });
      return { ...presentLinkInvite(row), url: addressOf(secret) };
    },

    async listLinkInvites({ caller, params, query }) {
      const { id } = await locate(caller, params.organizationId);
      const limit = limitOf(query);
      const after = readAgeCursor('link-invites', query);
      const found = await listInvites(db, id, 'link', { after, limit: limit + 1 });
      return toList(found, { list: 'link-invites', limit, keyOf: ageKeyOf, present: presentLinkInvite });
    },

    async getLinkInvite({ caller, params }) {
      const { id } = await locate(caller, params.organizationId);
      const found = await loadInvite(db, id, 'link', params.inviteId);
      if (!found) throw notFound('invite link with this id in this organization');
      return presentLinkInvite(found);
    },

    async updateLinkInvite({ caller, params, body }) {
      const { id } = await locate(caller, params.organizationId);
      requireOwnRole(caller, id, body.role);
      const found = await loadInvite(db, id, 'link', params.inviteId);
      if (!found) throw notFound('invite link with this id in this organization');
      const row = await db.transaction(async (tx) => {
        const changed = await setInviteRole(tx, found.id, body.role);
        if (!changed) throw notFound('invite link with this id in this organization');
        await record(tx, caller, 'invite.update', changed);
        return changed;
      });
      return presentLinkInvite(row);
    },

    deleteLinkInvite: ({ caller, params }) => revoke(caller, params, 'link'),

    async joinOrganization({ caller, params }) {
      await joinByDomain(db, caller, params.organizationId);
    },

    async listOrganizationsOfDomain({ caller, params }) {
      const domain = params.emailDomain.toLowerCase();
      const isOwn = !caller.bound && (await confirmedDomain(db, caller)) === domain;
      const found = isOwn ? await listOrganizationsWithDomain(db, domain, 100) : [];
      return {
        organizations: found.map((row) => presentOrganization(row, caller.roleIn(row.id), publicUrl)),
      };
    },
  };

  async function revoke(
    caller: Caller,
    params: { readonly organizationId: string; readonly inviteId: string },
    kind: 'mail' | 'link',
  ): Promise<void> {
    const { id } = await locate(caller, params.organizationId);
    const found = await loadInvite(db, id, kind, params.inviteId);
    if (!found) return;
    await db.transaction(async (tx) => {
      if (await revokeInvite(tx, found.id)) await record(tx, caller, 'invite.revoke', found);
    });
  }
}

/** 256 random bits. */
function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

function requireOwnRole(caller: Caller, organizationId: string, role: Role | null): void {
  const own = caller.roleIn(organizationId);
  if (role === null || allows(own, role)) return;
  throw new ApiError('beyond-own-rights', `Your role is ${own}, so you cannot invite to the role ${role}.`);
}

async function requireRoom(tx: Db, organizationId: string, more: number): Promise<void> {
  await lockOrganization(tx, organizationId);
  if ((await countOpenInvites(tx, organizationId)) + more > MAX_OPEN) {
    throw new ApiError(
      'limit-reached',
      `At most ${MAX_OPEN} invitations can be open at a time; revoke some, or wait until they expire.`,
    );
  }
}
