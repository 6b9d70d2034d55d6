import type { FastifyInstance } from 'fastify';
import {
  type ChangeRequest,
  type NearestPage,
  type Organization,
  operations,
  type PageResource,
  type PlatformClient,
  PlatformError,
  type Space,
} from '../../client/index.ts';
import { clusterPath, editPath } from '../addresses.ts';
import { pathFor } from '../editing/path-for.ts';
import { findSource } from '../editing/save-text.ts';
import { writeStub } from '../editing/write-stub.ts';
import { plural } from '../format.ts';
import {
  type DeadPageLink,
  type PagePlace,
  renderCluster,
  type ShownNearPage,
} from '../views/cluster-view.ts';
import { clusterOrders, renderClusters } from '../views/clusters-view.ts';
import { type InOrganization, inOrganization, submit, UnusableInput } from './in-organization.ts';
import { listBySource } from './list-by-source.ts';
import { nextPage, pageOf } from './list-page.ts';
import { ownForm } from './own-forms.ts';
import { readText } from './read-text.ts';
import type { PagesContext } from './signed-in.ts';

const SHOWN = 50;
/** Links of a page that are named; its own page has all of them. */
const DEAD_SHOWN = 5;
const SPACES_OFFERED = 100;
/** Questions that a new page is made of. */
const QUESTIONS_READ = 100;
const CHANGES_SHOWN = 20;
const MAX_TITLE = 200;

const base = '/orgs/:organizationId/conversations';
type Params = { readonly clusterId: string };

/** What people ask, in groups; and how a group becomes a page. */
export function registerClusters(app: FastifyInstance, context: PagesContext): void {
  app.get(
    base,
    inOrganization(context, 'conversations', async (call) => {
      const { client, organization, request, session } = call;
      const wanted = readText(request.query, 'order');
      const order = clusterOrders.find(({ value }) => value === wanted)?.value ?? 'updatedAt';
      const { items, ...list } = await listBySource(call, {
        path: clusterPath(organization.id),
        choices: { order },
        list: (query) =>
          client.call(operations.listIssuesClusters, {
            params: { organizationId: organization.id },
            query: { limit: SHOWN, orderBy: order, ...query },
          }),
      });
      return renderClusters({
        ...list,
        organization,
        clusters: items,
        order,
        user: session,
        now: context.now(),
      });
    }),
  );

  async function show(call: InOrganization<Params>, problem: string | null) {
    const { client, organization, params, request, session } = call;
    const about = { organizationId: organization.id, clusterId: params.clusterId };
    const [cluster, issues, near, spaces, changeRequests] = await Promise.all([
      client.call(operations.getIssuesCluster, { params: about }),
      client.call(operations.listConversationIssues, {
        params: { organizationId: organization.id },
        query: { cluster: params.clusterId, limit: SHOWN, ...pageOf(request) },
      }),
      client.call(operations.listNearestPages, { params: about }),
      listWritableSpaces(client, organization),
      listChangeRequestsFor(client, about),
    ]);
    const places = listPlaces(near.items, spaces);
    return renderCluster({
      organization,
      cluster,
      issues: issues.items,
      more: nextPage(clusterPath(organization.id, cluster.id), issues.next),
      pages: await Promise.all(near.items.map((page) => findDeadLinks(context, client, page))),
      changeRequests,
      places,
      form: {
        title: readText(request.body, 'title', MAX_TITLE) || cluster.label,
        place: readText(request.body, 'place', 200) || (places[0]?.value ?? ''),
      },
      problem,
      user: session,
      now: context.now(),
    });
  }

  app.get(
    `${base}/:clusterId`,
    inOrganization<Params>(context, 'conversations', (call) => show(call, null)),
  );

  app.post(
    `${base}/:clusterId/page`,
    ownForm(context),
    inOrganization<Params>(context, 'conversations', (call) =>
      submit(
        call.reply,
        async () => call.reply.redirect(await writePage(call, context.publicUrl), 303),
        (problem) => show(call, problem),
      ),
    ),
  );
}

