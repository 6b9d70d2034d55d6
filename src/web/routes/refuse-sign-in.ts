import type { FastifyReply } from 'fastify';
import { LinkFailed, SignInFailed, TooManyAttempts } from '../../identity/index.ts';
import { accountPath } from '../addresses.ts';
import { renderMessage } from '../views/message-view.ts';
import { refusalStatus } from './sign-in-routes.ts';

/** Shows why somebody was not signed in; any other error is thrown again. */
export function refuseFailed(reply: FastifyReply, error: unknown, status: number): FastifyReply {
  if (error instanceof TooManyAttempts)
    return refuseSignIn(reply, refusalStatus(error, reply), error.message);
  if (!(error instanceof SignInFailed)) throw error;
  if (error instanceof LinkFailed)
    return reply.code(status).send(
      renderMessage({
        title: 'Nothing was linked',
        sentence: error.message,
        link: { path: accountPath, label: 'Back to your account' },
        user: null,
      }),
    );
  return refuseSignIn(reply, status, error.message);
}

/** Says in one sentence why nobody was signed in. */
export function refuseSignIn(reply: FastifyReply, status: number, sentence: string): FastifyReply {
  return reply.code(status).send(renderMessage({ title: 'Not signed in', sentence, user: null }));
}
