import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { operations } from '../../client/index.ts';
import type { Session } from '../../identity/index.ts';
import { homePath, SETUP_PATHS, setupPath, signInPath } from '../addresses.ts';
import { openSealedCookie } from '../sealed-cookie.ts';
import { securityHeaders } from '../security-headers.ts';
import { originOf } from '../session.ts';
import {
  type SetupConnection,
  type SetupPages,
  SetupProblem,
  type SetupProposal,
  type SetupRequest,
} from '../setup-pages.ts';
import { renderFirstAdministrator } from '../views/first-administrator-view.ts';
import { renderMessage } from '../views/message-view.ts';
import { isOwnApp, KEY_PATHS, renderRemoval } from '../views/setup-keys-view.ts';
import {
  renderConnectedApp,
  renderSetupForm,
  renderSetupKeyForm,
  renderSetupReview,
} from '../views/setup-view.ts';
import { secretForm } from './own-forms.ts';
import { refusalStatus } from './sign-in-routes.ts';
import type { PagesContext } from './signed-in.ts';

/** Messages above the rest of a page: what was done, or what failed. */
interface PageMessages {
  readonly news?: string | null;
  readonly problem?: string;
}

/** In characters. */
const MAX_PEM = 12_000;

/** What was done, by the value of `done` in the address. */
const NEWS: ReadonlyMap<string, string> = new Map([
  ['secret', 'GitHub signs with the new webhook secret now. The previous one is accepted for another hour.'],
  ['key', 'Docloom uses the new private key. Delete the old one on the App’s page on GitHub.'],
  [
    'removed',
    'The App was removed from this server. Delete it on GitHub, too. You can create another one here.',
  ],
]);

/** The same for the audit log. */
const ACTIONS = { secret: 'app.change-secret', key: 'app.change-key', removed: 'app.remove' } as const;

/** The sealed cookie of a browser in which an App is being set up. */
interface SetupPass {
  /** Whether the page was opened with the key in the server's log. */
  readonly byKey: boolean;
  /** The registration that was sent to GitHub, and the random text that GitHub sends back; null before that. */
  readonly asked: { readonly state: string; readonly github: SetupProposal['github'] } | null;
}

/** GitHub's code is valid for an hour, so the cookie is, too. */
const PASS_SECONDS = 60 * 60;

const NOBODY = { displayName: '', email: '' };

interface Visitor {
  readonly session: Session | null;
  readonly pass: SetupPass | null;
}

