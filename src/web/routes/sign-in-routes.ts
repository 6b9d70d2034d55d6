import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { operations, PlatformError } from '../../client/index.ts';
import {
  AccountProblem,
  type Accounts,
  type LinkPurpose,
  type Session,
  TooManyAttempts,
  TooManySignIns,
} from '../../identity/index.ts';
import { accountPath, homePath, SIGN_IN_PATHS } from '../addresses.ts';
import { originOf } from '../session.ts';
import { renderMessage } from '../views/message-view.ts';
import {
  renderForgot,
  renderLinkConfirmation,
  renderNewPassword,
  renderRecovery,
  renderSignIn,
  renderSsoLogins,
  renderSsoSearch,
  type SignInMethods,
  type SignInOptions,
} from '../views/sign-in-view.ts';
import { secretForm } from './own-forms.ts';
import { mayChangeAccount } from './own-session.ts';
import { readText } from './read-text.ts';
import type { PagesContext } from './signed-in.ts';

/** In characters; tokens are shorter. */
const maximumToken = 512;

/** What was done, by the value of `done` in the address. */
const NEWS: ReadonlyMap<string, string> = new Map([
  ['password', 'The password was changed, and all sessions were ended. Sign in with the new one.'],
  [
    'left',
    'You have left your last organization here, so you are signed out. To come back, open an invitation to one.',
  ],
]);

const WRONG_PASSWORD = 'The e-mail address or the password is wrong.';
const NO_LOGIN =
  'No organization here has a single sign-on for addresses of this domain. Sign in another way, or ask an administrator.';
const WRONG_CODE = 'The e-mail address or the recovery code is wrong, or the code was used before.';

/** How people can sign in at this moment. */
export async function signInMethods(context: PagesContext, next: string): Promise<SignInMethods> {
  const { accounts } = context;
  const hasPeople = accounts !== undefined && (await accounts.hasPeople());
  return {
    password: hasPeople,
    link: hasPeople && accounts.canMail,
    sso: (await context.ssoLogins?.exist()) ?? false,
    providers: (await context.signInProviders?.(next)) ?? [],
  };
}

/** `/login` with what is below it, and `/logout`. */
export function registerSignIn(app: FastifyInstance, context: PagesContext): void {
  const { sessions, accounts } = context;
  const guarded = secretForm(context);

  async function showSignIn(next: string, more: Partial<SignInOptions> = {}): Promise<string> {
    return renderSignIn({ next, methods: await signInMethods(context, next), ...more });
  }

  app.get('/login', async (request, reply) => {
    const { next: wanted, done } = request.query as Record<string, unknown>;
    const next = readNext(wanted);
    if ((await sessions.read(request)) !== null) return reply.redirect(next, 303);
    return await showSignIn(next, { news: NEWS.get(String(done)) ?? null });
  });

  app.post(SIGN_IN_PATHS.token, guarded, async (request, reply) => {
    const next = readNext(readText(request.body, 'next', 2048));
    const token = readToken(request.body);
    const displayName = token === '' ? null : await findOwner(context, token);
    if (displayName === null) {
      const sentence =
        token === ''
          ? 'Paste an API token to sign in.'
          : 'This token is not known here. It may be mistyped, revoked or expired; create a new one with “docloom token create”.';
      const problem = { method: 'token', sentence } as const;
      return reply.code(token === '' ? 400 : 401).send(await showSignIn(next, { problem }));
    }
    await sessions.startWithToken(request, reply, { token, displayName });
    return reply.redirect(next, 303);
  });

  app.post('/logout', { ...guarded, bodyLimit: 1024 }, async (request, reply) => {
    await sessions.end(request, reply);
    return reply.redirect(homePath, 303);
  });

  if (accounts !== undefined) registerAccountSignIn(app, context, accounts, showSignIn);
}

