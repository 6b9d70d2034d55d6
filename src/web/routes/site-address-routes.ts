import type { FastifyInstance } from 'fastify';
import { type EmailDomain, operations } from '../../client/index.ts';
import { sitePath } from '../addresses.ts';
import { renderSiteAddress } from '../views/site-address-view.ts';
import { submit } from './in-organization.ts';
import { type InSite, inSite } from './in-site.ts';
import { ownForm } from './own-forms.ts';
import { readText } from './read-text.ts';
import type { PagesContext } from './signed-in.ts';

const path = '/orgs/:organizationId/sites/:siteId/address';
/** Claims of domains that an organization has; there are few. */
const DOMAINS_READ = 1000;

/** What was done, by the value of `done` in the address. */
const NEWS: ReadonlyMap<string, string> = new Map([
  ['saved', 'The address was saved.'],
  ['proved', 'The domain is proved.'],
]);

/** `…/address`: where a site is served. */
export function registerSiteAddress(app: FastifyInstance, context: PagesContext): void {
  async function findClaim({ client, at, site }: InSite<unknown>): Promise<EmailDomain | null> {
    const { hostname, hostnameStatus } = site;
    if (hostname === undefined || hostnameStatus === 'proved') return null;
    const { items } = await client.call(operations.listEmailDomains, {
      params: { organizationId: at.organizationId },
      query: { limit: DOMAINS_READ },
    });
    const above = items.filter(({ domain }) => hostname === domain || hostname.endsWith(`.${domain}`));
    return above.find(({ domain }) => domain === hostname) ?? above[0] ?? null;
  }
  async function show(call: InSite<unknown>, problem: string | null) {
    const news = problem === null ? (NEWS.get(readText(call.request.query, 'done')) ?? null) : null;
    return renderSiteAddress({ ...call.frame, proof: await findClaim(call), news, problem });
  }
  const back = ({ at, reply }: InSite<unknown>, done: string) =>
    reply.redirect(
      `${sitePath(at.organizationId, at.siteId, 'address')}${done === '' ? '' : `?done=${done}`}`,
      303,
    );

  app.get(
    path,
    inSite(context, 'address', (call) => show(call, null)),
  );
  app.post(
    path,
    ownForm(context),
    inSite(context, 'address', (call) =>
      submit(
        call.reply,
        async () => {
          const { client, at, request } = call;
          const text = (name: string) => readText(request.body, name, 600).trim();
          const orNull = (name: string) => (text(name) === '' ? null : text(name));
          const body = { basename: text('basename'), hostname: orNull('hostname'), proxy: orNull('proxy') };
          await client.call(operations.updateSite, { params: at, body });
          return back(call, 'saved');
        },
        (problem) => show(call, problem),
      ),
    ),
  );
  app.post(
    `${path}/prove`,
    ownForm(context),
    inSite(context, 'address', (call) =>
      submit(
        call.reply,
        async () => {
          const { client, at, site } = call;
          const claim = await findClaim(call);
          const params = {
            organizationId: at.organizationId,
            emailDomain: claim?.domain ?? site.hostname ?? '',
          };
          // The first time the record is shown, which somebody then adds.
          if (claim === null) await client.call(operations.claimEmailDomain, { params });
          else await client.call(operations.proveEmailDomain, { params });
          return back(call, claim === null ? '' : 'proved');
        },
        (problem) => show(call, problem),
      ),
    ),
  );
}
