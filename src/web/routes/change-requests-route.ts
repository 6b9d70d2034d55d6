import type { FastifyInstance } from 'fastify';
import { operations } from '../../client/index.ts';
import { changeRequestPath } from '../addresses.ts';
import {
  listPath,
  type RequestFilter,
  renderChangeRequests,
  STATUS_TABS,
} from '../views/change-requests-view.ts';
import { submit } from './in-organization.ts';
import { type InSpace, inSpace } from './in-space.ts';
import { nextPage, pageOf } from './list-page.ts';
import { ownForm } from './own-forms.ts';
import { readText } from './read-text.ts';
import type { PagesContext } from './signed-in.ts';

const SHOWN = 25;

/** `/spaces/:spaceId/change-requests`: the list, and a form for a new one. */
export function registerChangeRequests(app: FastifyInstance, context: PagesContext): void {
  async function show(call: InSpace<unknown>, problem: string | null = null): Promise<string> {
    const { client, params, request, space, frame } = call;
    const filter = readFilter(request.query);
    const query = {
      limit: SHOWN,
      ...pageOf(request),
      ...(filter.status === 'all' ? {} : { status: filter.status }),
      ...(await narrowed(call, filter)),
    };
    const { items, count, next } = await client.call(operations.listChangeRequests, { params, query });
    const drafts =
      count === 0 && filter.status === 'open' && filter.mine !== 'review' ? await countDrafts(call) : 0;
    const [path, rest = ''] = listPath(space.id, filter).split('?');
    return renderChangeRequests({
      frame,
      filter,
      requests: items,
      count,
      drafts,
      more: nextPage(path ?? '', next, Object.fromEntries(new URLSearchParams(rest))),
      problem,
      now: context.now(),
    });
  }

  app.get(
    '/spaces/:spaceId/change-requests',
    inSpace(context, 'changeRequests', (call) => show(call)),
  );

  app.post(
    '/spaces/:spaceId/change-requests',
    ownForm(context),
    inSpace(context, 'changeRequests', (call) =>
      submit(
        call.reply,
        async () => {
          const { client, params, request, reply } = call;
          const subject = readText(request.body, 'subject', 256).trim();
          const { number, space } = await client.call(operations.createChangeRequest, {
            params,
            body: { subject },
          });
          return reply.redirect(`${changeRequestPath(space, number)}?done=created`, 303);
        },
        (problem) => show(call, problem),
      ),
    ),
  );
}

/** How many drafts the reader has in this space. */
async function countDrafts({ client, params }: InSpace<unknown>): Promise<number> {
  const { id } = await client.call(operations.getUser, {});
  const query = { limit: 1, status: 'draft', creator: id } as const;
  return (await client.call(operations.listChangeRequests, { params, query })).count;
}

function readFilter(query: unknown): RequestFilter {
  const status = readText(query, 'status');
  const mine = readText(query, 'mine');
  return {
    status: STATUS_TABS.find(([known]) => known === status)?.[0] ?? 'open',
    mine: mine === 'created' || mine === 'review' ? mine : '',
  };
}

async function narrowed({ client }: InSpace<unknown>, { mine }: RequestFilter) {
  if (mine === '') return {};
  const { id } = await client.call(operations.getUser, {});
  return mine === 'created' ? { creator: id } : { requestedReviewer: id };
}
