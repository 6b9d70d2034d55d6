import type { FastifyReply, FastifyRequest } from 'fastify';
import { operations, type Site } from '../../client/index.ts';
import { type ManagedSiteFrame, type SiteTab, siteTabs } from '../views/site-frame.ts';
import { type InOrganization, inOrganization } from './in-organization.ts';
import { type PagesContext, renderNotFound } from './signed-in.ts';

export interface InSite<Params> extends InOrganization<Params & { readonly siteId: string }> {
  readonly site: Site;
  /** For `renderSitePage`. */
  readonly frame: ManagedSiteFrame;
  /** Of the operations about this site. */
  readonly at: { readonly organizationId: string; readonly siteId: string };
}

/** Makes a handler for a page, or a form, of a site's tab; 404 for whoever may not see the tab. */
export function inSite<Params = unknown>(
  context: PagesContext,
  tab: SiteTab,
  handler: (call: InSite<Params>) => Promise<string | FastifyReply>,
): (request: FastifyRequest, reply: FastifyReply) => Promise<string | FastifyReply> {
  return inOrganization<Params & { readonly siteId: string }>(context, 'sites', async (call) => {
    const { client, organization, session, params } = call;
    const at = { organizationId: organization.id, siteId: params.siteId };
    const site = await client.call(operations.getSite, { params: at });
    if (!site.permissions[siteTabs[tab].right]) return call.reply.code(404).send(renderNotFound(session));
    return await handler({ ...call, site, at, frame: { organization, site, user: session } });
  });
}
