import {
  type Db,
  ensureMember,
  findIdentityUser,
  findUserByEmail,
  hasProvedDomain,
  type IdentityKey,
  type IdentityProviderRow,
  insertUserIdentity,
  insertVerifiedUser,
  loadMember,
  loadTeam,
  loadUser,
  lockIdentity,
  lockWaysIn,
  newId,
  putTeamMembers,
  setEmailVerified,
  type UserRow,
} from '../../store/index.ts';
import { storableText } from '../storable-text.ts';

/** Somebody whom an identity provider vouches for may not come in. One sentence for them that says what to do. */
export class AdmissionRefused extends Error {
  override readonly name = 'AdmissionRefused';
}

/** What an identity provider says about somebody. */
export interface ProvedIdentity {
  /** Never changes, and names nobody else ever. */
  readonly subject: string;
  /** What people know the account by. */
  readonly label: string;
  /** Null when the provider names none that it answers for. */
  readonly email: string | null;
  /** Why there is none, in one sentence for that person. */
  readonly emailProblem?: string;
  readonly displayName: string | null;
}

/** A user who was admitted, and what that changed of the account. */
export interface AdmittedUser {
  readonly user: UserRow;
  readonly isNew: boolean;
  /** Whether the address of a user who was there counts as theirs from now on. */
  readonly isConfirmed: boolean;
}

/**
 * The user of an account at an identity provider. Who comes for the first time is linked to the user with their address,
 * if that is known to be theirs or nobody else can be using it, or becomes a new one, and a member with the provider's
 * default role and team. An identity provider speaks only for addresses of domains that its organization has proved.
 *
 * @throws AdmissionRefused
 */
export async function admitUser(
  tx: Db,
  provider: IdentityProviderRow,
  identity: ProvedIdentity,
): Promise<AdmittedUser> {
  const known = await lockAccount(tx, provider, identity);
  if (known !== null) return await admitKnown(tx, provider, known, identity);
  const email = await requireAddress(tx, provider, identity);
  const existing = await findUserByEmail(tx, email);
  if (existing !== null) await requireLinkable(tx, provider, existing);
  const user =
    (existing && (await confirmAddress(tx, existing))) ??
    (await insertVerifiedUser(tx, {
      id: newId(),
      email,
      displayName:
        storableText(identity.displayName ?? '')
          .trim()
          .slice(0, 200) || (email.split('@')[0] as string),
    }));
  await insertAccount(tx, provider, user, identity);
  return { user, isNew: existing === null, isConfirmed: existing !== null && user !== existing };
}

/**
 * Links an account at an identity provider to a user who is signed in, by the rules of a first sign-in there, and with the
 * address of that user. That nobody has confirmed it is no obstacle: their session shows who they are here, and the provider
 * whose address it is. `isNew` is false where the account was theirs already.
 *
 * @throws AdmissionRefused
 */
export async function linkUser(
  tx: Db,
  provider: IdentityProviderRow,
  userId: string,
  identity: ProvedIdentity,
): Promise<AdmittedUser> {
  const known = await lockAccount(tx, provider, identity);
  if (known !== null && known.id !== userId)
    throw new AdmissionRefused(
      `The account ${storableText(identity.label)} of ${provider.label} is another user’s here; sign in there with your own.`,
    );
  if (known !== null) return await admitKnown(tx, provider, known, identity);
  const email = await requireAddress(tx, provider, identity);
  const ways = await lockWaysIn(tx, userId);
  const user = await loadUser(tx, userId);
  if (user === null) throw new AdmissionRefused('This account was removed.');
  if (user.email !== email)
    throw new AdmissionRefused(
      `${provider.label} knows you as ${email}, and this account has the address ${user.email}; sign in there as ${user.email}.`,
    );
  requireNoOther(provider, email, ways);
  const confirmed = await confirmAddress(tx, user);
  await insertAccount(tx, provider, user, identity);
  return { user: confirmed, isNew: true, isConfirmed: confirmed !== user };
}

/** The user of an account, whom nobody else admits until the transaction is complete; null when it is new here. */
async function lockAccount(
  tx: Db,
  provider: IdentityProviderRow,
  { subject, email }: ProvedIdentity,
): Promise<UserRow | null> {
  if (storableText(subject) !== subject)
    throw new AdmissionRefused(
      `${provider.label} knows you by an identifier with control characters; ask an administrator to send another one.`,
    );
  const key: IdentityKey = { kind: provider.kind as 'saml' | 'oidc', providerId: provider.id, subject };
  await lockIdentity(tx, key, addressOf(email));
  return await findIdentityUser(tx, key);
}

