import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { operations } from '../../client/index.ts';
import { homePath, SETUP_PATHS, setupPath, signInPath } from '../addresses.ts';
import { securityHeaders } from '../security-headers.ts';
import type { Session } from '../session.ts';
import { type SetupConnection, type SetupPages, SetupProblem, type SetupRequest } from '../setup-pages.ts';
import { openSetupPasses, type SetupPass } from '../setup-pass.ts';
import { renderMessage } from '../views/message-view.ts';
import { isOwnApp, KEY_PATHS, renderRemoval } from '../views/setup-keys-view.ts';
import { renderSetupDone, renderSetupDoor, renderSetupForm, renderSetupReview } from '../views/setup-view.ts';
import { refuseForeignForms } from './refuse-foreign-forms.ts';
import type { PagesContext } from './signed-in.ts';

/** What a page says first. */
interface Said {
  readonly news?: string | null;
  readonly problem?: string;
}

const MAX_PEM = 12_000;

/** What was done, by what the address says after it. */
const NEWS: ReadonlyMap<string, string> = new Map([
  ['secret', 'GitHub signs with the new webhook secret now. The one before is accepted for an hour more.'],
  ['key', 'Docloom works with the new private key. Delete the old one on the App’s page on GitHub.'],
  [
    'removed',
    'The App was removed from this server. Delete it on GitHub, too. Here you can make another one.',
  ],
]);

interface Guest {
  readonly session: Session | null;
  readonly pass: SetupPass | null;
}

