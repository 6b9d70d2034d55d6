import { type Organization, operations, type PlatformClient, PlatformError } from '../../client/index.ts';
import type { WaysBack } from '../views/member-removal-view.ts';

/** As many as a page of a list has at most. */
const LIMIT = 1000;

/** Null where they cannot be known, as for readers who are no administrators. */
export async function findWaysBack(
  client: PlatformClient,
  organization: Organization,
  email: string | undefined,
): Promise<WaysBack | null> {
  try {
    return await listWaysBack(client, organization, email);
  } catch (error) {
    if (error instanceof PlatformError && error.status < 500) return null;
    throw error;
  }
}

async function listWaysBack(
  client: PlatformClient,
  organization: Organization,
  email: string | undefined,
): Promise<WaysBack> {
  const domain = email?.split('@').at(-1)?.toLowerCase() ?? '';
  const mayJoin = organization.emailDomains.includes(domain);
  if (!(await isProved(client, organization.id, domain))) return { providers: [], mayJoin, domain };
  const list = { params: { organizationId: organization.id }, query: { limit: LIMIT } };
  const [saml, oidc] = await Promise.all([
    client.call(operations.listSamlProviders, list),
    client.call(operations.listOidcProviders, list),
  ]);
  const complete = [
    ...oidc.items.filter(({ issuer, clientID }) => issuer !== '' && clientID !== ''),
    ...saml.items.filter(({ entityID, certificate }) => entityID !== '' && certificate !== ''),
  ];
  return { providers: complete.map(({ label }) => label), mayJoin, domain };
}

async function isProved(client: PlatformClient, organizationId: string, domain: string): Promise<boolean> {
  let page: string | undefined;
  do {
    const { items, next } = await client.call(operations.listEmailDomains, {
      params: { organizationId },
      query: { limit: LIMIT, ...(page === undefined ? {} : { page }) },
    });
    const found = items.find((one) => one.domain === domain);
    if (found !== undefined) return found.status === 'proved';
    page = next?.page;
  } while (page !== undefined);
  return false;
}
