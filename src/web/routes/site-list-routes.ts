import type { FastifyInstance } from 'fastify';
import { operations, type PlatformClient, type Site } from '../../client/index.ts';
import { organizationPath, sitePath } from '../addresses.ts';
import { audienceOptions } from '../views/site-frame.ts';
import { type OfferedSpaces, renderNewSite, renderSiteList } from '../views/site-list-view.ts';
import { type InOrganization, inOrganization, submit, UnusableInput } from './in-organization.ts';
import { nextPage, pageOf } from './list-page.ts';
import { ownForm } from './own-forms.ts';
import { readText } from './read-text.ts';
import type { PagesContext } from './signed-in.ts';

const SHOWN = 50;
/** Spaces that are offered for a site at once. */
const SPACES_OFFERED = 200;
const path = '/orgs/:organizationId/sites';

/** The sites of an organization, and a new one. */
export function registerSiteList(app: FastifyInstance, context: PagesContext): void {
  app.get(
    path,
    inOrganization(context, 'sites', async ({ client, organization, request, session }) => {
      const find = readText(request.query, 'find', 100).trim();
      const { items, next } = await client.call(operations.listSites, {
        params: { organizationId: organization.id },
        query: { limit: SHOWN, ...pageOf(request), ...(find === '' ? {} : { title: find }) },
      });
      const here = organizationPath(organization.id, 'sites');
      return renderSiteList({
        organization,
        sites: items,
        find,
        more: nextPage(here, next, find === '' ? {} : { find }),
        news: readText(request.query, 'done') === 'deleted' ? 'The site was deleted; its spaces stay.' : null,
        user: session,
      });
    }),
  );

  async function showNew(
    { client, organization, session }: InOrganization<unknown>,
    values: unknown,
    problem: string | null,
  ) {
    const offered = await offerSpaces(client, organization.id, readText(values, 'find', 100));
    return renderNewSite({
      organization,
      offered,
      values: {
        title: readText(values, 'title', 128),
        visibility: readText(values, 'visibility') || 'public',
        space: readText(values, 'space', 100),
      },
      problem,
      user: session,
    });
  }
  app.get(
    `${path}/new`,
    inOrganization(context, 'sites', (call) => showNew(call, call.request.query, null)),
  );
  app.post(
    `${path}/new`,
    ownForm(context),
    inOrganization(context, 'sites', (call) =>
      submit(
        call.reply,
        async () => {
          const { client, organization, request, reply } = call;
          const space = readText(request.body, 'space', 100);
          const site = await client.call(operations.createSite, {
            params: { organizationId: organization.id },
            body: {
              title: readText(request.body, 'title').trim(),
              visibility: readVisibility(readText(request.body, 'visibility')),
              spaces: space === '' ? [] : [space],
            },
          });
          return reply.redirect(sitePath(organization.id, site.id), 303);
        },
        (problem) => showNew(call, call.request.body, problem),
      ),
    ),
  );
}

/** The spaces that a form offers for a site, of those whose title contains what somebody looks for. */
export async function offerSpaces(
  client: PlatformClient,
  organizationId: string,
  wanted: string,
): Promise<OfferedSpaces> {
  const find = wanted.trim();
  const { items, count } = await client.call(operations.listSpaces, {
    params: { organizationId },
    query: { limit: SPACES_OFFERED, ...(find === '' ? {} : { title: find }) },
  });
  return { find, spaces: items, count };
}

/** Who reads a site, as somebody chose it in a form. @throws {UnusableInput} */
export function readVisibility(text: string): Site['visibility'] {
  const found = audienceOptions().find(({ value }) => value === text);
  if (found === undefined) throw new UnusableInput('Choose who reads the site from the list.');
  return found.value;
}
