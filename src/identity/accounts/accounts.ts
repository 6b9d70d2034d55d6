import { type AccountAddress, openAccountAddress } from './account-address.ts';
import type { AccountParts } from './account-steps.ts';
import { type FirstAdministration, openFirstAdministration } from './first-administrator.ts';
import { type LinkSignIn, openLinkSignIn } from './link-sign-in.ts';
import { type OwnAccounts, openOwnAccounts } from './own-account.ts';
import { openPasswordSignIn, type PasswordSignIn } from './password-sign-in.ts';
import { openRecoverySignIn, type RecoverySignIn } from './recovery-sign-in.ts';

/** Sign-in by password, by mail and by recovery code, and what people change of their own account. */
export interface Accounts
  extends PasswordSignIn,
    RecoverySignIn,
    LinkSignIn,
    OwnAccounts,
    AccountAddress,
    FirstAdministration {}

export function openAccounts({
  now = () => new Date(),
  ...given
}: Omit<AccountParts, 'now'> & { readonly now?: () => Date }): Accounts {
  const parts: AccountParts = { ...given, now };
  return {
    ...openPasswordSignIn(parts),
    ...openRecoverySignIn(parts),
    ...openLinkSignIn(parts),
    ...openOwnAccounts(parts),
    ...openAccountAddress(parts),
    ...openFirstAdministration(parts),
  };
}
