import type { FastifyInstance } from 'fastify';
import { operations, type SiteStructure } from '../../client/index.ts';
import { sitePath } from '../addresses.ts';
import { renderSiteStructure, renderStructureItem } from '../views/site-structure-view.ts';
import { readFormProblem } from './form-problem.ts';
import { submit, UnusableInput } from './in-organization.ts';
import { type InSite, inSite } from './in-site.ts';
import { ownForm } from './own-forms.ts';
import { readText } from './read-text.ts';
import { type PagesContext, renderNotFound } from './signed-in.ts';
import { offerSpaces } from './site-list-routes.ts';

const path = '/orgs/:organizationId/sites/:siteId/structure';
const TYPES = ['site-space', 'site-section', 'site-section-group'] as const;
type ItemType = (typeof TYPES)[number];

/** `…/structure`: what a site shows, and in which order. */
export function registerSiteStructure(app: FastifyInstance, context: PagesContext): void {
  async function show({ client, at, site, frame, request }: InSite<unknown>, problem: string | null) {
    const [structure, offered] = await Promise.all([
      client.call(operations.getSiteStructure, { params: at }),
      site.permissions.edit
        ? offerSpaces(client, at.organizationId, readText(request.query, 'find', 100))
        : null,
    ]);
    const news =
      readText(request.query, 'done') === 'saved' && problem === null ? 'The structure was saved.' : null;
    return renderSiteStructure({ ...frame, structure, offered, news, problem });
  }
  const saved = ({ at, reply }: InSite<unknown>) =>
    reply.redirect(`${sitePath(at.organizationId, at.siteId, 'structure')}?done=saved`, 303);

  function form(part: string, act: (call: InSite<{ id: string }>) => Promise<unknown>): void {
    app.post(
      `${path}/${part}`,
      ownForm(context),
      inSite<{ id: string }>(context, 'structure', (call) =>
        submit(
          call.reply,
          async () => {
            await act(call);
            return saved(call);
          },
          (problem) => show(call, problem),
        ),
      ),
    );
  }

  app.get(
    path,
    inSite(context, 'structure', (call) => show(call, null)),
  );
  form('variants', ({ client, at, request: { body } }) => {
    const sectionId = readText(body, 'section', 100);
    return client.call(operations.addSiteSpace, {
      params: at,
      body: { spaceId: readText(body, 'space', 100), ...(sectionId === '' ? {} : { sectionId }) },
    });
  });
  form('sections', ({ client, at, request: { body } }) => {
    const title = readText(body, 'title').trim();
    return client.call(operations.addSection, {
      params: at,
      body: { spaceId: readText(body, 'space', 100), ...(title === '' ? {} : { title }) },
    });
  });
  form('groups', ({ client, at, request: { body } }) =>
    client.call(operations.addSectionGroup, { params: at, body: { title: readText(body, 'title').trim() } }),
  );
  form('move', ({ client, at, request: { body } }) => {
    const where = readText(body, 'where') === 'after' ? 'after' : 'before';
    const beside = { type: readType(body, 'besideType'), id: readText(body, 'besideId', 100) };
    return client.call(operations.sortSiteStructure, {
      params: at,
      body: {
        item: { type: readType(body, 'type'), id: readText(body, 'id', 100) },
        position: { [where]: beside },
      },
    });
  });

  registerItem('sections', 'site-section');
  registerItem('groups', 'site-section-group');
  registerItem('variants', 'site-space');

  /** The page of one part of the structure, and its forms. */
  function registerItem(part: string, type: ItemType): void {
    async function find({ client, at, params }: InSite<{ id: string }>) {
      const structure = await client.call(operations.getSiteStructure, { params: at });
      return (
        structureItemsOf(structure).find(({ object, id }) => object === type && id === params.id) ?? null
      );
    }
    async function showItem(call: InSite<{ id: string }>, problem: string | null) {
      const item = await find(call);
      if (item === null) return call.reply.code(404).send(renderNotFound(call.session));
      return renderStructureItem({ ...call.frame, item, problem });
    }
    app.get(
      `${path}/${part}/:id`,
      inSite<{ id: string }>(context, 'structure', (call) => showItem(call, null)),
    );
    app.post(
      `${path}/${part}/:id`,
      ownForm(context),
      inSite<{ id: string }>(context, 'structure', async (call) => {
        try {
          const { client, at, params, request } = call;
          const text = (name: string) => readText(request.body, name, 1024).trim();
          const condition = text('condition') === '' ? null : text('condition');
          if (type === 'site-section')
            await client.call(operations.updateSection, {
              params: { ...at, siteSectionId: params.id },
              body: { title: text('title'), path: text('path'), condition },
            });
          else if (type === 'site-space')
            await client.call(operations.updateSiteSpace, {
              params: { ...at, siteSpaceId: params.id },
              body: { path: text('path'), condition },
            });
          else
            await client.call(operations.updateSectionGroup, {
              params: { ...at, siteSectionGroupId: params.id },
              body: { title: text('title') },
            });
          return saved(call);
        } catch (error) {
          const { status, sentence } = readFormProblem(error);
          call.reply.code(status);
          return await showItem(call, sentence);
        }
      }),
    );
    form(`${part}/:id/remove`, ({ client, at, params: { id } }) => {
      if (type === 'site-section')
        return client.call(operations.deleteSection, { params: { ...at, siteSectionId: id } });
      if (type === 'site-space')
        return client.call(operations.deleteSiteSpace, { params: { ...at, siteSpaceId: id } });
      return client.call(operations.deleteSectionGroup, { params: { ...at, siteSectionGroupId: id } });
    });
    if (type === 'site-section-group') return;
    form(`${part}/:id/default`, async (call) => {
      const { client, at, params } = call;
      if (type === 'site-section')
        return await client.call(operations.updateSite, {
          params: at,
          body: { defaultSiteSection: params.id },
        });
      const item = await find(call);
      if (item?.object === 'site-space' && item.section !== undefined)
        return await client.call(operations.updateSection, {
          params: { ...at, siteSectionId: item.section },
          body: { defaultSiteSpace: params.id },
        });
      return await client.call(operations.updateSite, { params: at, body: { defaultSiteSpace: params.id } });
    });
  }
}

function readType(body: unknown, name: string): ItemType {
  const text = readText(body, name);
  const type = TYPES.find((known) => known === text);
  if (type === undefined) throw new UnusableInput('Move a group, a section or a variant.');
  return type;
}

/** Everything in a structure: groups, sections and variants. */
export function structureItemsOf({ structure }: SiteStructure) {
  type Item = SiteStructure['structure'][number];
  const all: Item[] = [];
  const add = (items: readonly Item[]): void => {
    for (const item of items) {
      all.push(item);
      if (item.object === 'site-section-group') add(item.children);
      else if (item.object === 'site-section') add(item.siteSpaces);
    }
  };
  add(structure);
  return all;
}
