import type { FastifyInstance } from 'fastify';
import { operations } from '../../client/index.ts';
import { conversationPath } from '../addresses.ts';
import { renderConversation, renderConversations } from '../views/conversations-view.ts';
import { chooseSource, listSourceNames } from './choose-source.ts';
import { inOrganization } from './in-organization.ts';
import { nextPage, pageOf } from './list-page.ts';
import type { PagesContext } from './signed-in.ts';

const SHOWN = 50;
const base = '/orgs/:organizationId/conversations/all';

/** All conversations of an organization, and what was said in each. */
export function registerConversations(app: FastifyInstance, context: PagesContext): void {
  app.get(
    base,
    inOrganization(context, 'conversations', async ({ client, organization, request, session }) => {
      const source = chooseSource(request);
      const [{ items, next, count }, sources] = await Promise.all([
        client.call(operations.listConversations, {
          params: { organizationId: organization.id },
          query: { limit: SHOWN, ...source.query, ...pageOf(request) },
        }),
        listSourceNames(client, organization.id),
      ]);
      return renderConversations({
        organization,
        conversations: items,
        count: count ?? items.length,
        sources,
        source: source.name,
        more: nextPage(conversationPath(organization.id), next, source.query),
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
