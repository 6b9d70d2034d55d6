import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { operations, PlatformError } from '../../client/index.ts';
import {
  type Invitation,
  InvitationEnded,
  type Invitations,
  type InvitePass,
  type Session,
} from '../../identity/index.ts';
import { invitePath, organizationPath } from '../addresses.ts';
import { openSealedCookie, type SealedCookie } from '../sealed-cookie.ts';
import { originOf } from '../session.ts';
import { type InviteVisitor, renderEndedInvite, renderInvite } from '../views/invite-view.ts';
import { renderMessage } from '../views/message-view.ts';
import { secretForm } from './own-forms.ts';
import { readText } from './read-text.ts';
import { refusalStatus } from './sign-in-routes.ts';
import { type PagesContext, signedIn } from './signed-in.ts';

/** Why an invitation cannot be accepted, without anything about it. */
const ENDS: Readonly<Record<InvitationEnded['end'], string>> = {
  unknown:
    'There is no invitation at this address. It may be incomplete, or the invitation was sent again since: then only the newest address works.',
  revoked: 'This invitation was revoked. Ask whoever invited you for another one.',
  expired: 'This invitation has expired. Ask whoever invited you to send it again.',
  'used-up': 'This invitation was used already. If that was you, sign in; otherwise ask for another one.',
  'links-off': 'Links like this one are turned off. Ask whoever gave you the link for an invitation by mail.',
};

/** 32 bytes in base64url. */
const SECRET = /^[\w-]{43}$/;

/** How long a browser may take to sign in before it accepts the invitation that it opened. */
const COOKIE_SECONDS = 60 * 60;

const NOTHING = { displayName: '', email: '' };

/** The invitation that a browser opened, while its visitor signs in. */
export function openedInvite(context: PagesContext): SealedCookie<InvitePass> {
  return openSealedCookie<InvitePass>({
    ...context,
    name: 'docloom-invite',
    kind: 'invite',
    lifetimeSeconds: COOKIE_SECONDS,
  });
}

/**
 * `/invite/<secret>` and `/invite`. The secret leaves the address at once, for a sealed cookie and the hidden fields of the
 * forms: so neither the history of the browser, nor the address to return to after signing in has it.
 */
