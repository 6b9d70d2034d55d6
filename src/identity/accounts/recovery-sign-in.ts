import {
  findUserAccount,
  type RequestOrigin,
  replaceRecoveryCodes,
  useRecoveryCode,
} from '../../store/index.ts';
import { normalizeEmail } from '../account-input.ts';
import { newRecoveryCode, normalizeRecoveryCode, RECOVERY_CODES } from '../recovery-codes.ts';
import type { SignIn } from '../session-store.ts';
import { beginRecoveryAttempt } from '../sign-in/attempts.ts';
import { hashToken } from '../token-text.ts';
import { type AccountParts, recordChange, recordFailure, requireOwnAccount } from './account-steps.ts';

/** Sign-in with recovery codes, for administrators while the single sign-on of their organization does not work. */
export interface RecoverySignIn {
  /** Null when the address or the code is wrong, or the code was used. @throws {TooManyAttempts} */
  signInWithRecoveryCode(
    entered: { readonly email: string; readonly code: string },
    origin: RequestOrigin,
  ): Promise<SignIn | null>;
  /** New recovery codes of an administrator, which are shown once; those from before stop working. */
  makeRecoveryCodes(
    member: { readonly organizationId: string; readonly userId: string },
    origin: RequestOrigin,
  ): Promise<readonly string[]>;
}

export function openRecoverySignIn(parts: AccountParts): RecoverySignIn {
  const { db, now } = parts;
  return {
    async signInWithRecoveryCode(entered, origin) {
      const email = normalizeEmail(entered.email);
      const attempt = await beginRecoveryAttempt(db, origin.address, now());
      const account = await findUserAccount(db, email);
      const code = normalizeRecoveryCode(entered.code);
      const used = await db.transaction(async (tx) => {
        const found =
          account === null || code === null
            ? null
            : await useRecoveryCode(tx, { userId: account.userId, hash: hashToken(code), now: now() });
        if (found === null || account === null) return null;
        await attempt.succeed(tx);
        await recordChange(tx, 'recovery-code.use', account, origin, {}, found.organizationId);
        return { account, ...found };
      });
      if (used === null) {
        await recordFailure(
          db,
          email,
          account,
          'The address or the recovery code was wrong, or the code was used.',
          origin,
        );
        return null;
      }
      const { userId, displayName } = used.account;
      return { userId, displayName, provider: 'recovery', ssoOrganizationId: used.organizationId };
    },

    async makeRecoveryCodes(member, origin) {
      const account = await requireOwnAccount(db, member.userId);
      const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
      await db.transaction(async (tx) => {
        await replaceRecoveryCodes(
          tx,
          member,
          codes.map((code) => hashToken(normalizeRecoveryCode(code) ?? code)),
        );
        await recordChange(tx, 'recovery-code.create', account, origin, {}, member.organizationId);
      });
      return codes;
    },
  };
}
