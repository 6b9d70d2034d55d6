import {
  countAddressProofs,
  type Database,
  type Db,
  describeInvite,
  findProvedAddress,
  findProvingOrganization,
  findUserAccount,
  hasProvedDomain,
  type InviteEnd,
  insertNewUser,
  loadOrganization,
  lockEmail,
  lockOpenInvite,
  lockOrganization,
  markEmailVerified,
  newId,
  type RequestOrigin,
  recordAudit,
  upsertPassword,
  useProvedAddress,
} from '../../store/index.ts';
import { AccountProblem, normalizeEmail, readName, requireGoodPassword } from '../account-input.ts';
import type { Mailer } from '../mail/mailer.ts';
import { isMailAddress } from '../mail/smtp-settings.ts';
import { hashPassword, type PasswordCost } from '../passwords/hash-password.ts';
import { domainOf } from '../providers/admit-user.ts';
import type { SignIn } from '../session-store.ts';
import { beginInviteAttempt, countMailRequest } from '../sign-in/attempts.ts';
import { hashToken } from '../token-text.ts';
import { admitByInvite } from './admit-by-invite.ts';
import { inviteAddressInMail } from './mail-proof.ts';

/** An invitation that can be accepted, as whoever has its address sees it. */
export interface Invitation {
  readonly organizationId: string;
  readonly organization: string;
  /** Null when the account of who invited is gone. */
  readonly invitedBy: string | null;
  /** Null for guests. */
  readonly role: string | null;
  /** The only address that may accept it; null for a link, which everybody may. */
  readonly email: string | null;
  /** The visitor's own address, if the key from a mail proves it, and whether there is an account with it. */
  readonly proved: { readonly email: string; readonly hasAccount: boolean } | null;
}

/** The two secrets of the address of an invitation. */
export interface InvitePass {
  /** Of the invitation. Who made it knows it, too. */
  readonly secret: string;
  /** From a mail: proves its address. Null when the invitation was not opened from a mail. */
  readonly key: string | null;
}

/** An invitation cannot be accepted any more, or never was. */
export class InvitationEnded extends Error {
  override readonly name = 'InvitationEnded';
  readonly end: InviteEnd | 'unknown';

  constructor(end: InviteEnd | 'unknown') {
    super(`The invitation cannot be accepted: ${end}.`);
    this.end = end;
  }
}

/** Invitations, for people who open their addresses in a browser. Members who accept one do so through the platform. */
export interface Invitations {
  /** Whether addresses can be confirmed by mail. */
  readonly canMail: boolean;
  /** @throws {InvitationEnded} {TooManyAttempts} */
  open(pass: InvitePass, origin: RequestOrigin): Promise<Invitation>;
  /**
   * Mails the invitation's address with a key that proves the mail's own address: the one that it is for, or for a link the
   * one that was entered. It is the same whether there is an account.
   *
   * @throws {InvitationEnded} {TooManyAttempts} {AccountProblem}
   */
  mailKey(pass: InvitePass, email: string, origin: RequestOrigin): Promise<void>;
  /** Confirms the address of a user who opened the invitation from a mail to it; does nothing for anybody else. */
  confirmAddress(pass: InvitePass, userId: string, origin: RequestOrigin): Promise<void>;
  /**
   * Makes an account and a member of it, in one transaction. Its address is the proved one. Where no mail can be sent, it
   * is the address that the invitation is for, unconfirmed: whoever made the invitation passed it on to that person.
   *
   * @throws {InvitationEnded} {TooManyAttempts} {TooManySignIns} {AccountProblem}
   */
  createAccount(
    pass: InvitePass,
    entered: { readonly displayName: string; readonly password: string },
    origin: RequestOrigin,
  ): Promise<SignIn>;
}

/** How long the key of a mail that somebody requested works. */
const KEY_HOURS = 24;
/** Mails to one address in an hour, so that nobody's mailbox is filled. */
const KEYS_PER_HOUR = 5;
const HOUR_MS = 60 * 60_000;

/**
 * Nobody shows here that an address is theirs, so one of a domain that an organization proved is only in the hands of such
 * an organization: its owner would be refused at their single sign-on otherwise.
 */
async function requireOwnDomain(tx: Db, organizationId: string, email: string): Promise<void> {
  const domain = domainOf(email) ?? '';
  if (await hasProvedDomain(tx, organizationId, domain)) return;
  if ((await findProvingOrganization(tx, domain)) === null) return;
  throw new AccountProblem(
    `Addresses of ${domain} belong to another organization here: sign in with its single sign-on, then open the invitation again.`,
  );
}

