import type { FastifyInstance } from 'fastify';
import { type GitOperation, operations, type PlatformClient, type Space } from '../../client/index.ts';
import { homePath, readNotificationsPath } from '../addresses.ts';
import { type HomeSection, renderHome } from '../views/home-view.ts';
import { countPages } from '../views/navigation.ts';
import { latestSync } from '../views/operation-state.ts';
import { renderWelcome } from '../views/sign-in-view.ts';
import type { SpaceCard } from '../views/space-card.ts';
import { loadLiveRevision } from './live-revision.ts';
import { findLiveOperation, liveSince, OPERATIONS_READ } from './live-since.ts';
import { loadNeeds } from './load-needs.ts';
import { ownForm } from './own-forms.ts';
import { signInMethods } from './sign-in-routes.ts';
import { type PagesContext, signedIn } from './signed-in.ts';

const organizationsShown = 20;
const spacesShown = 24;
const callsAtOnce = 6;

/** `/`: what needs the people who are signed in, and their spaces; a welcome page for others. */
export function registerHome(app: FastifyInstance, context: PagesContext): void {
  const home = signedIn(context, async ({ client, session, request }) => {
    const { organization, page } = request.query as { organization?: string; page?: string };
    const sections =
      typeof organization === 'string' && organization !== ''
        ? [await loadSection(context, client, organization, page)]
        : await loadSections(context, client);
    const shown = sections.map(({ organization: { id } }) => id);
    const userId = session.userId ?? (await client.call(operations.getUser, {})).id;
    const needs = await loadNeeds(client, userId, shown);
    return renderHome({
      sections,
      needs,
      user: session,
      now: context.now(),
      isConnected: isConnected(context),
    });
  });
  app.post(
    readNotificationsPath,
    ownForm(context),
    signedIn(context, async ({ client, reply }) => {
      await client.call(operations.readNotifications, {});
      return reply.redirect(homePath, 303);
    }),
  );
  app.get(homePath, async (request, reply) => {
    if ((await context.sessions.read(request)) === null)
      return renderWelcome({
        next: homePath,
        methods: await signInMethods(context, homePath),
        isConnected: isConnected(context),
      });
    return home(request, reply);
  });
}

/** True where the App cannot be set up in the browser: then nothing is missing. */
function isConnected({ setup }: PagesContext): boolean {
  return setup === undefined || setup.isConnected();
}

async function loadSections(context: PagesContext, client: PlatformClient): Promise<HomeSection[]> {
  const { items } = await client.call(operations.listOrganizations, { query: { limit: organizationsShown } });
  const sections: HomeSection[] = [];
  for (const { id } of items) sections.push(await loadSection(context, client, id));
  return sections;
}

async function loadSection(
  context: PagesContext,
  client: PlatformClient,
  organizationId: string,
  page?: string,
): Promise<HomeSection> {
  const params = { organizationId };
  const [organization, spaces] = await Promise.all([
    client.call(operations.getOrganization, { params }),
    client.call(operations.listSpaces, { params, query: { limit: spacesShown, ...(page ? { page } : {}) } }),
  ]);
  const disconnected = await context.loadDisconnected?.(spaces.items.map(({ id }) => id));
  const load = (space: Space) => loadCard(client, space, disconnected?.get(space.id)?.reason ?? null);
  const cards: SpaceCard[] = [];
  for (let at = 0; at < spaces.items.length; at += callsAtOnce) {
    const batch = spaces.items.slice(at, at + callsAtOnce);
    cards.push(...(await Promise.all(batch.map(load))));
  }
  const more = spaces.next
    ? `/?organization=${encodeURIComponent(organizationId)}&page=${encodeURIComponent(spaces.next.page)}`
    : null;
  return { organization: { id: organization.id, title: organization.title }, spaces: cards, more };
}

async function loadCard(
  client: PlatformClient,
  space: Space,
  disconnected: string | null,
): Promise<SpaceCard> {
  // Only members see the operations; visitors of a public space see the content.
  const { items } = space.permissions.access
    ? await client.call(operations.listGitOperations, {
        params: { spaceId: space.id },
        query: { limit: OPERATIONS_READ },
      })
    : { items: [] };
  return {
    space,
    live: await findLive(client, space, items),
    lastOperation: latestSync(items),
    disconnected: space.permissions.access ? disconnected : null,
  };
}

/** The live content, from the operation that imported it, or from the content itself when that was long ago or it was edited. */
async function findLive(
  client: PlatformClient,
  space: Space,
  history: readonly GitOperation[],
): Promise<SpaceCard['live']> {
  const latest = findLiveOperation(history, space.revision);
  const at = liveSince(history, { revision: space.revision, oid: latest?.commit });
  if (latest?.counts && at !== null) return { oid: latest.commit ?? null, at, counts: latest.counts };
  const content = await loadLiveRevision(client, space);
  if (content === null) return null;
  const { stats } = await client.call(operations.listLinks, {
    params: { spaceId: space.id },
    query: { limit: 1 },
  });
  return {
    oid: content.git?.oid ?? null,
    at: content.createdAt,
    counts: {
      pages: countPages(content.pages),
      files: content.files.length,
      links: stats.total,
      broken: stats.broken.total,
    },
  };
}