/** Opens a change request with a page for what a cluster asks. Returns the address where it is edited. */
async function writePage(call: InOrganization<Params>, publicUrl: string): Promise<string> {
  const { client, organization, params, request } = call;
  const title = readText(request.body, 'title', MAX_TITLE).replace(/\s+/g, ' ').trim();
  if (title === '') throw new UnusableInput('Enter a title for the page.');
  const [spaceId = '', pageId = ''] = readText(request.body, 'place', 200).split('/', 2);
  if (spaceId === '') throw new UnusableInput('Choose where the page goes.');
  const about = { organizationId: organization.id, clusterId: params.clusterId };
  // It may be gone, or made anew, since the form was shown.
  const cluster = await client.call(operations.getIssuesCluster, { params: about });
  const { items } = await client.call(operations.listConversationIssues, {
    params: { organizationId: organization.id },
    query: { cluster: cluster.id, limit: QUESTIONS_READ },
  });
  const beside = await findBeside(client, spaceId, pageId);
  const path = pathFor(title, beside.path);
  const action = {
    type: 'create' as const,
    title,
    path,
    ...(beside.isAfter ? { after: beside.path } : {}),
  };
  // Says what is wrong with it, before anything is made.
  await client.call(operations.planFiles, { params: { spaceId }, body: { action } });
  const address = `${publicUrl}${clusterPath(organization.id, cluster.id)}`;
  const changeRequest = await client
    .call(operations.createChangeRequest, {
      params: { spaceId },
      body: {
        subject: `Write “${title}”`.slice(0, 256),
        description: {
          markdown: `Asked in ${plural(cluster.stats.conversations, 'conversation')}: <${address}>`,
        },
        cluster: cluster.id,
        another: readText(request.body, 'again') === 'yes',
      },
    })
    .catch((error: unknown) => {
      if (!(error instanceof PlatformError && error.reason === 'being-written')) throw error;
      throw new UnusableInput(
        'A page for this group is being written already: go on with it, or choose “Write another page”.',
      );
    });
  const inChange = { spaceId, changeRequestId: changeRequest.id };
  await client.call(operations.changeFiles, { params: inChange, body: { action } });
  const created = await findSource(client, spaceId, { path, changeRequest: changeRequest.id });
  const text = writeStub(
    created?.text ?? `# ${title}\n`,
    items.map(({ issue }) => issue.title),
  );
  await client.call(operations.changeContent, {
    params: inChange,
    body: {
      changes: [{ type: 'write', path, text, ...(created === null ? {} : { expected: created.oid }) }],
    },
  });
  return `${editPath(spaceId, path, changeRequest.number)}&done=created`;
}

/** The change requests that are to answer a cluster, of those that the reader may see. */
async function listChangeRequestsFor(
  client: PlatformClient,
  { organizationId, clusterId }: { readonly organizationId: string; readonly clusterId: string },
): Promise<readonly ChangeRequest[]> {
  const { items } = await client.call(operations.listOrganizationChangeRequests, {
    params: { organizationId },
    query: { cluster: clusterId, limit: CHANGES_SHOWN },
  });
  return items;
}

/** The file beside which a page goes: that of the named page, or of the first one of the space. */
async function findBeside(
  client: PlatformClient,
  spaceId: string,
  pageId: string,
): Promise<{ readonly path: string; readonly isAfter: boolean }> {
  if (pageId !== '') {
    try {
      const page = await client.call(operations.getPage, { params: { spaceId, pageId } });
      if (page.git !== undefined) return { path: page.git.path, isAfter: true };
    } catch (error) {
      if (!(error instanceof PlatformError && error.status === 404)) throw error;
    }
  }
  const { pages } = await client.call(operations.listPages, { params: { spaceId } });
  return { path: firstPath(pages) ?? '', isAfter: false };
}

function firstPath(pages: readonly PageResource[]): string | null {
  for (const page of pages) {
    const path = page.git?.path ?? firstPath(page.pages);
    if (path !== null) return path;
  }
  return null;
}

async function listWritableSpaces(client: PlatformClient, { id }: Organization): Promise<readonly Space[]> {
  const { items } = await client.call(operations.listSpaces, {
    params: { organizationId: id },
    query: { limit: SPACES_OFFERED },
  });
  return items.filter(({ permissions }) => permissions.edit);
}

/** After each of the near pages, then at the end of each space. */
function listPlaces(near: readonly NearestPage[], spaces: readonly Space[]): readonly PagePlace[] {
  const writable = new Set(spaces.map(({ id }) => id));
  return [
    ...near
      .filter(({ space }) => writable.has(space.id))
      .map(({ space, page }) => ({
        value: `${space.id}/${page.id}`,
        label: `After “${page.title}” in ${space.title}`,
      })),
    ...spaces.map(({ id, title }) => ({ value: `${id}/`, label: `At the end of ${title}` })),
  ];
}

/** A near page with its links that lead nowhere, into the docs and, where those are checked, to other sites. */
async function findDeadLinks(
  context: PagesContext,
  client: PlatformClient,
  near: NearestPage,
): Promise<ShownNearPage> {
  const params = { spaceId: near.space.id, pageId: near.page.id };
  const broken =
    near.links.broken === 0
      ? []
      : (
          await client.call(operations.listPageLinks, {
            params,
            query: { status: 'broken', limit: DEAD_SHOWN },
          })
        ).items;
  const inside = broken.map(
    ({ targetReference, check }): DeadPageLink => ({
      target: targetReference.url ?? '',
      reason: check.message ?? 'It leads nowhere.',
    }),
  );
  const results = (await context.loadScheduled?.(near.space.id)) ?? null;
  const dead = (results?.externalLinks.findings ?? []).filter(({ state }) => state === 'dead');
  if (dead.length === 0) return { ...near, dead: inside };
  const page = await client.call(operations.getPage, { params });
  const outside = dead
    .filter(({ uses }) => uses.some(({ path }) => path === page.git?.path))
    .map(({ url, detail }): DeadPageLink => ({ target: url, reason: detail ?? 'It does not answer.' }));
  return { ...near, dead: [...inside, ...outside].slice(0, DEAD_SHOWN) };
}
