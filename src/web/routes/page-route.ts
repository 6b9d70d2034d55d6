import type { FastifyInstance } from 'fastify';
import { operations, type PageView } from '../../client/index.ts';
import { operationKey } from '../../content/render/index.ts';
import { sanitised } from '../../markup/index.ts';
import { contentThreads, PageLimitError, PageNotRead } from '../../threads/index.ts';
import { pagePath } from '../addresses.ts';
import { loadPageThreads, readStatusFilter } from '../comments/comment-routes.ts';
import { renderComments } from '../comments/comments-view.ts';
import { listBlocks } from '../comments/list-blocks.ts';
import { ID_PREFIX } from '../layout.ts';
import { resolveTargets } from '../resolve-targets.ts';
import { type RenderedBody, renderPageView } from '../views/page-view.ts';
import { inSpace } from './in-space.ts';
import { readText } from './read-text.ts';
import type { PagesContext } from './signed-in.ts';

interface PageParams {
  readonly spaceId: string;
  readonly pageId: string;
}

/** `/spaces/:spaceId/pages/:pageId` */
export function registerPage(app: FastifyInstance, context: PagesContext): void {
  app.get(
    '/spaces/:spaceId/pages/:pageId',
    inSpace<PageParams>(context, 'content', async ({ client, frame, session, space, params, request }) => {
      const place = { spaceId: params.spaceId, changeRequest: null };
      const [view, threads] = await Promise.all([
        client.call(operations.getPageView, { params }),
        space.permissions.comment ? loadPageThreads({ client, request }, place, params.pageId) : null,
      ]);
      const { page } = view;
      const comments =
        threads === null
          ? null
          : renderComments({
              place,
              threads,
              status: readStatusFilter(request.query),
              page: { id: page.id, title: page.title },
              blocks: await listBlocks(view),
              chosen: readText(request.query, 'node', 100),
              back: pagePath(params.spaceId, page.id),
              now: context.now(),
              userId: session.userId,
            });
      return renderPageView({ view, body: await renderBody(view, params), comments, frame });
    }),
  );
}

/** A text with what is needed to show it. */
type ShownText = Pick<PageView, 'targets' | 'operations' | 'privateSpecs'> & {
  readonly page: Pick<PageView['page'], 'markdown' | 'dialect'>;
};

/** Renders the body of a page. With a revision's id its links stay in that revision. */
export async function renderBody(
  { page, targets, operations: shown, privateSpecs = [] }: ShownText,
  content: { readonly spaceId: string; readonly revisionId?: string },
): Promise<RenderedBody> {
  const { markdown = '', dialect = '' } = page;
  const byName = new Map(shown.map(({ spec, operation }) => [operationKey(spec, operation), operation]));
  try {
    const { title, body, hasTitle, outline } = await contentThreads.render({
      markdown,
      dialect,
      reservedIds: ID_PREFIX,
      addresses: resolveTargets(targets, content),
      operations: byName,
      privateSpecs: new Set(privateSpecs),
    });
    return {
      title: title === null ? null : sanitised(title),
      content: sanitised(body),
      hasTitle,
      outline,
    };
  } catch (error) {
    if (error instanceof PageLimitError || error instanceof PageNotRead)
      return { problem: error.message, source: markdown };
    throw error;
  }
}