/** `/setup`: makes the GitHub App by GitHub's manifest flow, then shows what the server is connected to. */
export function registerSetup(app: FastifyInstance, context: PagesContext, setup: SetupPages): void {
  const { sessions, publicUrl } = context;
  const passes = openSetupPasses(context);
  const ownForm = { preHandler: refuseForeignForms(context), bodyLimit: 16 * 1024 };

  /** Whoever may set up: an administrator, or while there is no App whoever brought the key. Null for others. */
  async function admit(request: FastifyRequest): Promise<Guest | null> {
    const pass = passes.read(request);
    const session = sessions.read(request);
    if (pass?.byKey && !setup.isConnected()) return { session, pass };
    return session !== null && (await setup.isAdministrator(session.token)) ? { session, pass } : null;
  }

  /** The key opens the page until an App is there, and leaves the address at once. */
  async function acceptKey(reply: FastifyReply, key: string): Promise<FastifyReply> {
    if (setup.isConnected() || !(await setup.isKey(key.trim()))) {
      const problem = setup.isConnected()
        ? 'This server has its GitHub App already, so the key does not count any more. Sign in instead.'
        : 'This is not the key. It is in the log of this server, and changes with its database.';
      return reply.code(401).send(renderSetupDoor({ problem }));
    }
    passes.write(reply, { byKey: true, asked: null });
    return reply.redirect(setupPath, 303);
  }

  app.get(setupPath, async (request, reply) => {
    const { key, done } = request.query as { key?: unknown; done?: unknown };
    if (typeof key === 'string' && !setup.isConnected()) return acceptKey(reply, key);
    const guest = await admit(request);
    if (guest === null) {
      if (sessions.read(request) === null)
        return setup.isConnected()
          ? reply.redirect(signInPath(setupPath), 303)
          : renderSetupDoor({ problem: null });
      return reply.code(403).send(refusal(sessions.read(request)));
    }
    const connection = await setup.connection();
    const news = NEWS.get(String(done)) ?? null;
    if (connection !== null) return renderDone(connection, { news }, guest);
    const defaults = { ...setup.defaults, organization: '', readOnly: false };
    return renderForm(defaults, { news: setup.trouble() === null ? news : null }, guest);
  });

  app.post(`${setupPath}/key`, ownForm, async (request, reply) =>
    acceptKey(reply, textOf(request.body, 'key')),
  );

  app.post(`${setupPath}/app`, ownForm, async (request, reply) => {
    const guest = await admit(request);
    if (guest === null || setup.isConnected()) return reply.redirect(setupPath, 303);
    const form: SetupRequest = {
      github: textOf(request.body, 'github'),
      organization: textOf(request.body, 'organization'),
      name: textOf(request.body, 'name'),
      readOnly: textOf(request.body, 'tier') === 'read-only',
    };
    try {
      const proposal = setup.propose(form);
      const state = randomBytes(24).toString('base64url');
      passes.write(reply, { byKey: guest.pass?.byKey ?? false, asked: { state, github: proposal.github } });
      return reply
        .header('content-security-policy', policyWithForms(proposal.origin))
        .send(renderSetupReview({ proposal, state, user: guest.session }));
    } catch (error) {
      if (!(error instanceof SetupProblem)) throw error;
      return reply.code(400).send(renderForm(form, { problem: error.message }, guest));
    }
  });

  app.get(SETUP_PATHS.registered, async (request, reply) => {
    const guest = await admit(request);
    if (guest === null) return reply.redirect(setupPath, 303);
    const { code, state } = request.query as { code?: unknown; state?: unknown };
    const asked = guest.pass?.asked ?? null;
    if (asked === null || typeof code !== 'string' || !isSame(state, asked.state)) {
      if (setup.isConnected()) return reply.redirect(setupPath, 303);
      return reply.code(400).send(
        renderMessage({
          title: 'Unexpected answer',
          sentence:
            'GitHub led back here with an answer to another question, or after more than an hour. Open /setup and begin again.',
          user: guest.session,
        }),
      );
    }
    try {
      await setup.register(asked.github, code);
    } catch (error) {
      if (!(error instanceof SetupProblem)) throw error;
      return reply
        .code(502)
        .send(
          renderMessage({ title: 'The App was not taken', sentence: error.message, user: guest.session }),
        );
    }
    passes.clear(reply);
    if (guest.session === null) await signIn(reply);
    return reply.redirect(setupPath, 303);
  });

  /** Whoever read the key in the server's log runs the server: they are signed in as such. */
  async function signIn(reply: FastifyReply): Promise<void> {
    const token = await setup.makeToken();
    if (token === null) return;
    const { displayName } = await context.clientFor(token).call(operations.getUser, {});
    sessions.write(reply, { token, displayName });
  }

  // GitHub leads here after an installation; what is installed then is shown, whatever its address says.
  app.get(SETUP_PATHS.installed, async (request, reply) => {
    if ((await admit(request)) === null) return reply.redirect(homePath, 303);
    setup.refresh();
    return reply.redirect(setupPath, 303);
  });

  /** Changes something about the App that was set up here; what cannot be done is told where it was asked for. */
  function keyForm(path: string, done: string, act: (request: FastifyRequest) => Promise<void>): void {
    app.post(path, ownForm, async (request, reply) => {
      const guest = await admit(request);
      if (guest === null || !setup.isConnected()) return reply.redirect(setupPath, 303);
      try {
        await act(request);
      } catch (error) {
        if (!(error instanceof SetupProblem)) throw error;
        const connection = await setup.connection();
        if (connection === null) return reply.redirect(setupPath, 303);
        return reply.code(400).send(renderDone(connection, { problem: error.message }, guest));
      }
      setup.refresh();
      return reply.redirect(`${setupPath}?done=${done}`, 303);
    });
  }

  keyForm(KEY_PATHS.secret, 'secret', () => setup.changeSecret());
  keyForm(KEY_PATHS.key, 'key', ({ body }) => setup.changePrivateKey(textOf(body, 'pem', MAX_PEM)));
  keyForm(KEY_PATHS.remove, 'removed', () => setup.forget());

  app.get(KEY_PATHS.remove, async (request, reply) => {
    const guest = await admit(request);
    const connection = guest === null ? null : await setup.connection();
    if (guest === null || connection === null || !isOwnApp(connection)) return reply.redirect(setupPath, 303);
    return renderRemoval({ connection, user: guest.session });
  });

  function renderForm(request: SetupRequest, said: Said, guest: Guest): string {
    const { news = null, problem = null } = said;
    const trouble = setup.trouble();
    return renderSetupForm({ request, news, problem, publicUrl, trouble, user: guest.session });
  }

  function renderDone(connection: SetupConnection, said: Said, guest: Guest): string {
    const { news = null, problem = null } = said;
    return renderSetupDone({ connection, news, problem, now: context.now(), user: guest.session });
  }
}

function refusal(user: Session | null): string {
  return renderMessage({
    title: 'For administrators',
    sentence:
      'Only an administrator of this server sets up its GitHub App. Sign out, and in again with such a token.',
    user,
  });
}

/** The page's form leads to GitHub, and GitHub's answer to it back here; browsers hold both against the policy. */
function policyWithForms(origin: string): string {
  return securityHeaders['content-security-policy'].replace(
    "form-action 'self'",
    `form-action 'self' ${origin}`,
  );
}

function textOf(body: unknown, name: string, longest = 300): string {
  const value = (body as Record<string, unknown> | null | undefined)?.[name];
  return typeof value === 'string' ? value.slice(0, longest) : '';
}

function isSame(given: unknown, expected: string): boolean {
  if (typeof given !== 'string') return false;
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
