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
} from '../store/index.ts';
import type { SignIn } from './session-store.ts';

export interface NewAdministrator {
  readonly displayName: string;
  readonly email: string;
}

/** The title of the first organization, where there is none yet. */
const FIRST_ORGANIZATION = 'Documentation';

/**
 * Makes the first person an administrator of the first organization and uses up the set-up key, in one transaction: of
 * several browsers at once, one gets an account. Null for the others, and when somebody can sign in already.
 */
export async function createFirstAdministrator(
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
