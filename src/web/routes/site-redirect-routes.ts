import type { FastifyInstance } from 'fastify';
import { operations } from '../../client/index.ts';
import { sitePath } from '../addresses.ts';
import { renderSiteFeedback, renderSiteRedirects } from '../views/site-redirects-view.ts';
import { submit } from './in-organization.ts';
import { type InSite, inSite } from './in-site.ts';
import { nextPage, pageOf } from './list-page.ts';
import { ownForm } from './own-forms.ts';
import { readText } from './read-text.ts';
import type { PagesContext } from './signed-in.ts';

const SHOWN = 50;
/** Spaces of a site that a redirect may lead to. */
const TARGETS_SHOWN = 200;
const path = '/orgs/:organizationId/sites/:siteId/redirects';

/** `…/redirects` and `…/feedback` of a site. */
export function registerSiteRedirects(app: FastifyInstance, context: PagesContext): void {
  async function show({ client, at, frame, request }: InSite<unknown>, problem: string | null) {
    const isDead = readText(request.query, 'dead') === 'true';
    const find = readText(request.query, 'find', 200).trim();
    const filter = {
      ...(isDead ? { dead: 'true' } : {}),
      ...(find === '' ? {} : { find }),
    };
    const [redirects, siteSpaces] = await Promise.all([
      client.call(operations.listRedirects, {
        params: at,
        query: {
          limit: SHOWN,
          ...pageOf(request),
          ...(isDead ? { dead: true } : {}),
          ...(find === '' ? {} : { search: find }),
        },
      }),
      client.call(operations.listSiteSpaces, { params: at, query: { limit: TARGETS_SHOWN } }),
    ]);
    return renderSiteRedirects({
      ...frame,
      redirects: redirects.items,
      count: redirects.count,
      isDead,
      find,
      more: nextPage(sitePath(at.organizationId, at.siteId, 'redirects'), redirects.next, filter),
      siteSpaces: siteSpaces.items,
      source: readText(request.body, 'source', 512),
      news:
        problem === null && readText(request.query, 'done') === 'saved' ? 'The redirects were saved.' : null,
      problem,
    });
  }
  const saved = ({ at, reply }: InSite<unknown>) =>
    reply.redirect(`${sitePath(at.organizationId, at.siteId, 'redirects')}?done=saved`, 303);

  app.get(
    path,
    inSite(context, 'redirects', (call) => show(call, null)),
  );
  app.post(
    path,
    ownForm(context),
    inSite(context, 'redirects', (call) =>
      submit(
        call.reply,
        async () => {
          const { client, at, request } = call;
          await client.call(operations.createRedirect, {
            params: at,
            body: {
              source: readText(request.body, 'source', 513).trim(),
              destination: { kind: 'site-space', siteSpaceId: readText(request.body, 'to', 100) },
            },
          });
          return saved(call);
        },
        (problem) => show(call, problem),
      ),
    ),
  );
  app.post(
    `${path}/:id/delete`,
    ownForm(context),
    inSite<{ id: string }>(context, 'redirects', async (call) => {
      const { client, at, params } = call;
      await client.call(operations.deleteRedirect, { params: { ...at, siteRedirectId: params.id } });
      return saved(call);
    }),
  );

  app.get(
    '/orgs/:organizationId/sites/:siteId/feedback',
    inSite(context, 'feedback', async ({ client, at, frame, request }) => {
      const wanted = readText(request.query, 'helpful');
      const helpful = wanted === 'yes' || wanted === 'no' ? wanted : '';
      const { items, count, next } = await client.call(operations.listSiteFeedback, {
        params: at,
        query: {
          limit: SHOWN,
          ...pageOf(request),
          ...(helpful === '' ? {} : { helpful: helpful === 'yes' }),
        },
      });
      return renderSiteFeedback({
        ...frame,
        feedback: items,
        count,
        helpful,
        more: nextPage(
          sitePath(at.organizationId, at.siteId, 'feedback'),
          next,
          helpful === '' ? {} : { helpful },
        ),
        now: context.now(),
      });
    }),
  );
}
