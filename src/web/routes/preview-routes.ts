import type { FastifyInstance } from 'fastify';
import { type ChangeRequest, operations, type PlatformClient } from '../../client/index.ts';
import { pagePath } from '../addresses.ts';
import { renderWithoutPages } from '../views/content-view.ts';
import { firstPage } from '../views/navigation.ts';
import { renderPageView } from '../views/page-view.ts';
import { sendFile } from './file-route.ts';
import { inSpace } from './in-space.ts';
import { renderBody, renderCommented } from './page-route.ts';
import { type PagesContext, signedIn } from './signed-in.ts';

interface RevisionParams {
  readonly spaceId: string;
  readonly revisionId: string;
}

/**
 * `/spaces/:spaceId/revisions/:revisionId`: a revision that is not live, such as the preview of a pull request, for people
 * who may read the space. Pages, navigation, pictures and the links between them are those of the revision.
 */
export function registerPreview(app: FastifyInstance, context: PagesContext): void {
  const root = '/spaces/:spaceId/revisions/:revisionId';
  app.get(
    root,
    inSpace<RevisionParams>(context, 'content', async ({ client, frame, params, reply }) => {
      const { pages } = await client.call(operations.listRevisionPages, { params });
      const first = firstPage(pages);
      if (first === null) return renderWithoutPages(frame);
      return reply.redirect(pagePath(params.spaceId, first.id, params.revisionId), 302);
    }),
  );
  app.get(
    `${root}/pages/:pageId`,
    inSpace<RevisionParams & { readonly pageId: string }>(context, 'content', async (call) => {
      const { client, frame, params, space } = call;
      const [view, changeRequest] = await Promise.all([
        client.call(operations.getRevisionPageView, { params }),
        space.permissions.comment ? findProposed(client, params) : null,
      ]);
      const preview = { view, frame, isPreview: true };
      if (changeRequest === null) return renderPageView({ ...preview, body: await renderBody(view, params) });
      const place = { spaceId: params.spaceId, changeRequest: String(changeRequest.number) };
      const back = pagePath(params.spaceId, view.page.id, params.revisionId);
      const now = context.now();
      const commented = await renderCommented(call, { view, place, back, now });
      return renderPageView({ ...preview, changeRequest, ...commented });
    }),
  );
  app.get(
    `${root}/files/:fileId`,
    signedIn<RevisionParams & { readonly fileId: string }>(
      context,
      async ({ client, params, reply, request }) => {
        const file = await client.call(operations.getRevisionFile, { params });
        return await sendFile(client, file, { request, reply });
      },
    ),
  );
}

/** The change request that proposes a revision and is not closed; null for none, and for a revision that several begin with. */
async function findProposed(
  client: PlatformClient,
  { spaceId, revisionId }: RevisionParams,
): Promise<ChangeRequest | null> {
  const { items } = await client.call(operations.listChangeRequests, {
    params: { spaceId },
    query: { revision: revisionId, limit: 10 },
  });
  const [found, ...others] = items.filter(({ status }) => status === 'draft' || status === 'open');
  return found === undefined || others.length > 0 ? null : found;
}
