import type { FastifyInstance } from 'fastify';
import { operations } from '../../client/index.ts';
import { collectionPath, movePath, organizationPath, spacePath } from '../addresses.ts';
import {
  renderCollectionSettings,
  renderMove,
  renderNewPlace,
  renderTrash,
} from '../views/space-forms-view.ts';
import { type ListedCollections, renderSpaceList } from '../views/space-list-view.ts';
import { type InOrganization, inOrganization, submit } from './in-organization.ts';
import { nextPage, pageOf } from './list-page.ts';
import { ownForm } from './own-forms.ts';
import { readLevel } from './read-level.ts';
import { readText } from './read-text.ts';
import { type PagesContext, type SignedIn, signedIn } from './signed-in.ts';

const SHOWN = 50;
/** As many as the platform lists at once; the tree and the forms link to the others. */
const COLLECTIONS_SHOWN = 1000;
/** The part of the collections that an address asks for. */
const COLLECTIONS_PART = 'collections';
const base = '/orgs/:organizationId';

/** What was done, by the value of `done` in the address. */
const NEWS: ReadonlyMap<string, string> = new Map([
  ['moved', 'It was moved.'],
  ['created', 'The collection was created.'],
  ['saved', 'The collection was saved.'],
  ['removed', 'The collection was deleted; what was in it stays.'],
  ['deleted', 'The space was deleted. It can be restored for 7 days.'],
]);

function newsOf(request: SignedIn<unknown>['request']): string | null {
  return NEWS.get(readText(request.query, 'done')) ?? null;
}

/** @param path of the page that shows them, without the `query` that it also has */
async function listCollections(
  { client, request }: Pick<SignedIn<unknown>, 'client' | 'request'>,
  organizationId: string,
  path: string,
  query: Readonly<Record<string, string>> = {},
): Promise<ListedCollections> {
  const { items, count, next } = await client.call(operations.listCollections, {
    params: { organizationId },
    query: { limit: COLLECTIONS_SHOWN, ...pageOf(request, COLLECTIONS_PART) },
  });
  return { items, count, more: nextPage(path, next, query, COLLECTIONS_PART) };
}

/** The spaces of an organization: its list, its collections, what is new, moved and deleted. */
export function registerSpaceList(app: FastifyInstance, context: PagesContext): void {
  app.get(
    `${base}/spaces`,
    inOrganization(context, 'spaces', async (call) => {
      const { client, organization, request, session } = call;
      const params = { organizationId: organization.id };
      const path = organizationPath(organization.id, 'spaces');
      const find = readText(request.query, 'find', 100).trim();
      const [collections, spaces] = await Promise.all([
        listCollections(call, organization.id, path),
        client.call(operations.listSpaces, {
          params,
          query: { limit: SHOWN, ...pageOf(request), ...(find === '' ? {} : { title: find }) },
        }),
      ]);
      return renderSpaceList({
        organization,
        collections,
        collection: null,
        spaces: spaces.items,
        count: spaces.count,
        find,
        more: nextPage(path, spaces.next, find === '' ? {} : { find }),
        news: newsOf(request),
        user: session,
        now: context.now(),
      });
    }),
  );

  app.get(
    '/collections/:collectionId',
    signedIn<{ collectionId: string }>(context, async (call) => {
      const { client, params, request, session } = call;
      const collection = await client.call(operations.getCollection, { params });
      const [organization, collections, spaces] = await Promise.all([
        client.call(operations.getOrganization, { params: { organizationId: collection.organization } }),
        listCollections(call, collection.organization, collectionPath(collection.id)),
        client.call(operations.listCollectionSpaces, { params, query: { limit: SHOWN, ...pageOf(request) } }),
      ]);
      return renderSpaceList({
        organization,
        collections,
        collection,
        spaces: spaces.items,
        count: spaces.count,
        find: '',
        more: nextPage(collectionPath(collection.id), spaces.next),
        news: newsOf(request),
        user: session,
        now: context.now(),
      });
    }),
  );

  registerNew(app, context);
  registerMoves(app, context);
  registerCollectionSettings(app, context);
  registerTrash(app, context);
}

function registerNew(app: FastifyInstance, context: PagesContext): void {
  for (const kind of ['space', 'collection'] as const) {
    const path = `${base}/${kind}s/new`;
    async function show(call: InOrganization<unknown>, values: unknown, problem: string | null) {
      const { organization, session } = call;
      const parent = readText(values, 'parent', 100);
      return renderNewPlace({
        organization,
        collections: await listCollections(
          call,
          organization.id,
          organizationPath(organization.id, `${kind}s/new`),
          parent === '' ? {} : { parent },
        ),
        kind,
        values: {
          title: readText(values, 'title', 256),
          emoji: readText(values, 'emoji', 32),
          parent,
        },
        problem,
        user: session,
      });
    }
    app.get(
      path,
      inOrganization(context, 'spaces', (call) => show(call, call.request.query, null)),
    );
    app.post(
      path,
      ownForm(context),
      inOrganization(context, 'spaces', (call) =>
        submit(
          call.reply,
          async () => {
            const { client, organization, request, reply } = call;
            const title = readText(request.body, 'title').trim();
            const emoji = readText(request.body, 'emoji', 32).trim();
            const parent = readText(request.body, 'parent', 100);
            const params = { organizationId: organization.id };
            const place = { title, ...(parent === '' ? {} : { parent }) };
            if (kind === 'space') {
              const body = { ...place, ...(emoji === '' ? {} : { emoji }) };
              const { id } = await client.call(operations.createSpace, { params, body });
              return reply.redirect(spacePath(id), 303);
            }
            const { id } = await client.call(operations.createCollection, { params, body: place });
            return reply.redirect(`${collectionPath(id)}?done=created`, 303);
          },
          (problem) => show(call, call.request.body, problem),
        ),
      ),
    );
  }
}

