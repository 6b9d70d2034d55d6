import type { FastifyReply, FastifyRequest } from 'fastify';
import { isSameOrigin } from '../same-origin.ts';
import { renderMessage } from '../views/message-view.ts';

/** A form of another site cannot do anything in somebody's name. */
export function refuseForeignForms({ publicUrl }: { readonly publicUrl: string }) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    if (isSameOrigin(request.headers, publicUrl)) return undefined;
    return reply.code(403).send(
      renderMessage({
        title: 'Not sent',
        sentence: `This form came from another site, so nothing was done. Open ${publicUrl} and try again there.`,
      }),
    );
  };
}
