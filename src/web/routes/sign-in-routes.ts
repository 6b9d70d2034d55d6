import type { FastifyInstance } from 'fastify';
import { operations, PlatformError } from '../../client/index.ts';
import { homePath } from '../addresses.ts';
import { renderSignIn } from '../views/sign-in-view.ts';
import { refuseForeignForms } from './refuse-foreign-forms.ts';
import type { PagesContext } from './signed-in.ts';

/** In characters; tokens are shorter. */
const maximumToken = 512;

interface Credentials {
  readonly token: string;
  readonly next: string;
}

/** `/login` and `/logout`. */
export function registerSignIn(app: FastifyInstance, context: PagesContext): void {
  const { sessions } = context;

  app.get('/login', async (request, reply) => {
    const next = readNext((request.query as Record<string, unknown>)['next']);
    if ((await sessions.read(request)) !== null) return reply.redirect(next, 303);
    return renderSignIn({ next });
  });

  app.post(
    '/login',
    { preHandler: refuseForeignForms(context), bodyLimit: 16 * 1024 },
    async (request, reply) => {
      const { token, next } = readCredentials(request.body);
      const displayName = token === '' ? null : await findOwner(context, token);
      if (displayName === null) {
        const problem =
          token === ''
            ? 'Paste an API token to sign in.'
            : 'This token is not known here. It may be mistyped, revoked or expired; create a new one with “docloom token create”.';
        return reply.code(token === '' ? 400 : 401).send(renderSignIn({ next, problem }));
      }
      await sessions.start(request, reply, { token, displayName });
      return reply.redirect(next, 303);
    },
  );

  app.post(
    '/logout',
    { preHandler: refuseForeignForms(context), bodyLimit: 1024 },
    async (request, reply) => {
      await sessions.end(request, reply);
      return reply.redirect(homePath, 303);
    },
  );
}

/** The name of a token's owner; null for a token that the platform does not know. */
async function findOwner(context: PagesContext, token: string): Promise<string | null> {
  // A header cannot contain other characters.
  if (!/^[\x21-\x7e]+$/.test(token)) return null;
  try {
    return (await context.clientFor(token).call(operations.getUser, {})).displayName;
  } catch (error) {
    if (error instanceof PlatformError && error.status === 401) return null;
    throw error;
  }
}

function readCredentials(body: unknown): Credentials {
  const { token, next } = (body ?? {}) as Record<string, unknown>;
  const text = typeof token === 'string' ? token.trim() : '';
  return { token: text.length > maximumToken ? '' : text, next: readNext(next) };
}

/** Only a path of this server, because anybody can write the address. */
export function readNext(value: unknown): string {
  if (typeof value !== 'string' || !/^\/(?![/\\])[\x21-\x7e]*$/.test(value) || value.length > 2048)
    return homePath;
  return /^\/log(in|out)\b/.test(value) ? homePath : value;
}