export function registerInvite(app: FastifyInstance, context: PagesContext, invitations: Invitations): void {
  const { sessions } = context;
  const opened = openedInvite(context);
  const form = secretForm(context);

  /** Answers what is wrong with an invitation; any other error is thrown again. */
  function refuse(error: unknown, reply: FastifyReply, user: Session | null): FastifyReply {
    if (error instanceof InvitationEnded) {
      opened.clear(reply);
      return reply.code(error.end === 'unknown' ? 404 : 410).send(renderEndedInvite(ENDS[error.end], user));
    }
    const status = refusalStatus(error, reply);
    return reply.code(status).send(renderEndedInvite((error as Error).message, user));
  }

  async function findVisitor(invitation: Invitation, session: Session | null): Promise<InviteVisitor> {
    if (session === null) return { is: 'nobody' };
    const { displayName, userId, token } = session;
    const account = userId === null ? null : await context.accounts?.load(userId);
    // An API token whose owner was removed.
    if (!account) return { is: 'nobody' };
    if (await isMember(token, invitation.organizationId)) return { is: 'member', displayName };
    const { email, proved } = invitation;
    if (email === null) return { is: 'invited', displayName };
    if (email !== account.email) return { is: 'somebody-else', displayName };
    const isConfirmed = account.isEmailVerified || proved !== null || !invitations.canMail;
    return { is: isConfirmed ? 'invited' : 'unconfirmed', displayName };
  }

  async function isMember(token: string, organizationId: string): Promise<boolean> {
    try {
      await context.clientFor(token).call(operations.getOrganization, { params: { organizationId } });
      return true;
    } catch (error) {
      if (!(error instanceof PlatformError) || error.status >= 500) throw error;
      return false;
    }
  }

  async function show(
    request: FastifyRequest,
    reply: FastifyReply,
    pass: InvitePass,
    { problem = null, entered = NOTHING }: { problem?: string | null; entered?: typeof NOTHING } = {},
  ): Promise<string | FastifyReply> {
    const session = await sessions.read(request);
    try {
      const invitation = await invitations.open(pass, originOf(request));
      const visitor = await findVisitor(invitation, session);
      const { canMail } = invitations;
      return renderInvite({ invitation, pass, visitor, canMail, problem, entered });
    } catch (error) {
      return refuse(error, reply, session);
    }
  }

  app.get<{ Params: { secret: string } }>(`${invitePath}/:secret`, async (request, reply) => {
    const { secret } = request.params;
    const key = readText(request.query, 'key');
    const pass = { secret, key: SECRET.test(key) ? key : null };
    try {
      if (!SECRET.test(secret)) throw new InvitationEnded('unknown');
      await invitations.open(pass, originOf(request));
    } catch (error) {
      return refuse(error, reply, await sessions.read(request));
    }
    opened.write(reply, pass);
    return reply.redirect(invitePath, 303);
  });

  app.get(invitePath, async (request, reply) => {
    const pass = opened.read(request);
    if (pass !== null) return await show(request, reply, pass);
    const sentence = 'Open the address of the invitation once more. Your browser has to accept its cookie.';
    return reply.code(404).send(renderEndedInvite(sentence, await sessions.read(request)));
  });

  app.post(`${invitePath}/accept`, form, async (request, reply) => {
    const pass = passOf(request);
    const session = await sessions.read(request);
    if (session?.userId == null) return await show(request, reply, pass);
    const { userId } = session;
    return await signedIn(context, async ({ client }) => {
      try {
        const { organizationId, organization } = await invitations.open(pass, originOf(request));
        await invitations.confirmAddress(pass, userId, originOf(request));
        const params = { organizationId, inviteId: pass.secret };
        await client.call(operations.joinWithInvite, { params });
        opened.clear(reply);
        try {
          await client.call(operations.getOrganization, { params: { organizationId } });
        } catch (error) {
          return reply.send(renderClosed(error, organization, session));
        }
        return reply.redirect(`${organizationPath(organizationId)}?done=joined`, 303);
      } catch (error) {
        if (!(error instanceof PlatformError)) return refuse(error, reply, session);
        if (error.status === 401 || error.status >= 500) throw error;
        // It ended meanwhile: the page says how.
        if (error.status === 404) return await show(request, reply, pass);
        reply.code(error.status);
        return await show(request, reply, pass, { problem: error.message });
      }
    })(request, reply);
  });

  app.post(`${invitePath}/mail`, form, async (request, reply) => {
    const [pass, email] = [passOf(request), readText(request.body, 'email')];
    try {
      await invitations.mailKey(pass, email, originOf(request));
    } catch (error) {
      if (error instanceof InvitationEnded) return refuse(error, reply, await sessions.read(request));
      reply.code(refusalStatus(error, reply));
      const entered = { ...NOTHING, email };
      return await show(request, reply, pass, { problem: (error as Error).message, entered });
    }
    return renderMessage({
      title: 'Look into your mailbox',
      sentence: 'A link with which you continue is on its way. It works for 24 hours.',
      user: await sessions.read(request),
    });
  });

  app.post(`${invitePath}/account`, form, async (request, reply) => {
    const pass = passOf(request);
    const displayName = readText(request.body, 'displayName');
    const password = readText(request.body, 'password', 1024);
    try {
      const { organizationId } = await invitations.open(pass, originOf(request));
      const signIn = await invitations.createAccount(pass, { displayName, password }, originOf(request));
      await sessions.start(request, reply, signIn);
      opened.clear(reply);
      return reply.redirect(`${organizationPath(organizationId)}?done=joined`, 303);
    } catch (error) {
      if (error instanceof InvitationEnded) return refuse(error, reply, await sessions.read(request));
      reply.code(refusalStatus(error, reply));
      const entered = { ...NOTHING, displayName };
      return await show(request, reply, pass, { problem: (error as Error).message, entered });
    }
  });
}

function passOf(request: FastifyRequest): InvitePass {
  const key = readText(request.body, 'key');
  return { secret: readText(request.body, 'secret'), key: SECRET.test(key) ? key : null };
}

/** Why somebody who just joined sees nothing of the organization. */
function renderClosed(error: unknown, organization: string, user: Session): string {
  if (!(error instanceof PlatformError) || error.status >= 500) throw error;
  const sentence =
    error.reason === 'sso-required'
      ? `You belong to ${organization}, which takes only its own single sign-on: sign out, and sign in with it.`
      : `Your membership of ${organization} is disabled; ask one of its administrators.`;
  return renderMessage({ title: 'One step left', sentence, user });
}
