import type { FastifyInstance } from 'fastify';
import { operations } from '../../client/index.ts';
import { conversationPath } from '../addresses.ts';
import { renderConversation, renderConversations } from '../views/conversations-view.ts';
import { inOrganization } from './in-organization.ts';
import { listBySource } from './list-by-source.ts';
import type { PagesContext } from './signed-in.ts';

const SHOWN = 50;
const base = '/orgs/:organizationId/conversations/all';

/** All conversations of an organization, and what was said in each. */
export function registerConversations(app: FastifyInstance, context: PagesContext): void {
  app.get(
    base,
    inOrganization(context, 'conversations', async (call) => {
      const { client, organization, session } = call;
      const { items, ...list } = await listBySource(call, {
        path: conversationPath(organization.id),
        list: (query) =>
          client.call(operations.listConversations, {
            params: { organizationId: organization.id },
            query: { limit: SHOWN, ...query },
          }),
      });
      return renderConversations({
        ...list,
        organization,
        conversations: items,
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
