import { createClient, operations } from '../../client/index.ts';
import { createHttp } from '../../net/index.ts';

/**
 * Publishes all spaces as one public site, each as a section of it, and reads it as everybody can.
 *
 * @returns the address of the site
 */
export async function publishAsSite(baseUrl: string, token: string): Promise<string> {
  const http = createHttp({ userAgent: 'docloom-demo' });
  const client = createClient({ baseUrl, token, http });
  try {
    const { items: organizations } = await client.call(operations.listOrganizations, { query: { limit: 1 } });
    const [organization] = organizations;
    if (organization === undefined) throw new Error('The platform has no organization.');
    const organizationId = organization.id;
    await client.call(operations.updateOrganization, {
      params: { organizationId },
      body: { hostname: 'lantern' },
    });
    const { id: siteId } = await client.call(operations.createSite, {
      params: { organizationId },
      body: { title: 'Lantern', visibility: 'public' },
    });
    const params = { organizationId, siteId };
    for await (const { id: spaceId, title } of client.paginate(operations.listSpaces, {
      params: { organizationId },
    })) {
      await client.call(operations.addSection, {
        params,
        body: { spaceId, title: title.replace(/^Lantern /, '') },
      });
    }
    const { urls } = await client.call(operations.publishSite, { params });
    if (urls.published === undefined) throw new Error('The platform gave the site no address.');
    const answer = await fetch(urls.published);
    if (!answer.ok) throw new Error(`The site at ${urls.published} answered ${answer.status}.`);
    return answer.url;
  } finally {
    await http.close();
  }
}