async function admitKnown(
  tx: Db,
  provider: IdentityProviderRow,
  known: UserRow,
  { email }: ProvedIdentity,
): Promise<AdmittedUser> {
  await requireProvedDomain(tx, provider.organizationId, domainOf(known.email) ?? '');
  await requireEnabled(tx, provider.organizationId, known.id);
  await join(tx, provider, known.id);
  // Another address is not taken over: at many providers people write their own, and mail to it never reached them here.
  const user = addressOf(email) === known.email ? await confirmAddress(tx, known) : known;
  return { user, isNew: false, isConfirmed: user !== known };
}

/** Records whose account it is from now on, and makes them a member. */
async function insertAccount(
  tx: Db,
  provider: IdentityProviderRow,
  user: UserRow,
  identity: ProvedIdentity,
): Promise<void> {
  await requireEnabled(tx, provider.organizationId, user.id);
  await insertUserIdentity(tx, {
    id: newId(),
    userId: user.id,
    providerId: provider.id,
    kind: provider.kind,
    subject: identity.subject,
    label: storableText(identity.label).slice(0, 300),
  });
  await join(tx, provider, user.id);
}

function addressOf(sent: string | null): string | null {
  const address = sent?.trim().toLowerCase() ?? null;
  return domainOf(address) === null ? null : address;
}

/** The address that a provider speaks for. @throws AdmissionRefused when it sent none, or one of a domain that is not its */
async function requireAddress(
  tx: Db,
  provider: IdentityProviderRow,
  { email: sent, emailProblem }: ProvedIdentity,
): Promise<string> {
  const email = addressOf(sent);
  if (email === null)
    throw new AdmissionRefused(
      storableText(
        emailProblem ??
          `${provider.label} did not send your e-mail address; ask an administrator to send it as the attribute email.`,
      ),
    );
  await requireProvedDomain(tx, provider.organizationId, domainOf(email) ?? '');
  return email;
}

/** Whether an account that is new here may be that of a user who has its address already. @throws AdmissionRefused */
async function requireLinkable(tx: Db, provider: IdentityProviderRow, user: UserRow): Promise<void> {
  const { email } = user;
  const ways = await lockWaysIn(tx, user.id);
  requireNoOther(provider, email ?? '', ways);
  // Who signed up with somebody else’s address must not share an account with them; one that nobody can use is no risk.
  if (user.emailVerifiedAt === null && ways.hasAny)
    throw new AdmissionRefused(
      `There is a user with the address ${email} who has not confirmed it; sign in as that user, and link ${provider.label} on the page of the account.`,
    );
}

/** An address that is given to somebody else must not take the account of whoever had it before along. */
function requireNoOther(
  provider: IdentityProviderRow,
  email: string,
  { providerIds }: Awaited<ReturnType<typeof lockWaysIn>>,
): void {
  if (providerIds.has(provider.id))
    throw new AdmissionRefused(
      `The user with the address ${email} signs in with another account of ${provider.label}; ask an administrator of your organization.`,
    );
}

/** The user, whose address the provider speaks for. */
async function confirmAddress(tx: Db, user: UserRow): Promise<UserRow> {
  return user.emailVerifiedAt === null ? await setEmailVerified(tx, user.id) : user;
}

async function requireProvedDomain(tx: Db, organizationId: string, domain: string): Promise<void> {
  if (await hasProvedDomain(tx, organizationId, domain)) return;
  throw new AdmissionRefused(
    `Your organization has not proved that the domain ${domain} is its own; ask an administrator to add it to single sign-on.`,
  );
}

async function requireEnabled(tx: Db, organizationId: string, userId: string): Promise<void> {
  const found = await loadMember(tx, organizationId, userId);
  if (found?.member.disabledAt != null)
    throw new AdmissionRefused('Your membership is disabled; ask an administrator of your organization.');
}

/** The role of an existing member stays. */
async function join(tx: Db, provider: IdentityProviderRow, userId: string): Promise<void> {
  const { organizationId, defaultRole, defaultTeamId } = provider;
  if ((await loadMember(tx, organizationId, userId)) !== null) return;
  await ensureMember(tx, { organizationId, userId, role: defaultRole });
  const found = defaultTeamId && (await loadTeam(tx, organizationId, defaultTeamId, userId));
  // The members of a provisioned team are those that its provider names.
  if (found && found.team.provisionedAt === null)
    await putTeamMembers(tx, found.team, [{ userId, role: null }]);
}

/** The domain of an address; null for a text that is none. */
export function domainOf(email: string | null): string | null {
  const [, domain] = /^[^\s@<>"\p{Cc}\p{Cs}]{1,64}@([a-z0-9.-]{1,253})$/u.exec(email ?? '') ?? [];
  return domain ?? null;
}
