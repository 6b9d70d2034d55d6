import type { FastifyInstance } from 'fastify';
import { operations } from '../../client/index.ts';
import { conversationPath } from '../addresses.ts';
import { renderConversation, renderConversations } from '../views/conversations-view.ts';
import { inOrganization } from './in-organization.ts';
import { nextPage, pageOf } from './list-page.ts';
import { readText } from './read-text.ts';
import type { PagesContext } from './signed-in.ts';

const SHOWN = 50;
const base = '/orgs/:organizationId/conversations/all';

/** All conversations of an organization, and what was said in each. */
export function registerConversations(app: FastifyInstance, context: PagesContext): void {
  app.get(
    base,
    inOrganization(context, 'conversations', async ({ client, organization, request, session }) => {
      const source = readText(request.query, 'source', 255).trim();
      const query: { readonly source?: string } = source === '' ? {} : { source };
      const { items, next, count } = await client.call(operations.listConversations, {
        params: { organizationId: organization.id },
        query: { limit: SHOWN, ...query, ...pageOf(request) },
      });
      return renderConversations({
        organization,
        conversations: items,
        count: count ?? items.length,
        source,
        more: nextPage(conversationPath(organization.id), next, { source }),
        user: session,
        now: context.now(),
      });
    }),
  );

  app.get(
    `${base}/:conversationId`,
    inOrganization<{ readonly conversationId: string }>(
      context,
      'conversations',
      async ({ client, organization, params, session }) =>
        renderConversation({
          organization,
          content: await client.call(operations.getConversation, {
            params: { organizationId: organization.id, conversationId: params.conversationId },
          }),
          user: session,
          now: context.now(),
        }),
    ),
  );
}
