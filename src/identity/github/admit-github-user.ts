import {
  type AuditActor,
  type Db,
  describeInvite,
  findIdentityUser,
  findProvingOrganization,
  findUserByEmail,
  findUserIdentity,
  type IdentityKey,
  insertUserIdentity,
  insertVerifiedUser,
  lockIdentity,
  newId,
  type RequestOrigin,
  recordAudit,
  type UserRow,
} from '../../store/index.ts';
import { AdmissionRefused } from '../providers/admit-user.ts';
import { hashToken } from '../token-text.ts';
import type { GitHubUser } from './github-user.ts';

export function gitHubKey({ id }: Pick<GitHubUser, 'id'>): IdentityKey {
  return { kind: 'github', providerId: null, subject: String(id) };
}

/**
 * The user of a GitHub account. Nobody comes in by having such an account: who comes for the first time is linked to the user
 * with their verified primary address, if it is confirmed here, too; a new user needs an invitation or an address of a domain
 * that an organization proved.
 *
 * @throws AdmissionRefused
 */
export async function admitGitHubUser(
  tx: Db,
  person: GitHubUser,
  asked: {
    /** Null without a verified primary address; undefined when the App may not read addresses, or nobody asked. */
    readonly email: string | null | undefined;
    /** The secret of the invitation that this browser opened. */
    readonly inviteSecret: string | null;
    readonly origin: RequestOrigin;
  },
): Promise<UserRow> {
  const email = asked.email?.trim().toLowerCase() ?? null;
  const key = gitHubKey(person);
  await lockIdentity(tx, key, email);
  const known = await findIdentityUser(tx, key);
  if (known !== null) return known;
  if (asked.email === undefined)
    throw new AdmissionRefused(
      `The GitHub account ${person.login} is linked to nobody here, and this server’s GitHub App may not read e-mail addresses; sign in another way, and link it on the page of your account.`,
    );
  if (email === null)
    throw new AdmissionRefused(
      `The GitHub account ${person.login} is linked to nobody here, and has no verified primary e-mail address; sign in another way, and link it on the page of your account.`,
    );
  const existing = await findUserByEmail(tx, email);
  if (existing !== null && existing.emailVerifiedAt === null)
    throw new AdmissionRefused(
      `There is a user with the address ${email} who has not confirmed it; sign in as that user, and link the GitHub account on the page of the account.`,
    );
  const user = existing ?? (await createUser(tx, person, { ...asked, email }));
  await linkGitHubUser(tx, user, person, asked.origin);
  return user;
}

/** Links a GitHub account to a user. @throws AdmissionRefused when either has another one */
export async function linkGitHubUser(
  tx: Db,
  user: Pick<UserRow, 'id' | 'displayName'>,
  person: GitHubUser,
  origin: RequestOrigin,
): Promise<void> {
  const key = gitHubKey(person);
  await lockIdentity(tx, key, `github of ${user.id}`);
  const owner = await findIdentityUser(tx, key);
  if (owner?.id === user.id) return;
  if (owner !== null)
    throw new AdmissionRefused(
      `The GitHub account ${person.login} is linked to another user here; unlink it there first.`,
    );
  const other = await findUserIdentity(tx, user.id, 'github');
  if (other !== null)
    throw new AdmissionRefused(
      `This user is linked to the GitHub account ${other.label ?? other.subject}; unlink it on the page of the account first.`,
    );
  await insertUserIdentity(tx, {
    id: newId(),
    userId: user.id,
    providerId: null,
    kind: 'github',
    subject: key.subject,
    label: person.login,
  });
  await recordAudit(tx, {
    organizationId: null,
    action: 'user.link-github',
    actor: { kind: 'user', id: user.id, name: user.displayName, ...origin },
    target: { kind: 'user', id: user.id, name: user.displayName },
    after: { gitHub: person.login, gitHubId: person.id },
  });
}

async function createUser(
  tx: Db,
  person: GitHubUser,
  asked: { readonly email: string; readonly inviteSecret: string | null; readonly origin: RequestOrigin },
): Promise<UserRow> {
  const { email, inviteSecret, origin } = asked;
  const found = inviteSecret === null ? null : await describeInvite(tx, hashToken(inviteSecret));
  const isInvited =
    found !== null && found.end === null && (found.invite.email === null || found.invite.email === email);
  const organizationId = isInvited
    ? found.organization.id
    : await findProvingOrganization(tx, email.split('@').at(-1) ?? '');
  if (organizationId === null)
    throw new AdmissionRefused(
      `Nobody here has the address ${email} of the GitHub account ${person.login}; ask an administrator for an invitation.`,
    );
  const user = await insertVerifiedUser(tx, {
    id: newId(),
    email,
    displayName: (person.name ?? '').trim().slice(0, 100) || person.login,
  });
  const actor: AuditActor = { kind: 'user', id: user.id, name: user.displayName, ...origin };
  await recordAudit(tx, {
    organizationId,
    action: 'user.create',
    actor,
    target: { kind: 'user', id: user.id, name: user.displayName },
    after: {
      email,
      isEmailVerified: true,
      gitHub: person.login,
      ...(isInvited && { invite: found.invite.id }),
    },
  });
  return user;
}
