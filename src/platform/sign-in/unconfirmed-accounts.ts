import type { UnconfirmedAccount } from '../../contract/index.ts';
import {
  type Database,
  lockUnconfirmedAccount,
  recordAudit,
  removeWaysIn,
  renameUser,
  type UserRow,
} from '../../store/index.ts';
import type { Caller } from '../access/caller.ts';

export function presentUnconfirmedAccount({
  id,
  displayName,
  email,
  createdAt,
}: UserRow): UnconfirmedAccount {
  return { object: 'unconfirmed-account', id, displayName, email, createdAt: createdAt.toISOString() };
}

/** Ends every way into an account that has an address of the organization; nothing for any other account. */
export async function releaseUnconfirmedAccount(
  db: Database,
  caller: Caller,
  organizationId: string,
  userId: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    const user = await lockUnconfirmedAccount(tx, organizationId, userId);
    if (user === null) return;
    await removeWaysIn(tx, user.id, new Date());
    // Whoever gets the account is somebody else.
    const displayName = user.email.split('@')[0] ?? user.email;
    await renameUser(tx, user.id, displayName);
    await recordAudit(tx, {
      organizationId,
      action: 'user.release',
      actor: caller.actor,
      target: { kind: 'user', id: user.id, name: user.email },
      before: { displayName: user.displayName },
      after: { displayName },
    });
  });
}
