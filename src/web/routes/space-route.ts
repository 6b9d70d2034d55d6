import type { FastifyInstance } from 'fastify';
import {
  type GitOperation,
  operations,
  type PlatformClient,
  RECENT_OPERATIONS,
  type Revision,
  type Space,
} from '../../client/index.ts';
import { spacePath } from '../addresses.ts';
import { renderSpace, type SpaceFacts } from '../views/space-view.ts';
import { inSpace } from './in-space.ts';
import { loadLiveRevision } from './live-revision.ts';
import { liveSince } from './live-since.ts';
import { readText } from './read-text.ts';
import type { PagesContext } from './signed-in.ts';

const brokenShown = 100;
const proposedShown = 20;

/** `/spaces/:spaceId` */
export function registerSpace(app: FastifyInstance, context: PagesContext): void {
  app.get(
    '/spaces/:spaceId',
    inSpace(context, 'overview', async ({ client, params, request, space, frame }) => {
      const { broken } = request.query as { broken?: string };
      // Only members see the operations; visitors of a public space see the content.
      const isMember = space.permissions.access;
      const none = { items: [] };
      const [history, proposed, live, configError, scheduled, disconnected] = await Promise.all([
        isMember
          ? client.call(operations.listGitOperations, { params, query: { limit: RECENT_OPERATIONS } })
          : none,
        isMember
          ? client.call(operations.listChangeRequests, {
              params,
              query: { status: 'open', limit: proposedShown },
            })
          : none,
        loadLive(client, space, broken),
        isMember ? context.loadConfigError?.(space.id) : null,
        isMember ? context.loadScheduled?.(space.id) : null,
        isMember ? context.loadDisconnected?.([space.id]) : null,
      ]);
      return renderSpace({
        space,
        proposed: proposed.items,
        live: live && { ...live, at: sinceWhen(space, live.revision, history.items) },
        configError: configError ?? null,
        operations: history.items,
        scheduled: scheduled ?? null,
        disconnected: disconnected?.get(space.id) ?? null,
        frame,
        news: readText(request.query, 'done') === 'restored' ? 'The space was restored.' : null,
        now: context.now(),
      });
    }),
  );
}

/** What is live, with its broken links; null for a new space. */
async function loadLive(
  client: PlatformClient,
  space: Space,
  page?: string,
): Promise<Omit<NonNullable<SpaceFacts['live']>, 'at'> | null> {
  if (space.revision === undefined) return null;
  const [revision, links] = await Promise.all([
    loadLiveRevision(client, space),
    client.call(operations.listLinks, {
      params: { spaceId: space.id },
      query: { status: 'broken', limit: brokenShown, ...(page ? { page } : {}) },
    }),
  ]);
  if (revision === null) return null;
  return {
    revision,
    links: { total: links.stats.total, broken: links.stats.broken.total },
    brokenLinks: links.items,
    moreBroken: links.next ? `${spacePath(space.id)}?broken=${encodeURIComponent(links.next.page)}` : null,
  };
}

/** When it became live. */
function sinceWhen(space: Space, revision: Revision, history: readonly GitOperation[]): string {
  return liveSince(history, { revision: space.revision, oid: revision.git?.oid }) ?? revision.createdAt;
}
