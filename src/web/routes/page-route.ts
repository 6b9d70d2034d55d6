import type { FastifyInstance } from 'fastify';
import {
  type Link,
  type OpenAPIOperation,
  operations,
  type Page,
  type PlatformClient,
} from '../../client/index.ts';
import { findOperations, RenderLimitError, renderWithOutline } from '../../content/render/index.ts';
import { html, sanitised } from '../html.ts';
import { ID_PREFIX } from '../layout.ts';
import { resolveTargets } from '../resolve-targets.ts';
import { takeLinks } from '../take-links.ts';
import { type PageFacts, renderPageView } from '../views/page-view.ts';
import { type PagesContext, signedIn } from './signed-in.ts';

const backlinksShown = 100;

interface PageParams {
  readonly spaceId: string;
  readonly pageId: string;
}

/** `/spaces/:spaceId/pages/:pageId` */
export function registerPage(app: FastifyInstance, context: PagesContext): void {
  app.get(
    '/spaces/:spaceId/pages/:pageId',
    signedIn<PageParams>(context, async ({ client, session, params }) => {
      const [space, { pages }, page, links, backlinks] = await Promise.all([
        client.call(operations.getSpace, { params }),
        client.call(operations.listPages, { params }),
        client.call(operations.getPage, { params, query: { format: 'markdown' } }),
        takeLinks(client.paginate(operations.listPageLinks, { params, query: { limit: 1000 } })),
        client.call(operations.listPageBacklinks, { params, query: { limit: backlinksShown } }),
      ]);
      return renderPageView({
        space,
        pages,
        page,
        body: await renderBody(page, params, links, await loadOperations(client, params, page)),
        brokenLinks: links.filter(({ status }) => status === 'broken'),
        backlinks,
        user: session,
      });
    }),
  );
}

/** The operations of APIs that the page's blocks name, as their specifications have them now. */
async function loadOperations(
  client: PlatformClient,
  params: PageParams,
  { markdown = '' }: Page,
): Promise<ReadonlyMap<string, OpenAPIOperation>> {
  if (findOperations(markdown).length === 0) return new Map();
  const { items } = await client.call(operations.listPageOperations, { params });
  return new Map(
    items.map(({ spec, operation }) => [`${spec} ${operation.method} ${operation.path}`, operation]),
  );
}

/** A page's body as readers see it. With a revision's id its links stay in that revision. */
export async function renderBody(
  page: Page,
  place: { readonly spaceId: string; readonly revisionId?: string },
  links: readonly Link[],
  shown: ReadonlyMap<string, OpenAPIOperation>,
): Promise<PageFacts['body']> {
  const markdown = page.markdown ?? '';
  const dialect = page.dialect ?? '';
  const { origins, git } = page;
  const targets = await resolveTargets({
    ...place,
    page: { markdown, dialect, path: git?.path ?? '', origins },
    links,
  });
  try {
    const { html: rendered, outline } = await renderWithOutline(markdown, {
      ...targets,
      dialect,
      reservedIds: ID_PREFIX,
      highlight: true,
      operationOf: ({ spec, method, path }) => shown.get(`${spec} ${method} ${path}`) ?? null,
    });
    const titleEnd = rendered.startsWith('<h1') ? rendered.indexOf('</h1>') + '</h1>'.length : 0;
    return {
      title: titleEnd === 0 ? null : html`${sanitised(rendered.slice(0, titleEnd))}`,
      content: html`${sanitised(rendered.slice(titleEnd))}`,
      hasTitle: /<h1[\s>]/.test(rendered),
      outline,
    };
  } catch (error) {
    if (error instanceof RenderLimitError) return { problem: error.message };
    throw error;
  }
}
