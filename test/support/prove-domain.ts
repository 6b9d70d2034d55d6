import { claimEmailDomain, type Db, setEmailDomainProved } from '../../src/store/index.ts';

/** Makes an e-mail domain one that an organization has proved, without the DNS. */
export async function proveDomain(db: Db, organizationId: string, domain: string): Promise<void> {
  await claimEmailDomain(db, { organizationId, domain, challenge: 'x' });
  await setEmailDomainProved(db, organizationId, domain);
}