function registerMoves(app: FastifyInstance, context: PagesContext): void {
  register('/spaces/:id/move', 'space');
  register('/collections/:id/move', 'collection');

  function register(path: string, kind: 'space' | 'collection'): void {
    async function find({ client, params: { id } }: SignedIn<{ id: string }>) {
      return kind === 'space'
        ? await client.call(operations.getSpace, { params: { spaceId: id } })
        : await client.call(operations.getCollection, { params: { collectionId: id } });
    }
    async function show(call: SignedIn<{ id: string }>, problem: string | null) {
      const moved = await find(call);
      const organizationId = moved.organization;
      const [organization, collections] = await Promise.all([
        call.client.call(operations.getOrganization, { params: { organizationId } }),
        listCollections(call, organizationId, movePath(kind, moved.id)),
      ]);
      return renderMove({
        organization,
        collections,
        kind,
        moved,
        selected: problem === null ? (moved.parent ?? '') : readText(call.request.body, 'parent', 100),
        problem,
        user: call.session,
      });
    }
    app.get(
      path,
      signedIn<{ id: string }>(context, (call) => show(call, null)),
    );
    app.post(
      path,
      ownForm(context),
      signedIn<{ id: string }>(context, (call) =>
        submit(
          call.reply,
          async () => {
            const body = readMove(call.request.body);
            const { id } = call.params;
            const moved =
              kind === 'space'
                ? await call.client.call(operations.moveSpace, { params: { spaceId: id }, body })
                : await call.client.call(operations.moveCollection, { params: { collectionId: id }, body });
            const to =
              kind === 'collection' && readText(call.request.body, 'stay') === 'yes'
                ? collectionPath(id)
                : moved.parent === undefined
                  ? organizationPath(moved.organization, 'spaces')
                  : collectionPath(moved.parent);
            return call.reply.redirect(`${to}?done=moved`, 303);
          },
          (problem) => show(call, problem),
        ),
      ),
    );
  }
}

/** Into a collection, or directly before or after a space or a collection. */
function readMove(body: unknown) {
  const parent = readText(body, 'parent', 100);
  const into = readText(body, 'into') === 'yes' ? { parent: parent === '' ? null : parent } : {};
  const neighbour = (where: 'before' | 'after') => {
    const space = readText(body, where, 100);
    if (space !== '') return { [where]: { type: 'space' as const, space } };
    const collection = readText(body, `${where}-collection`, 100);
    return collection === '' ? {} : { [where]: { type: 'collection' as const, collection } };
  };
  const position = { ...neighbour('before'), ...neighbour('after') };
  return { ...into, ...(Object.keys(position).length === 0 ? {} : { position }) };
}

function registerCollectionSettings(app: FastifyInstance, context: PagesContext): void {
  type Call = SignedIn<{ collectionId: string }>;
  async function show({ client, params, session }: Call, problem: string | null) {
    const collection = await client.call(operations.getCollection, { params });
    const organization = await client.call(operations.getOrganization, {
      params: { organizationId: collection.organization },
    });
    return renderCollectionSettings({ organization, collection, problem, user: session });
  }
  app.get(
    '/collections/:collectionId/settings',
    signedIn<Call['params']>(context, (call) => show(call, null)),
  );
  app.post(
    '/collections/:collectionId/settings',
    ownForm(context),
    signedIn<Call['params']>(context, (call) =>
      submit(
        call.reply,
        async () => {
          const { client, params, request, reply } = call;
          const description = readText(request.body, 'description', 1024).trim();
          const body = {
            title: readText(request.body, 'title').trim(),
            description: description === '' ? null : description,
            defaultLevel: readLevel(readText(request.body, 'defaultLevel')),
          };
          const { id } = await client.call(operations.updateCollection, { params, body });
          return reply.redirect(`${collectionPath(id)}?done=saved`, 303);
        },
        (problem) => show(call, problem),
      ),
    ),
  );
  app.post(
    '/collections/:collectionId/delete',
    ownForm(context),
    signedIn<Call['params']>(context, (call) =>
      submit(
        call.reply,
        async () => {
          const { client, params, reply } = call;
          const { organization } = await client.call(operations.getCollection, { params });
          await client.call(operations.deleteCollection, { params });
          return reply.redirect(`${organizationPath(organization, 'spaces')}?done=removed`, 303);
        },
        (problem) => show(call, problem),
      ),
    ),
  );
}

function registerTrash(app: FastifyInstance, context: PagesContext): void {
  app.get(
    `${base}/trash`,
    inOrganization(context, 'spaces', async ({ client, organization, request, session }) => {
      const { items, next } = await client.call(operations.listSpaces, {
        params: { organizationId: organization.id },
        query: { deleted: true, limit: SHOWN, ...pageOf(request) },
      });
      return renderTrash({
        organization,
        spaces: items,
        more: nextPage(organizationPath(organization.id, 'trash'), next),
        news: newsOf(request),
        user: session,
        now: context.now(),
      });
    }),
  );
  app.post(
    '/spaces/:spaceId/restore',
    ownForm(context),
    signedIn<{ spaceId: string }>(context, async ({ client, params, reply }) => {
      const { id } = await client.call(operations.restoreSpace, { params });
      return reply.redirect(`${spacePath(id)}?done=restored`, 303);
    }),
  );
}
