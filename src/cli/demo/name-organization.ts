import { createClient, operations } from '../../client/index.ts';
import { createHttp } from '../../net/index.ts';

/** Gives the organization of the platform the name that it has in the addresses of its sites. */
export async function nameOrganization(baseUrl: string, token: string, hostname: string): Promise<void> {
  const http = createHttp({ userAgent: 'docloom-demo' });
  const client = createClient({ baseUrl, token, http });
  try {
    const { items } = await client.call(operations.listOrganizations, { query: { limit: 1 } });
    const [organization] = items;
    if (organization === undefined) throw new Error('The platform has no organization.');
    await client.call(operations.updateOrganization, {
      params: { organizationId: organization.id },
      body: { hostname },
    });
  } finally {
    await http.close();
  }
}
