import type { FastifyInstance } from 'fastify';
import { operations, type PageView } from '../../client/index.ts';
import { operationKey } from '../../content/render/index.ts';
import { html, type Markup, sanitised } from '../../markup/index.ts';
import { contentThreads, PageLimitError, PageNotRead } from '../../threads/index.ts';
import { pagePath } from '../addresses.ts';
import { loadPageThreads, readStatusFilter } from '../comments/comment-routes.ts';
import { renderComments } from '../comments/comments-view.ts';
import { listBlocks } from '../comments/list-blocks.ts';
import type { CommentPlace } from '../comments/place.ts';
import { placeThreads, readChosen, renderCommentTemplate } from '../comments/place-threads.ts';
import { ID_PREFIX } from '../layout.ts';
import { resolveTargets } from '../resolve-targets.ts';
import { type RenderedBody, renderPageView } from '../views/page-view.ts';
import { type InSpace, inSpace } from './in-space.ts';
import type { PagesContext } from './signed-in.ts';

interface PageParams {
  readonly spaceId: string;
  readonly pageId: string;
}

/** `/spaces/:spaceId/pages/:pageId` */
export function registerPage(app: FastifyInstance, context: PagesContext): void {
  app.get(
    '/spaces/:spaceId/pages/:pageId',
    inSpace<PageParams>(context, 'content', async (call) => {
      const { client, frame, params, space } = call;
      const view = await client.call(operations.getPageView, { params });
      if (!space.permissions.comment)
        return renderPageView({ view, body: await renderBody(view, params), frame });
      const place = { spaceId: params.spaceId, changeRequest: null };
      const back = pagePath(params.spaceId, view.page.id);
      const now = context.now();
      return renderPageView({ view, frame, ...(await renderCommented(call, { view, place, back, now })) });
    }),
  );
}

/** A page with the comments on it: those on blocks below these, and the others, with the form for a new one, at the end. */
export async function renderCommented(
  { client, params, request, session }: InSpace<{ readonly spaceId: string; readonly revisionId?: string }>,
  {
    view,
    place,
    back,
    now,
  }: {
    readonly view: PageView;
    readonly place: CommentPlace;
    /** The address of the page, to which its forms lead back. */
    readonly back: string;
    readonly now: Date;
  },
): Promise<{ readonly body: RenderedBody; readonly comments: Markup }> {
  const { page } = view;
  const [threads, rendered, blocks] = await Promise.all([
    loadPageThreads({ client, request }, place, page.id),
    renderBody(view, params, { hasBlockPlaces: true }),
    listBlocks(view),
  ]);
  const shown = { place, back, now, userId: session.userId };
  const placed =
    'problem' in rendered
      ? null
      : placeThreads(rendered.content.text, {
          ...shown,
          threads: threads.items,
          pageId: page.id,
          chosen: readChosen(request.query),
          isGenerated: page.computed !== undefined,
        });
  const others = placed?.others ?? threads.items;
  const comments = renderComments({
    ...shown,
    threads: { ...threads, items: others },
    inPlace: threads.items.length - others.length,
    status: readStatusFilter(request.query),
    page: { id: page.id, title: page.title },
    blocks,
  });
  return {
    body: placed === null || 'problem' in rendered ? rendered : { ...rendered, content: placed.content },
    comments: html`${comments}${renderCommentTemplate(place, back)}`,
  };
}

/** A text with what is needed to show it. */
type ShownText = Pick<PageView, 'targets' | 'operations' | 'privateSpecs'> & {
  readonly page: Pick<PageView['page'], 'markdown' | 'dialect'>;
};

/** Renders the body of a page. With a revision's id its links stay in that revision. */
export async function renderBody(
  { page, targets, operations: shown, privateSpecs = [] }: ShownText,
  content: { readonly spaceId: string; readonly revisionId?: string },
  options: { readonly hasBlockPlaces?: boolean } = {},
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
      ...options,
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