/** `/setup`: registers the GitHub App with GitHub's manifest flow, then shows what the server is connected to. */
export function registerSetup(app: FastifyInstance, context: PagesContext, setup: SetupPages): void {
  const { sessions, publicUrl } = context;
  const passes = openSealedCookie<SetupPass>({
    ...context,
    name: 'docloom-setup',
    kind: 'setup',
    lifetimeSeconds: PASS_SECONDS,
  });
  // The answers have the secret of the registration beside what the form said.
  const guarded = secretForm(context);

  /** Whether the browser was opened with the key, which works until somebody used it up. */
  async function hasKey(pass: SetupPass | null): Promise<boolean> {
    return pass?.byKey === true && (await setup.hasKey());
  }

  /** Admits administrators, and while there is no App everyone who has the key. Null for others. */
  async function admit(request: FastifyRequest): Promise<Visitor | null> {
    const pass = passes.read(request);
    const session = await sessions.read(request);
    if (!setup.isConnected() && (await hasKey(pass))) return { session, pass };
    return session !== null && (await setup.isAdministrator(session.token)) ? { session, pass } : null;
  }

  /** The key opens the page until it was used; a redirect removes it from the address. */
  async function acceptKey(reply: FastifyReply, key: string): Promise<FastifyReply> {
    if (!(await setup.isKey(key.trim()))) {
      const problem = setup.isConnected()
        ? 'This server has its GitHub App already, so the key is no longer valid. Sign in instead.'
        : 'This is not the key. It is in the log of this server, and differs for each database.';
      return reply.code(401).send(renderSetupKeyForm({ problem }));
    }
    passes.write(reply, { byKey: true, asked: null });
    return reply.redirect(setupPath, 303);
  }

  /** Whether this browser may make the first administrator. */
  async function mayBeFirst(request: FastifyRequest): Promise<boolean> {
    const { accounts } = context;
    return accounts !== undefined && (await hasKey(passes.read(request))) && !(await accounts.hasPeople());
  }

  app.get(setupPath, async (request, reply) => {
    const { key, done, step } = request.query as { key?: unknown; done?: unknown; step?: unknown };
    if (typeof key === 'string' && (!setup.isConnected() || (await setup.isKey(key))))
      return acceptKey(reply, key);
    if (step !== 'app' && (await mayBeFirst(request)))
      return renderFirstAdministrator({ ...NOBODY, hasApp: setup.isConnected(), problem: null });
    const visitor = await admit(request);
    if (visitor === null) {
      const session = await sessions.read(request);
      if (session === null)
        return setup.isConnected()
          ? reply.redirect(signInPath(setupPath), 303)
          : renderSetupKeyForm({ problem: null });
      return reply.code(403).send(refusal(session));
    }
    const connection = await setup.connection();
    const news = NEWS.get(String(done)) ?? null;
    if (connection !== null) return renderConnection(connection, { news }, visitor);
    const defaults = { ...setup.defaults, organization: '', readOnly: false };
    return renderForm(defaults, { news: setup.appProblem() === null ? news : null }, visitor);
  });

  app.post(`${setupPath}/key`, guarded, async (request, reply) =>
    acceptKey(reply, textOf(request.body, 'key')),
  );

  app.post(`${setupPath}/administrator`, guarded, async (request, reply) => {
    const { accounts } = context;
    if (accounts === undefined || !(await mayBeFirst(request))) return reply.redirect(setupPath, 303);
    const entered = {
      displayName: textOf(request.body, 'displayName'),
      email: textOf(request.body, 'email'),
      password: textOf(request.body, 'password', 1024),
    };
    try {
      const signIn = await accounts.createFirstAdministrator(entered, originOf(request));
      passes.clear(reply);
      if (signIn === null)
        return reply.code(409).send(
          renderMessage({
            title: 'Somebody else was faster',
            sentence:
              'The set-up address was used in another browser, and works once. Sign in, or ask who did it.',
          }),
        );
      await sessions.start(request, reply, signIn);
      return reply.redirect(setup.isConnected() ? homePath : setupPath, 303);
    } catch (error) {
      const status = refusalStatus(error, reply);
      const { displayName, email } = entered;
      const problem = (error as Error).message;
      return reply
        .code(status)
        .send(renderFirstAdministrator({ displayName, email, hasApp: setup.isConnected(), problem }));
    }
  });

  app.post(`${setupPath}/app`, guarded, async (request, reply) => {
    const visitor = await admit(request);
    if (visitor === null || setup.isConnected()) return reply.redirect(setupPath, 303);
    const form: SetupRequest = {
      github: textOf(request.body, 'github'),
      organization: textOf(request.body, 'organization'),
      name: textOf(request.body, 'name'),
      readOnly: textOf(request.body, 'tier') === 'read-only',
    };
    try {
      const proposal = setup.propose(form);
      const state = randomBytes(24).toString('base64url');
      passes.write(reply, { byKey: visitor.pass?.byKey ?? false, asked: { state, github: proposal.github } });
      return reply
        .header('content-security-policy', policyWithForms(proposal.origin))
        .send(renderSetupReview({ proposal, state, user: visitor.session }));
    } catch (error) {
      if (!(error instanceof SetupProblem)) throw error;
      return reply.code(400).send(renderForm(form, { problem: error.message }, visitor));
    }
  });

  app.get(SETUP_PATHS.registered, async (request, reply) => {
    const visitor = await admit(request);
    if (visitor === null) return reply.redirect(setupPath, 303);
    const { code, state } = request.query as { code?: unknown; state?: unknown };
    const requested = visitor.pass?.asked ?? null;
    if (requested === null || typeof code !== 'string' || !isSameText(state, requested.state)) {
      if (setup.isConnected()) return reply.redirect(setupPath, 303);
      return reply.code(400).send(
        renderMessage({
          title: 'Unexpected answer',
          sentence:
            'GitHub redirected here with an answer to another request, or after more than an hour. Open /setup and start again.',
          user: visitor.session,
        }),
      );
    }
    try {
      await setup.register(requested.github, code);
      await record(visitor, 'app.register');
    } catch (error) {
      if (!(error instanceof SetupProblem)) throw error;
      return reply.code(502).send(
        renderMessage({
          title: 'The App could not be set up',
          sentence: error.message,
          user: visitor.session,
        }),
      );
    }
    passes.clear(reply);
    if (visitor.session === null) await signIn(request, reply);
    return reply.redirect(setupPath, 303);
  });

  async function record({ session }: Visitor, action: string): Promise<void> {
    await context.recordAction?.(session?.token ?? null, {
      action,
      target: { kind: 'app', id: null, name: null },
    });
  }

  /** Everyone who can read the key in the server's log runs the server, so they are signed in as an administrator. */
  async function signIn(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const token = await setup.makeToken();
    if (token === null) return;
    const { displayName } = await context.clientFor(token).call(operations.getUser, {});
    await sessions.startWithToken(request, reply, { token, displayName });
  }

  // GitHub redirects here after an installation. What is installed is read from GitHub, not from the address.
  app.get(SETUP_PATHS.installed, async (request, reply) => {
    if ((await admit(request)) === null) return reply.redirect(homePath, 303);
    setup.refresh();
    return reply.redirect(setupPath, 303);
  });

  /** A form that changes the App that was set up in the browser; a failure is shown on the page with the form. */
  function registerForm(
    path: string,
    done: keyof typeof ACTIONS,
    act: (request: FastifyRequest) => Promise<void>,
  ): void {
    app.post(path, guarded, async (request, reply) => {
      const visitor = await admit(request);
      if (visitor === null || !setup.isConnected()) return reply.redirect(setupPath, 303);
      try {
        await act(request);
        await record(visitor, ACTIONS[done]);
      } catch (error) {
        if (!(error instanceof SetupProblem)) throw error;
        const connection = await setup.connection();
        if (connection === null) return reply.redirect(setupPath, 303);
        return reply.code(400).send(renderConnection(connection, { problem: error.message }, visitor));
      }
      setup.refresh();
      return reply.redirect(`${setupPath}?done=${done}`, 303);
    });
  }

  registerForm(KEY_PATHS.secret, 'secret', () => setup.changeSecret());
  registerForm(KEY_PATHS.key, 'key', ({ body }) => setup.changePrivateKey(textOf(body, 'pem', MAX_PEM)));
  registerForm(KEY_PATHS.remove, 'removed', () => setup.removeApp());

  app.get(KEY_PATHS.remove, async (request, reply) => {
    const visitor = await admit(request);
    const connection = visitor === null ? null : await setup.connection();
    if (visitor === null || connection === null || !isOwnApp(connection))
      return reply.redirect(setupPath, 303);
    return renderRemoval({ connection, user: visitor.session });
  });

  function renderForm(request: SetupRequest, messages: PageMessages, visitor: Visitor): string {
    const { news = null, problem = null } = messages;
    const appProblem = setup.appProblem();
    return renderSetupForm({ request, news, problem, publicUrl, appProblem, user: visitor.session });
  }

  function renderConnection(connection: SetupConnection, messages: PageMessages, visitor: Visitor): string {
    const { news = null, problem = null } = messages;
    return renderConnectedApp({ connection, news, problem, now: context.now(), user: visitor.session });
  }
}

function refusal(user: Session | null): string {
  return renderMessage({
    title: 'For administrators',
    sentence:
      'Only an administrator of this server can set up its GitHub App. Sign out, and sign in with an administrator’s token.',
    user,
  });
}

/** The form leads to GitHub, which redirects back here; browsers check both addresses against the policy. */
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

/** Compares in constant time for texts of the same length. */
function isSameText(received: unknown, expected: string): boolean {
  if (typeof received !== 'string') return false;
  const [actual, wanted] = [Buffer.from(received), Buffer.from(expected)];
  return actual.length === wanted.length && timingSafeEqual(actual, wanted);
}
