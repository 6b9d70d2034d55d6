import type { FastifyInstance } from 'fastify';
import { operations } from '../../client/index.ts';
import { organizationsPath } from '../addresses.ts';
import { renderOrganizations } from '../views/organizations-view.ts';
import { nextPage, pageOf } from './list-page.ts';
import { type PagesContext, signedIn } from './signed-in.ts';

const SHOWN = 50;

/** `/orgs`: the organizations that somebody may see. The menu of the header is filled from it. */
export function registerOrganizations(app: FastifyInstance, context: PagesContext): void {
  app.get(
    organizationsPath,
    signedIn(context, async ({ client, session, request }) => {
      const { items, next } = await client.call(operations.listOrganizations, {
        query: { limit: SHOWN, ...pageOf(request) },
      });
      return renderOrganizations({
        organizations: items,
        more: nextPage(organizationsPath, next),
        user: session,
      });
    }),
  );
}
