import type { FastifyInstance } from 'fastify';
import {
  type Organization,
  operations,
  type PlatformClient,
  type SpaceOverview,
} from '../../client/index.ts';
import { homePath, readNotificationsPath } from '../addresses.ts';
import { type HomeSection, renderHome } from '../views/home-view.ts';
import { renderWelcome } from '../views/sign-in-view.ts';
import type { SpaceCard } from '../views/space-card.ts';
import { loadNeeds } from './load-needs.ts';
import { ownForm } from './own-forms.ts';
import { signInMethods } from './sign-in-routes.ts';
import { type PagesContext, signedIn } from './signed-in.ts';

const organizationsShown = 20;
const spacesShown = 24;

/** `/`: what needs the people who are signed in, and their spaces; a welcome page for others. */
export function registerHome(app: FastifyInstance, context: PagesContext): void {
  const home = signedIn(context, async ({ client, session, request }) => {
    const { organization, page } = request.query as { organization?: string; page?: string };
    const named = typeof organization === 'string' && organization !== '' ? organization : undefined;
    const organizations = await loadOrganizations(client, named);
    const userId = session.userId ?? (await client.call(operations.getUser, {})).id;
    const [needs, ...sections] = await Promise.all([
      loadNeeds(
        client,
        userId,
        organizations.map(({ id }) => id),
      ),
      ...organizations.map((one) =>
        loadSection(context, client, one, named === undefined ? undefined : page),
      ),
    ]);
    const editable = sections.flatMap(({ spaces }) =>
      spaces.flatMap(({ space }) => (space.permissions.edit ? [space.id] : [])),
    );
    const ignores = (await context.loadExpiringIgnores?.(editable, context.now())) ?? [];
    return renderHome({
      sections,
      needs: { ...needs, ignores },
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

/** The organizations whose spaces are shown: the one that is named, or all. */
async function loadOrganizations(
  client: PlatformClient,
  named: string | undefined,
): Promise<readonly Organization[]> {
  if (named !== undefined)
    return [await client.call(operations.getOrganization, { params: { organizationId: named } })];
  return (await client.call(operations.listOrganizations, { query: { limit: organizationsShown } })).items;
}

async function loadSection(
  context: PagesContext,
  client: PlatformClient,
  { id, title }: Organization,
  page?: string,
): Promise<HomeSection> {
  const spaces = await client.call(operations.listSpaceOverviews, {
    params: { organizationId: id },
    query: { limit: spacesShown, ...(page ? { page } : {}) },
  });
  const disconnected = await context.loadDisconnected?.(spaces.items.map(({ space }) => space.id));
  const more = spaces.next
    ? `/?organization=${encodeURIComponent(id)}&page=${encodeURIComponent(spaces.next.page)}`
    : null;
  return {
    organization: { id, title },
    spaces: spaces.items.map((overview) => toCard(overview, disconnected?.get(overview.space.id)?.reason)),
    more,
  };
}

function toCard({ space, live, lastSync }: SpaceOverview, disconnected: string | undefined): SpaceCard {
  return {
    space,
    live: live === undefined ? null : { oid: live.commit ?? null, at: live.since, counts: live.counts },
    lastOperation: lastSync ?? null,
    // Visitors of a public space see its content, not where it comes from.
    disconnected: space.permissions.access ? (disconnected ?? null) : null,
  };
}
