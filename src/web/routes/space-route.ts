import type { FastifyInstance } from 'fastify';
import {
  type GitOperation,
  operations,
  type PlatformClient,
  RECENT_OPERATIONS,
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
      const history = space.permissions.access
        ? await client.call(operations.listGitOperations, { params, query: { limit: RECENT_OPERATIONS } })
        : { items: [] };
      const proposed = space.permissions.access
        ? await client.call(operations.listChangeRequests, {
            params,
            query: { status: 'open', limit: proposedShown },
          })
        : { items: [] };
      return renderSpace({
        space,
        proposed: proposed.items,
        live: await loadLive(client, space, history.items, broken),
        configError: space.permissions.access ? ((await context.loadConfigError?.(space.id)) ?? null) : null,
        operations: history.items,
        scheduled: space.permissions.access ? ((await context.loadScheduled?.(space.id)) ?? null) : null,
        disconnected: space.permissions.access
          ? ((await context.loadDisconnected?.([space.id]))?.get(space.id) ?? null)
          : null,
        frame,
        news: readText(request.query, 'done') === 'restored' ? 'The space was restored.' : null,
        now: context.now(),
      });
    }),
  );
}

async function loadLive(
  client: PlatformClient,
  space: Space,
  history: readonly GitOperation[],
  page?: string,
): Promise<SpaceFacts['live']> {
  const revision = await loadLiveRevision(client, space);
  if (revision === null) return null;
  const links = await client.call(operations.listLinks, {
    params: { spaceId: space.id },
    query: { status: 'broken', limit: brokenShown, ...(page ? { page } : {}) },
  });
  return {
    revision,
    at: liveSince(history, { revision: space.revision, oid: revision.git?.oid }) ?? revision.createdAt,
    links: { total: links.stats.total, broken: links.stats.broken.total },
    brokenLinks: links.items,
    moreBroken: links.next ? `${spacePath(space.id)}?broken=${encodeURIComponent(links.next.page)}` : null,
  };
}
