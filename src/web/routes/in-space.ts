import type { FastifyReply, FastifyRequest } from 'fastify';
import { operations, type PlatformClient, PlatformError, type Space } from '../../client/index.ts';
import { type SpaceFrame, type SpaceTab, spaceTabs } from '../views/space-frame.ts';
import { type PagesContext, renderNotFound, type SignedIn, signedIn } from './signed-in.ts';

export interface InSpace<Params> extends SignedIn<Params & { readonly spaceId: string }> {
  readonly space: Space;
  /** For `renderSpacePage`. */
  readonly frame: SpaceFrame;
}

/**
 * Makes a handler for a page, or a form, of a space's tab. Whoever may not see the tab gets the same 404 as for a space that
 * does not exist.
 */
export function inSpace<Params = unknown>(
  context: PagesContext,
  tab: SpaceTab,
  handler: (call: InSpace<Params>) => Promise<string | FastifyReply>,
): (request: FastifyRequest, reply: FastifyReply) => Promise<string | FastifyReply> {
  return signedIn<Params & { readonly spaceId: string }>(context, async (call) => {
    const { spaceId } = call.params;
    const space = await call.client.call(operations.getSpace, { params: { spaceId } });
    const frame = await loadSpaceFrame(call.client, space, call.session);
    if (!spaceTabs[tab].isOpen(frame)) return call.reply.code(404).send(renderNotFound(call.session));
    return await handler({ ...call, space, frame });
  });
}

/** What the frame of a space's pages shows besides the space. */
export async function loadSpaceFrame(
  client: PlatformClient,
  space: Space,
  user: SpaceFrame['user'],
): Promise<SpaceFrame> {
  return { space, user, organization: await findOrganization(client, space) };
}

/** Null where the reader may see the space, but not the organization. */
async function findOrganization(
  client: PlatformClient,
  { organization, permissions }: Space,
): Promise<SpaceFrame['organization']> {
  if (!permissions.access) return null;
  try {
    return await client.call(operations.getOrganization, { params: { organizationId: organization } });
  } catch (error) {
    if (error instanceof PlatformError && (error.status === 403 || error.status === 404)) return null;
    throw error;
  }
}
