import {
  type Database,
  ensureUser,
  findOrganization,
  hasPeople,
  insertOrganization,
  makeAdministrator,
  newId,
  type RequestOrigin,
  recordAudit,
  renameUser,
  takeServerSecret,
  upsertPassword,
} from '../../store/index.ts';
import { AccountProblem, normalizeEmail, readName, requireGoodPassword } from '../account-input.ts';
import { isMailAddress } from '../mail/smtp-settings.ts';
import { hashPassword } from '../passwords/hash-password.ts';
import type { SignIn } from '../session-store.ts';
import type { AccountParts } from './account-steps.ts';

interface NewAdministrator {
  readonly displayName: string;
  readonly email: string;
}

/** The way in to a server where nobody can sign in yet. */
export interface FirstAdministration {
  /** Whether anybody can sign in other than with a token. */
  hasPeople(): Promise<boolean>;
  /**
   * Makes the first administrator, once: null when there is one already, or the set-up key was used meanwhile.
   *
   * @throws {AccountProblem}
   */
  createFirstAdministrator(
    administrator: NewAdministrator & { readonly password: string },
    origin: RequestOrigin,
  ): Promise<SignIn | null>;
}

/** The title of the first organization, where there is none yet. */
const FIRST_ORGANIZATION = 'Documentation';

export function openFirstAdministration(parts: AccountParts): FirstAdministration {
  const { db, passwordCost, now } = parts;
  return {
    hasPeople: () => hasPeople(db),

    async createFirstAdministrator({ password, ...entered }, origin) {
      const email = normalizeEmail(entered.email);
      if (!isMailAddress(email))
        throw new AccountProblem('Enter your e-mail address, such as ada@example.com.');
      const displayName = readName(entered.displayName);
      await requireGoodPassword(password, { displayName, email });
      const passwordHash = await hashPassword(password, passwordCost);
      const administrator = { displayName, email };
      return await insertFirstAdministrator(db, { ...administrator, passwordHash, now: now(), origin });
    },
  };
}

/**
 * Makes the first person an administrator of the first organization and uses up the set-up key, in one transaction: of
 * several browsers at once, one gets an account. Null for the others, and when somebody can sign in already.
 */
async function insertFirstAdministrator(
  db: Database,
  {
    displayName,
    email,
    passwordHash,
    now,
    origin,
  }: NewAdministrator & { readonly passwordHash: string; readonly now: Date; readonly origin: RequestOrigin },
): Promise<SignIn | null> {
  return await db.transaction(async (tx) => {
    // The row of the key is the lock.
    if (!(await takeServerSecret(tx, 'setup-key')) || (await hasPeople(tx))) return null;
    const user = await ensureUser(tx, { id: newId(), displayName, email });
    await renameUser(tx, user.id, displayName);
    const organization =
      (await findOrganization(tx, null)) ??
      (await insertOrganization(tx, { id: newId(), title: FIRST_ORGANIZATION, adminId: user.id }));
    await makeAdministrator(tx, organization.id, user.id);
    await upsertPassword(tx, user.id, passwordHash, now);
    await recordAudit(tx, {
      organizationId: organization.id,
      action: 'member.add',
      actor: { kind: 'nobody', id: null, name: 'the set-up key', ...origin },
      target: { kind: 'user', id: user.id, name: displayName },
      after: { role: 'admin' },
    });
    return { userId: user.id, displayName, provider: 'set-up' };
  });
}
