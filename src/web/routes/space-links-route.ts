import type { FastifyInstance } from 'fastify';
import { operations } from '../../client/index.ts';
import { changeRequestPath, spacePartPath } from '../addresses.ts';
import { correctLinks } from '../editing/correct-links.ts';
import { plural } from '../format.ts';
import { linkFilters, renderSpaceLinks } from '../views/space-links-view.ts';
import { submit, UnusableInput } from './in-organization.ts';
import { type InSpace, inSpace } from './in-space.ts';
import { nextPage, pageOf } from './list-page.ts';
import { loadLiveRevision } from './live-revision.ts';
import { ownForm } from './own-forms.ts';
import { readText } from './read-text.ts';
import type { PagesContext } from './signed-in.ts';

const SHOWN = 100;
const MAX_PATH = 1024;

/** `/spaces/:spaceId/links`: the links of a space by their verdicts, and a change request that corrects them. */
export function registerSpaceLinks(app: FastifyInstance, context: PagesContext): void {
  async function show(call: InSpace<unknown>, problem: string | null = null): Promise<string> {
    const { client, space, frame, params, request } = call;
    const wanted = readText(request.query, 'status');
    const filter = linkFilters.find(({ value }) => value === wanted) ?? linkFilters[0];
    const [revision, scheduled, found] = await Promise.all([
      loadLiveRevision(client, space),
      context.loadScheduled?.(space.id) ?? null,
      space.revision === undefined
        ? null
        : client.call(operations.listLinks, {
            params,
            query: {
              limit: SHOWN,
              ...pageOf(request),
              ...(filter.status === null ? {} : { status: filter.status }),
            },
          }),
    ]);
    const links = revision === null ? null : found;
    return renderSpaceLinks({
      frame,
      revision,
      scheduled,
      filter,
      links: links?.items ?? [],
      stats: links?.stats ?? null,
      more: nextPage(spacePartPath(space.id, 'links'), links?.next, { status: filter.value }),
      problem,
      now: context.now(),
    });
  }

  app.get(
    '/spaces/:spaceId/links',
    inSpace(context, 'links', (call) => show(call)),
  );
  app.post(
    '/spaces/:spaceId/links/fix',
    ownForm(context),
    inSpace(context, 'links', (call) =>
      submit(
        call.reply,
        async () => {
          const { client, params, request, reply } = call;
          const path = readText(request.body, 'path', MAX_PATH);
          const { links, files } = await correctLinks(client, params.spaceId, path === '' ? null : path);
          if (links === 0)
            throw new UnusableInput(
              'No link that is broken now has a suggestion, so there is nothing to correct.',
            );
          const { id, number } = await client.call(operations.createChangeRequest, {
            params,
            body: { subject: `Fix ${plural(links, 'broken link')} in ${plural(files.length, 'file')}` },
          });
          await client.call(operations.changeContent, {
            params: { ...params, changeRequestId: id },
            body: { changes: files.map((file) => ({ type: 'write' as const, ...file })) },
          });
          return reply.redirect(`${changeRequestPath(params.spaceId, number)}?done=fixed`, 303);
        },
        (problem) => show(call, problem),
      ),
    ),
  );
}
