import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { operations, type PlatformClient } from '../../client/index.ts';
import { type Accounts, isRecoveryCode, type Session } from '../../identity/index.ts';
import { accountPath } from '../addresses.ts';
import { originOf } from '../session.ts';
import {
  type AccountForm,
  type RecoverableOrganization,
  renderAccount,
  renderRecoveryCodes,
} from '../views/account-view.ts';
import { secretForm } from './own-forms.ts';
import { mayChangeAccount } from './own-session.ts';
import { readText } from './read-text.ts';
import { refusalStatus } from './sign-in-routes.ts';
import { type PagesContext, renderNotFound, signedIn } from './signed-in.ts';

/** What was done, by the value of `done` in the address. */
const NEWS: ReadonlyMap<string, string> = new Map([
  ['name', 'The name was changed.'],
  ['password', 'The password was changed, and your other sessions were ended.'],
  ['mail', 'A link is on its way to your address.'],
  [
    'new-email',
    'A link is on its way to the new address. Open it in this browser, within 60 minutes; until then, your address stays.',
  ],
  ['email', 'Your address was changed, and your other sessions were ended.'],
  ['notifications', 'What you are mailed was changed.'],
  ['github', 'Your GitHub account is linked.'],
  ['sso', 'Your account at the provider is linked: you can sign in there from now on.'],
  ['github-unlinked', 'Your GitHub account is not linked any more.'],
]);

/** Ways to sign in at an organization's own provider. */
const SINGLE_SIGN_ON: ReadonlySet<string> = new Set(['saml', 'oidc']);

/**
 * Whether this session may make recovery codes for an organization: also one of its own single sign-on, because where that
 * is the only way in, its administrators have no other session. Never one that a token or such a code began.
 */
const mayMakeCodes = (session: Session, organizationId: string) =>
  mayChangeAccount(session) ||
  (SINGLE_SIGN_ON.has(session.provider) && session.ssoOrganizationId === organizationId);

/** Organizations that are looked at for recovery codes. */
const MAX_ORGANIZATIONS = 100;