/** Signing in as a person: by password, by mail, or with a recovery code. */
function registerAccountSignIn(
  app: FastifyInstance,
  context: PagesContext,
  accounts: Accounts,
  showSignIn: (next: string, more?: Partial<SignInOptions>) => Promise<string>,
): void {
  const { sessions } = context;
  const guarded = secretForm(context);

  app.post(SIGN_IN_PATHS.password, guarded, async (request, reply) => {
    const [email, next] = [readText(request.body, 'email'), readNext(readText(request.body, 'next', 2048))];
    const password = readText(request.body, 'password', 1024);
    const refuse = async (status: number, sentence: string) =>
      reply.code(status).send(await showSignIn(next, { email, problem: { method: 'password', sentence } }));
    try {
      const knownBrowsers = context.knownBrowsers.read(request);
      const signIn = await accounts.signInWithPassword({ email, password, knownBrowsers }, originOf(request));
      if (signIn === null) return await refuse(401, WRONG_PASSWORD);
      await sessions.start(request, reply, signIn);
      return reply.redirect(next, 303);
    } catch (error) {
      return await refuse(refusalStatus(error, reply), (error as Error).message);
    }
  });

  app.get(SIGN_IN_PATHS.recovery, async () => renderRecovery({ email: '', problem: null }));

  app.post(SIGN_IN_PATHS.recovery, guarded, async (request, reply) => {
    const [email, code] = [readText(request.body, 'email'), readText(request.body, 'code')];
    try {
      const signIn = await accounts.signInWithRecoveryCode({ email, code }, originOf(request));
      if (signIn === null) return reply.code(401).send(renderRecovery({ email, problem: WRONG_CODE }));
      await sessions.start(request, reply, signIn);
      return reply.redirect(homePath, 303);
    } catch (error) {
      const status = refusalStatus(error, reply);
      return reply.code(status).send(renderRecovery({ email, problem: (error as Error).message }));
    }
  });

  app.get(SIGN_IN_PATHS.sso, async (request) => {
    const { next } = request.query as Record<string, unknown>;
    return renderSsoSearch({ next: readNext(next), email: '', problem: null });
  });

  app.post(SIGN_IN_PATHS.sso, guarded, async (request, reply) => {
    const [email, next] = [readText(request.body, 'email'), readNext(readText(request.body, 'next', 2048))];
    const refuse = (status: number, problem: string) =>
      reply.code(status).send(renderSsoSearch({ next, email, problem }));
    try {
      const logins = (await context.ssoLogins?.find(email, request.ip)) ?? [];
      if (logins.length === 0) return await refuse(404, NO_LOGIN);
      // Links, because browsers stop a form that redirects to another site.
      return renderSsoLogins(
        logins.map(({ label, path }) => ({
          label: `Sign in with ${label}`,
          path: next === homePath ? path : `${path}?next=${encodeURIComponent(next)}`,
        })),
      );
    } catch (error) {
      return await refuse(refusalStatus(error, reply), (error as Error).message);
    }
  });

  app.post(SIGN_IN_PATHS.requestLink, guarded, async (request, reply) => {
    if (!accounts.canMail) return reply.redirect('/login', 303);
    const [email, next] = [readText(request.body, 'email'), readNext(readText(request.body, 'next', 2048))];
    try {
      await accounts.requestLink({ email, purpose: 'sign-in', returnTo: next }, originOf(request));
      return renderRequested('A link that signs you in');
    } catch (error) {
      const problem = { method: 'link', sentence: (error as Error).message } as const;
      return reply.code(refusalStatus(error, reply)).send(await showSignIn(next, { email, problem }));
    }
  });

  app.get(SIGN_IN_PATHS.forgot, async () => renderForgot({ canMail: accounts.canMail, problem: null }));

  app.post(SIGN_IN_PATHS.forgot, guarded, async (request, reply) => {
    if (!accounts.canMail) return reply.redirect(SIGN_IN_PATHS.forgot, 303);
    const email = readText(request.body, 'email');
    try {
      await accounts.requestLink({ email, purpose: 'password', returnTo: null }, originOf(request));
      return renderRequested('A link with which you choose a new password');
    } catch (error) {
      const status = refusalStatus(error, reply);
      return reply
        .code(status)
        .send(renderForgot({ canMail: true, email, problem: (error as Error).message }));
    }
  });

  /** The page of a link that works. */
  function getLink(path: string, purpose: LinkPurpose, render: (key: string) => string): void {
    app.get(path, async (request, reply) => {
      const key = keyOf(request.query);
      return await answerLink(reply, async () =>
        key !== null && (await accounts.isLink(key, purpose, originOf(request))) ? render(key) : null,
      );
    });
  }

  getLink(SIGN_IN_PATHS.link, 'sign-in', (key) =>
    renderLinkConfirmation({
      title: 'Sign in',
      sentence: 'Press the button to sign in with the link from your mail.',
      button: 'Sign in',
      action: SIGN_IN_PATHS.link,
      key,
    }),
  );

  app.post(SIGN_IN_PATHS.link, guarded, async (request, reply) => {
    const key = keyOf(request.body);
    return await answerLink(reply, async () => {
      const used = key === null ? null : await accounts.useSignInLink(key, originOf(request));
      if (used === null) return null;
      await sessions.start(request, reply, used.signIn);
      return reply.redirect(readNext(used.returnTo), 303);
    });
  });

  getLink(SIGN_IN_PATHS.newPassword, 'password', (key) => renderNewPassword({ key, problem: null }));

  app.post(SIGN_IN_PATHS.newPassword, guarded, async (request, reply) => {
    const [key, password] = [keyOf(request.body), readText(request.body, 'password', 1024)];
    try {
      if (key === null || !(await accounts.usePasswordLink(key, password, originOf(request))))
        return reply.code(404).send(renderUsedLink());
    } catch (error) {
      const status = refusalStatus(error, reply);
      return reply
        .code(status)
        .send(renderNewPassword({ key: key ?? '', problem: (error as Error).message }));
    }
    await sessions.end(request, reply);
    return reply.redirect('/login?done=password', 303);
  });

  getLink(SIGN_IN_PATHS.verifyEmail, 'verify-email', (key) =>
    renderLinkConfirmation({
      title: 'Confirm your e-mail address',
      sentence: 'Press the button to confirm that mail to your address reaches you.',
      button: 'Confirm the address',
      action: SIGN_IN_PATHS.verifyEmail,
      key,
    }),
  );

  /** Takes a link that only its own user may use, while signed in; then shows their account. */
  function postOwnLink(
    path: string,
    done: string,
    use: (key: string, session: Session | null, request: FastifyRequest) => Promise<boolean>,
  ): void {
    app.post(path, guarded, async (request, reply) => {
      const key = keyOf(request.body);
      return await answerLink(reply, async () => {
        const user = await sessions.read(request);
        try {
          if (key === null || !(await use(key, user, request))) return null;
        } catch (error) {
          if (!(error instanceof AccountProblem)) throw error;
          return reply
            .code(403)
            .send(renderMessage({ title: 'Nothing was changed', sentence: error.message, user }));
        }
        return reply.redirect(done, 303);
      });
    });
  }

  postOwnLink(SIGN_IN_PATHS.verifyEmail, accountPath, (key, user, request) =>
    accounts.useVerificationLink(key, user?.userId ?? null, originOf(request)),
  );

  getLink(SIGN_IN_PATHS.changeEmail, 'change-email', (key) =>
    renderLinkConfirmation({
      title: 'Change your e-mail address',
      sentence: 'Press the button to make the address of the mailbox with this link that of your account.',
      button: 'Change the address',
      action: SIGN_IN_PATHS.changeEmail,
      key,
    }),
  );

  postOwnLink(SIGN_IN_PATHS.changeEmail, `${accountPath}?done=email`, (key, user, request) =>
    accounts.useEmailChangeLink(
      key,
      {
        userId: user !== null && mayChangeAccount(user) ? user.userId : null,
        session: sessions.secretOf(request),
      },
      originOf(request),
    ),
  );
}

