import {
  countRecoveryCodes,
  isMemberElsewhere,
  loadAccount,
  type RequestOrigin,
  renameUser,
} from '../../store/index.ts';
import { readName, requireGoodPassword } from '../account-input.ts';
import { hashPassword } from '../passwords/hash-password.ts';
import { hashToken } from '../token-text.ts';
import {
  type AccountParts,
  recordChange,
  requireCurrentPassword,
  requireOwnAccount,
  setPassword,
} from './account-steps.ts';

/** What people see and change of their own account: its name and its password. */
export interface OwnAccounts {
  load(userId: string): Promise<OwnAccount | null>;
  /** Whether a user is a member of no other organization. */
  isOnlyIn(userId: string, organizationId: string): Promise<boolean>;
  /** @throws {AccountProblem} */
  rename(userId: string, displayName: string, origin: RequestOrigin): Promise<void>;
  /**
   * Sets a password, or another one, and ends the user's other sessions.
   *
   * @param session The secret of the session that stays.
   * @throws {AccountProblem} {TooManyAttempts}
   */
  changePassword(
    userId: string,
    change: { readonly current: string; readonly next: string; readonly session: string | null },
    origin: RequestOrigin,
  ): Promise<void>;
}

/** What people see of their own account. */
export interface OwnAccount {
  readonly displayName: string;
  readonly email: string;
  readonly isEmailVerified: boolean;
  readonly hasPassword: boolean;
  /** Unused ones, by organization. */
  readonly recoveryCodes: ReadonlyMap<string, number>;
}

export function openOwnAccounts(parts: AccountParts): OwnAccounts {
  const { db, passwordCost } = parts;
  return {
    async load(userId) {
      const account = await loadAccount(db, userId);
      if (account === null) return null;
      return {
        displayName: account.displayName,
        email: account.email,
        isEmailVerified: account.emailVerifiedAt !== null,
        hasPassword: account.passwordHash !== null,
        recoveryCodes: await countRecoveryCodes(db, userId),
      };
    },

    isOnlyIn: async (userId, organizationId) => !(await isMemberElsewhere(db, organizationId, userId)),

    async rename(userId, displayName, origin) {
      const account = await requireOwnAccount(db, userId);
      const name = readName(displayName);
      if (name === account.displayName) return;
      await db.transaction(async (tx) => {
        await renameUser(tx, userId, name);
        await recordChange(tx, 'user.update', { ...account, displayName: name }, origin, {
          before: { displayName: account.displayName },
          after: { displayName: name },
        });
      });
    },

    async changePassword(userId, { current, next, session }, origin) {
      const account = await requireOwnAccount(db, userId);
      await requireCurrentPassword(parts, account, current, origin);
      await requireGoodPassword(next, account);
      const hash = await hashPassword(next, passwordCost);
      await db.transaction(async (tx) => {
        await setPassword(parts, tx, account, hash, session === null ? null : hashToken(session));
        await recordChange(tx, 'user.change-password', account, origin);
      });
    },
  };
}
