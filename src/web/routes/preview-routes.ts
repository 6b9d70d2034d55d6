import type { FastifyInstance } from 'fastify';
import { operations } from '../../client/index.ts';
import { pagePath } from '../addresses.ts';
import { renderWithoutPages } from '../views/content-view.ts';
import { firstPage } from '../views/navigation.ts';
import { renderPageView } from '../views/page-view.ts';
import { sendFile } from './file-route.ts';
import { inSpace } from './in-space.ts';
import { renderBody } from './page-route.ts';
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
    inSpace<RevisionParams & { readonly pageId: string }>(
      context,
      'content',
      async ({ client, frame, params }) => {
        const view = await client.call(operations.getRevisionPageView, { params });
        return renderPageView({ view, isPreview: true, body: await renderBody(view, params), frame });
      },
    ),
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
