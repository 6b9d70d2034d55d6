import type { FastifyInstance } from 'fastify';
import { operations } from '../../client/index.ts';
import { sitePath } from '../addresses.ts';
import { renderSiteAudience, renderSiteKey } from '../views/site-audience-view.ts';
import { submit } from './in-organization.ts';
import { type InSite, inSite } from './in-site.ts';
import { nextPage, pageOf } from './list-page.ts';
import { ownForm, secretForm } from './own-forms.ts';
import { readText } from './read-text.ts';
import type { PagesContext } from './signed-in.ts';
import { readVisibility } from './site-list-routes.ts';

const SHOWN = 50;
const path = '/orgs/:organizationId/sites/:siteId/audience';

/** `…/audience`: who reads a site. */
export function registerSiteAudience(app: FastifyInstance, context: PagesContext): void {
  async function show(
    { client, at, frame, request }: InSite<unknown>,
    { problem = null, made = null }: { problem?: string | null; made?: string | null } = {},
  ) {
    const { items, next } = await client.call(operations.listShareLinks, {
      params: at,
      query: { limit: SHOWN, ...pageOf(request) },
    });
    const { fallbackURL } = await client.call(operations.getPublishingAuth, { params: at });
    const isSaved = readText(request.query, 'done') === 'saved' && problem === null && made === null;
    return renderSiteAudience({
      ...frame,
      links: items,
      more: nextPage(sitePath(at.organizationId, at.siteId, 'audience'), next),
      made,
      fallback: fallbackURL ?? '',
      news: isSaved ? 'It was saved.' : null,
      problem,
      now: context.now(),
    });
  }
  app.get(
    path,
    inSite(context, 'audience', (call) => show(call)),
  );

  function form(part: string, act: (call: InSite<{ id: string }>) => Promise<unknown>): void {
    app.post(
      `${path}${part}`,
      ownForm(context),
      inSite<{ id: string }>(context, 'audience', (call) =>
        submit(
          call.reply,
          async () => {
            await act(call);
            const { organizationId, siteId } = call.at;
            return call.reply.redirect(`${sitePath(organizationId, siteId, 'audience')}?done=saved`, 303);
          },
          (problem) => show(call, { problem }),
        ),
      ),
    );
  }
  form('', ({ client, at, request }) =>
    client.call(operations.updateSite, {
      params: at,
      body: { visibility: readVisibility(readText(request.body, 'visibility')) },
    }),
  );
  form('/visitors', ({ client, at, request }) => {
    const address = readText(request.body, 'fallback', 2048).trim();
    return client.call(operations.updatePublishingAuth, {
      params: at,
      body: { fallbackURL: address === '' ? null : address },
    });
  });
  for (const active of [true, false])
    form(`/links/:id/${active ? 'on' : 'off'}`, ({ client, at, params: { id } }) =>
      client.call(operations.updateShareLink, { params: { ...at, shareLinkId: id }, body: { active } }),
    );
  form('/links/:id/delete', ({ client, at, params: { id } }) =>
    client.call(operations.deleteShareLink, { params: { ...at, shareLinkId: id } }),
  );

  app.post(
    `${path}/links`,
    secretForm(context),
    inSite(context, 'audience', (call) =>
      submit(
        call.reply,
        async () => {
          const { client, at, request } = call;
          const name = readText(request.body, 'name', 50).trim();
          const { urls } = await client.call(operations.createShareLink, { params: at, body: { name } });
          return await show(call, { made: urls.published ?? null });
        },
        (problem) => show(call, { problem }),
      ),
    ),
  );
  for (const [part, operation] of [
    ['key', operations.getPublishingAuth],
    ['rotate', operations.regeneratePublishingAuth],
  ] as const)
    app.post(
      `${path}/${part}`,
      secretForm(context),
      inSite(context, 'audience', async ({ client, at, frame }) => {
        const { privateKey } = await client.call(operation, { params: at });
        return renderSiteKey({ ...frame, privateKey });
      }),
    );
}