/** Answers a link: `act` returns null for one that does not work. */
async function answerLink(
  reply: FastifyReply,
  act: () => Promise<string | FastifyReply | null>,
): Promise<string | FastifyReply> {
  try {
    return (await act()) ?? reply.code(404).send(renderUsedLink());
  } catch (error) {
    if (!(error instanceof TooManyAttempts)) throw error;
    const page = renderMessage({ title: 'Try again later', sentence: error.message });
    return reply.code(refusalStatus(error, reply)).send(page);
  }
}

/** The status of a refusal whose message is for people; any other error is thrown again. */
export function refusalStatus(error: unknown, reply: FastifyReply): number {
  if (error instanceof AccountProblem) return 400;
  if (error instanceof TooManyAttempts) {
    const seconds = Math.max(1, Math.ceil((error.until.getTime() - Date.now()) / 1000));
    reply.header('retry-after', String(seconds));
    return 429;
  }
  if (!(error instanceof TooManySignIns)) throw error;
  reply.header('retry-after', '5');
  return 503;
}

/** The same for known and unknown addresses. */
function renderRequested(what: string): string {
  return renderMessage({
    title: 'Look into your mailbox',
    sentence: `${what} is on its way, if there is an account with this address. It works once, for 15 minutes.`,
  });
}

function renderUsedLink(): string {
  return renderMessage({
    title: 'This link does not work any more',
    sentence: 'It was used, has expired, or was replaced. Request another one on the sign-in page.',
  });
}

/** The secret of a link: 32 bytes in base64url. */
function keyOf(values: unknown): string | null {
  const key = readText(values, 'key');
  return /^[\w-]{43}$/.test(key) ? key : null;
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

function readToken(body: unknown): string {
  const token = readText(body, 'token', maximumToken + 1).trim();
  return token.length > maximumToken ? '' : token;
}

/** Only a path of this server, because anybody can write the address. */
export function readNext(value: unknown): string {
  if (typeof value !== 'string' || !/^\/(?![/\\])[\x21-\x7e]*$/.test(value) || value.length > 2048)
    return homePath;
  return /^\/log(in|out)\b/.test(value) ? homePath : value;
}
