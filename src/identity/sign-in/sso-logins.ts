import { type Db, hasProviderForSomeDomain, listProvidersOfDomain } from '../../store/index.ts';
import { AccountProblem, normalizeEmail } from '../account-input.ts';
import { oidcServiceOf } from '../oidc/service.ts';
import { domainOf } from '../providers/admit-user.ts';
import { serviceOf } from '../saml/service.ts';
import { countLoginSearch } from './attempts.ts';

/** A provider at which people sign in. */
export interface ProviderLogin {
  readonly label: string;
  /** The path of this server at which signing in begins. */
  readonly path: string;
}

/** Where the members of organizations sign in, by the domain of their e-mail address. */
export interface SsoLogins {
  /** Whether there is any. */
  exist(): Promise<boolean>;
  /**
   * The providers that work, of the organizations that proved the domain of this address, whether somebody has it or not.
   *
   * @throws AccountProblem for a text that is no address
   * @throws TooManyAttempts
   */
  find(email: string, address: string | null): Promise<readonly ProviderLogin[]>;
}

export function openSsoLogins({
  db,
  now = () => new Date(),
}: {
  readonly db: Db;
  readonly now?: () => Date;
}): SsoLogins {
  return {
    exist: () => hasProviderForSomeDomain(db),
    async find(email, address) {
      await countLoginSearch(db, address, now());
      const domain = domainOf(normalizeEmail(email));
      if (domain === null) throw new AccountProblem('Enter your e-mail address, such as ada@example.com.');
      const rows = await listProvidersOfDomain(db, domain);
      return rows.map(({ id, kind, label }) => {
        const { startURL } = kind === 'oidc' ? oidcServiceOf('', id) : serviceOf('', id);
        return { label, path: startURL };
      });
    },
  };
}
