import { type Account, type Db, isManagedDomain } from '../store/index.ts';
import { AccountProblem } from './account-input.ts';

/**
 * Addresses of a domain that an organization proved, and whose people an identity provider signs in or keeps up to date,
 * are the provider's to give and take: nobody moves to one, and no member of that organization leaves theirs.
 *
 * @throws {AccountProblem}
 */
export async function requireUnmanaged(
  db: Db,
  account: Pick<Account, 'userId' | 'email'>,
  wanted: string,
): Promise<void> {
  const [from, to] = [domainOf(account.email), domainOf(wanted)];
  if (await isManagedDomain(db, from, account.userId))
    throw new AccountProblem(
      `Your address belongs to ${from}, whose people your organization manages by its single sign-on; ask an administrator there to change it.`,
    );
  if (await isManagedDomain(db, to))
    throw new AccountProblem(
      `An organization manages the addresses of ${to} by its single sign-on, so no other account can take one; sign in there instead, or enter an address of another domain.`,
    );
}

function domainOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1);
}