/** `/account`: what people change of their own account. */
export function registerAccount(app: FastifyInstance, context: PagesContext, accounts: Accounts): void {
  const guarded = secretForm(context);

  /**
   * Whether this session may change the user's name: also one of single sign-on, for people who have no other session, but
   * not what other organizations call them.
   */
  const mayRename = async (session: Session): Promise<boolean> => {
    const { userId, provider, ssoOrganizationId } = session;
    if (mayChangeAccount(session)) return true;
    if (userId === null || ssoOrganizationId === null || !SINGLE_SIGN_ON.has(provider)) return false;
    return await accounts.isOnlyIn(userId, ssoOrganizationId);
  };

  type Problem = Parameters<typeof renderAccount>[0]['problem'];

  async function show(
    { userId, session, client }: OwnCall,
    { problem = null, news = null }: { readonly problem?: Problem; readonly news?: string | null } = {},
  ): Promise<string | null> {
    const account = await accounts.load(userId);
    if (account === null) return null;
    return renderAccount({
      account,
      mayChange: mayChangeAccount(session),
      mayRename: await mayRename(session),
      canMail: accounts.canMail,
      gitHub: context.gitHub?.isSet() === true ? { login: await context.gitHub.findLogin(userId) } : null,
      providers: (mayChangeAccount(session) && (await context.providerLinks?.list(userId))) || [],
      organizations: await listRecoverable(session, client),
      wantsMail: (await client.call(operations.getNotificationSettings, {})).mail,
      problem,
      news,
      user: { displayName: account.displayName },
    });
  }

  interface OwnCall {
    readonly userId: string;
    readonly session: Session;
    readonly client: PlatformClient;
    readonly request: FastifyRequest;
    readonly reply: FastifyReply;
  }

  /** For people whose account is on this server, in sessions that may do this. */
  function own(
    handler: (call: OwnCall) => Promise<string | FastifyReply | null>,
    isAllowed: (session: Session) => boolean | Promise<boolean> = mayChangeAccount,
  ) {
    return signedIn(context, async ({ request, reply, session, client }) => {
      const { userId } = session;
      const answer =
        userId === null || !(await isAllowed(session))
          ? null
          : await handler({ userId, session, client, request, reply });
      return answer ?? reply.code(404).send(renderNotFound(session));
    });
  }

  /** A form of the page; what is wrong with it is shown in it, with what was entered in its field `keeps`. */
  function registerForm(
    form: AccountForm,
    path: string,
    done: string,
    act: (call: OwnCall) => Promise<void>,
    {
      keeps,
      isAllowed,
    }: { readonly keeps?: string; readonly isAllowed?: (session: Session) => Promise<boolean> } = {},
  ): void {
    app.post(
      `${accountPath}/${path}`,
      guarded,
      own(async (call) => {
        try {
          await act(call);
        } catch (error) {
          const status = refusalStatus(error, call.reply);
          const entered = keeps === undefined ? '' : readText(call.request.body, keeps, 1000);
          const page = await show(call, { problem: { form, sentence: (error as Error).message, entered } });
          return page === null ? null : call.reply.code(status).send(page);
        }
        return call.reply.redirect(`${accountPath}?done=${done}`, 303);
      }, isAllowed),
    );
  }

  app.get(
    accountPath,
    own(
      (call) => show(call, { news: NEWS.get(readText(call.request.query, 'done')) ?? null }),
      () => true,
    ),
  );

  registerForm(
    'name',
    'name',
    'name',
    ({ userId, request }) =>
      accounts.rename(userId, readText(request.body, 'displayName', 1000), originOf(request)),
    { keeps: 'displayName', isAllowed: mayRename },
  );
  app.post(
    `${accountPath}/notifications`,
    guarded,
    own(
      async ({ client, request, reply }) => {
        const mail = readText(request.body, 'mail') === 'on';
        await client.call(operations.updateNotificationSettings, { body: { mail } });
        return reply.redirect(`${accountPath}?done=notifications`, 303);
      },
      () => true,
    ),
  );
  registerForm('password', 'password', 'password', ({ userId, request }) =>
    accounts.changePassword(
      userId,
      {
        current: readText(request.body, 'current', 1024),
        next: readText(request.body, 'password', 1024),
        session: context.sessions.secretOf(request),
      },
      originOf(request),
    ),
  );
  if (accounts.canMail) {
    registerForm('email', 'verify-email', 'mail', ({ userId, request }) =>
      accounts.requestVerification(userId, originOf(request)),
    );
    registerForm(
      'new-email',
      'email',
      'new-email',
      ({ userId, request }) =>
        accounts.requestEmailChange(
          userId,
          {
            email: readText(request.body, 'email', 1000),
            current: readText(request.body, 'current', 1024),
            session: context.sessions.secretOf(request),
          },
          originOf(request),
        ),
      { keeps: 'email' },
    );
  }

  const { gitHub } = context;
  if (gitHub !== undefined)
    registerForm('github', 'github/unlink', 'github-unlinked', ({ userId, request }) =>
      gitHub.unlink(userId, originOf(request)),
    );

  app.post(
    `${accountPath}/recovery-codes`,
    guarded,
    own(
      async ({ userId, session, client, request }) => {
        const wanted = readText(request.body, 'organizationId');
        const organization = (await listRecoverable(session, client)).find(({ id }) => id === wanted);
        if (organization === undefined) return null;
        const codes = await accounts.makeRecoveryCodes({ userId, organizationId: wanted }, originOf(request));
        return renderRecoveryCodes({ organization, codes, user: session });
      },
      () => true,
    ),
  );

  // The codes are stored as hashes only, so the page that showed them sends them back.
  app.post(
    `${accountPath}/recovery-codes.txt`,
    guarded,
    own(
      async ({ request, reply }) => {
        const codes = readText(request.body, 'codes', 1000).split(' ').filter(isRecoveryCode);
        return reply
          .type('text/plain; charset=utf-8')
          .header('content-disposition', 'attachment; filename="docloom-recovery-codes.txt"')
          .send(
            `Recovery codes of Docloom at ${context.publicUrl}\nEach works once.\n\n${codes.join('\n')}\n`,
          );
      },
      () => true,
    ),
  );
}

/** The organizations that the user administers with this session, and for which it may make recovery codes. */
async function listRecoverable(
  session: Session,
  client: PlatformClient,
): Promise<readonly RecoverableOrganization[]> {
  const { items } = await client.call(operations.listOrganizations, { query: { limit: MAX_ORGANIZATIONS } });
  return items
    .filter(({ id, permissions }) => permissions.admin && mayMakeCodes(session, id))
    .map(({ id, title }) => ({ id, title }));
}
