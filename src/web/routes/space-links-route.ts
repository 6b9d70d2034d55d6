import type { FastifyInstance } from 'fastify';
import { operations } from '../../client/index.ts';
import { spacePartPath } from '../addresses.ts';
import { linkFilters, renderSpaceLinks } from '../views/space-links-view.ts';
import { inSpace } from './in-space.ts';
import { nextPage, pageOf } from './list-page.ts';
import { loadLiveRevision } from './live-revision.ts';
import { readText } from './read-text.ts';
import type { PagesContext } from './signed-in.ts';

const SHOWN = 100;

/** `/spaces/:spaceId/links`: the links of a space by their verdicts. */
export function registerSpaceLinks(app: FastifyInstance, context: PagesContext): void {
  app.get(
    '/spaces/:spaceId/links',
    inSpace(context, 'links', async ({ client, space, frame, params, request }) => {
      const wanted = readText(request.query, 'status');
      const filter = linkFilters.find(({ value }) => value === wanted) ?? linkFilters[0];
      const [revision, scheduled] = await Promise.all([
        loadLiveRevision(client, space),
        context.loadScheduled?.(space.id) ?? null,
      ]);
      const links =
        revision === null
          ? null
          : await client.call(operations.listLinks, {
              params,
              query: {
                limit: SHOWN,
                ...pageOf(request),
                ...(filter.status === null ? {} : { status: filter.status }),
              },
            });
      return renderSpaceLinks({
        frame,
        revision,
        scheduled,
        filter,
        links: links?.items ?? [],
        stats: links?.stats ?? null,
        more: nextPage(spacePartPath(space.id, 'links'), links?.next, { status: filter.value }),
        now: context.now(),
      });
    }),
  );
}
