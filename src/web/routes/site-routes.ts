import type { FastifyInstance } from 'fastify';
import { operations } from '../../client/index.ts';
import { organizationPath, sitePath } from '../addresses.ts';
import { renderPublishQuestion, renderSite } from '../views/site-view.ts';
import { submit, UnusableInput } from './in-organization.ts';
import { type InSite, inSite } from './in-site.ts';
import { ownForm } from './own-forms.ts';
import { readText } from './read-text.ts';
import type { PagesContext } from './signed-in.ts';

const path = '/orgs/:organizationId/sites/:siteId';

/** What was done, by the value of `done` in the address. */
const NEWS: ReadonlyMap<string, string> = new Map([
  ['published', 'The site is published.'],
  ['unpublished', 'The site is not published any more.'],
  ['saved', 'The site was saved.'],
]);

/** A site: its overview, publishing it, its name, and deleting it. */
export function registerSite(app: FastifyInstance, context: PagesContext): void {
  async function show({ client, at, site, frame, request }: InSite<unknown>, problem: string | null) {
    const dead = site.permissions.edit
      ? (await client.call(operations.listRedirects, { params: at, query: { dead: true, limit: 1 } })).count
      : 0;
    const news = problem === null ? (NEWS.get(readText(request.query, 'done')) ?? null) : null;
    return renderSite({ ...frame, dead, news, problem, now: context.now() });
  }
  app.get(
    path,
    inSite(context, 'overview', (call) => show(call, null)),
  );

  for (const isPublished of [true, false]) {
    const part = isPublished ? 'publish' : 'unpublish';
    app.get(
      `${path}/${part}`,
      inSite(context, 'audience', async ({ site, frame, reply }) => {
        // Somebody else did it meanwhile.
        if (site.published === isPublished)
          return reply.redirect(sitePath(frame.organization.id, site.id), 303);
        return renderPublishQuestion(frame);
      }),
    );
    app.post(
      `${path}/${part}`,
      ownForm(context),
      inSite(context, 'audience', (call) =>
        submit(
          call.reply,
          async () => {
            const { client, at, reply } = call;
            await client.call(isPublished ? operations.publishSite : operations.unpublishSite, {
              params: at,
            });
            return reply.redirect(`${sitePath(at.organizationId, at.siteId)}?done=${part}ed`, 303);
          },
          async (problem) => renderPublishQuestion({ ...call.frame, problem }),
        ),
      ),
    );
  }

  app.post(
    `${path}/settings`,
    ownForm(context),
    inSite(context, 'overview', (call) =>
      submit(
        call.reply,
        async () => {
          const { client, at, request, reply } = call;
          const title = readText(request.body, 'title').trim();
          await client.call(operations.updateSite, { params: at, body: { title } });
          return reply.redirect(`${sitePath(at.organizationId, at.siteId)}?done=saved`, 303);
        },
        (problem) => show(call, problem),
      ),
    ),
  );
  app.post(
    `${path}/delete`,
    ownForm(context),
    inSite(context, 'overview', (call) =>
      submit(
        call.reply,
        async () => {
          const { client, at, request, reply } = call;
          if (readText(request.body, 'sure') !== 'yes')
            throw new UnusableInput('Confirm that the site is to be deleted.');
          await client.call(operations.deleteSite, { params: at });
          return reply.redirect(`${organizationPath(at.organizationId, 'sites')}?done=deleted`, 303);
        },
        (problem) => show(call, problem),
      ),
    ),
  );
}