export function openInvitations(parts: {
  readonly db: Database;
  readonly mailer: Mailer;
  readonly publicUrl: string;
  readonly passwordCost?: PasswordCost;
  readonly now?: () => Date;
}): Invitations {
  const { db, mailer, publicUrl, passwordCost, now = () => new Date() } = parts;

  /** The address that the key proves, if the invitation may be accepted with it. */
  async function readProof(key: string | null, boundTo: string | null): Promise<string | null> {
    const email = key === null ? null : await findProvedAddress(db, hashToken(key), now());
    return boundTo !== null && boundTo !== email ? null : email;
  }

  async function read({ secret, key }: InvitePass, origin: RequestOrigin): Promise<Invitation> {
    const attempt = await beginInviteAttempt(db, origin.address, now());
    const found = await describeInvite(db, hashToken(secret));
    if (found === null) throw new InvitationEnded('unknown');
    await attempt.succeed(db);
    const { invite, organization, invitedBy, end } = found;
    if (end !== null) throw new InvitationEnded(end);
    const email = await readProof(key, invite.email);
    return {
      organizationId: organization.id,
      organization: organization.title,
      invitedBy,
      role: invite.role,
      email: invite.email,
      proved: email === null ? null : { email, hasAccount: (await findUserAccount(db, email)) !== null },
    };
  }

  return {
    canMail: mailer.isSet,
    open: read,

    async mailKey(pass, entered, origin) {
      if (!mailer.isSet) throw new AccountProblem('This server sends no mails.');
      const invitation = await read(pass, origin);
      const email = invitation.email ?? normalizeEmail(entered);
      if (!isMailAddress(email))
        throw new AccountProblem('Enter your e-mail address, such as ada@example.com.');
      const at = now();
      await countMailRequest(db, origin.address, at);
      if ((await countAddressProofs(db, email, new Date(at.getTime() - HOUR_MS))) >= KEYS_PER_HOUR) return;
      await db.transaction(async (tx) => {
        const expiresAt = new Date(at.getTime() + KEY_HOURS * HOUR_MS);
        const { secret } = pass;
        const url = await inviteAddressInMail(tx, { publicUrl, secret, email, createdAt: at, expiresAt });
        const { organization, organizationId } = invitation;
        const values = { url, organization, hours: KEY_HOURS };
        await mailer.enqueue(tx, {
          template: 'confirm-invite',
          to: email,
          organizationId,
          expiresAt,
          values,
        });
      });
    },

    async confirmAddress(pass, userId, origin) {
      const { proved } = await read(pass, origin);
      if (proved === null) return;
      await db.transaction(async (tx) => {
        const account = await findUserAccount(tx, proved.email);
        if (account === null || account.userId !== userId || account.emailVerifiedAt !== null) return;
        await markEmailVerified(tx, userId, proved.email, now());
        await recordAudit(tx, {
          organizationId: null,
          action: 'user.verify-email',
          actor: { kind: 'user', id: userId, name: account.displayName, ...origin },
          target: { kind: 'user', id: userId, name: account.displayName },
        });
      });
    },

    async createAccount({ secret, key }, entered, origin) {
      const invitation = await read({ secret, key }, origin);
      const email = invitation.proved?.email ?? (mailer.isSet ? null : invitation.email);
      if (email === null)
        throw new AccountProblem('Open the invitation with the link that was mailed to you, and try again.');
      const displayName = readName(entered.displayName);
      await requireGoodPassword(entered.password, { displayName, email });
      const attempt = await beginInviteAttempt(db, origin.address, now());
      const passwordHash = await hashPassword(entered.password, passwordCost);
      return await db.transaction(async (tx) => {
        const { organizationId } = invitation;
        await lockOrganization(tx, organizationId);
        const organization = await loadOrganization(tx, organizationId);
        const invite = await lockOpenInvite(tx, organizationId, hashToken(secret));
        if (!organization || !invite || (invite.email === null && !organization.inviteLinks))
          throw new InvitationEnded('used-up');
        const isProved = key !== null && (await useProvedAddress(tx, hashToken(key), now())) === email;
        if (mailer.isSet && !isProved)
          throw new AccountProblem('The link from the mail was used already: sign in.');
        await lockEmail(tx, email);
        if (!isProved) await requireOwnDomain(tx, organizationId, email);
        const user = await insertNewUser(tx, {
          id: newId(),
          displayName,
          email,
          emailVerifiedAt: isProved ? now() : null,
        });
        if (user === null)
          throw new AccountProblem('There is an account with this address already: sign in instead.');
        await upsertPassword(tx, user.id, passwordHash, now());
        const actor = { kind: 'user', id: user.id, name: displayName, ...origin } as const;
        await recordAudit(tx, {
          organizationId,
          action: 'user.create',
          actor,
          target: { kind: 'user', id: user.id, name: displayName },
          after: { email, isEmailVerified: isProved, invite: invite.id },
        });
        await admitByInvite(tx, invite, user, actor);
        await attempt.succeed(tx);
        return { userId: user.id, displayName, provider: 'password' };
      });
    },
  };
}
