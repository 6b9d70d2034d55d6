import type { FastifyInstance } from 'fastify';
import { operations } from '../../client/index.ts';
import { organizationPath } from '../addresses.ts';
import {
  EMPTY_INVITE_FORM,
  type InviteForm,
  renderInvites,
  renderMadeInvites,
} from '../views/invites-view.ts';
import { nameRole } from '../views/role-words.ts';
import { chooseRole, type InOrganization, inOrganization, submit, UnusableInput } from './in-organization.ts';
import { nextPage, pageOf } from './list-page.ts';
import { secretForm } from './own-forms.ts';
import { readText } from './read-text.ts';
import type { PagesContext } from './signed-in.ts';

const SHOWN = 50;
const base = '/orgs/:organizationId/invites';

/** 250 addresses, percent-encoded. */
const MOST_BYTES = 256 * 1024;
const MOST_CHARACTERS = 70_000;

type InviteParams = { readonly inviteId: string };

const NEWS: ReadonlyMap<string, string> = new Map([
  ['revoked', 'The invitation was revoked: its address stopped working.'],
]);

/** `/orgs/<id>/invites`: the open invitations, and new ones. */
export function registerOrganizationInvites(app: FastifyInstance, context: PagesContext): void {
  async function show(
    { client, organization, session, request }: InOrganization<unknown>,
    { form = EMPTY_INVITE_FORM, problem = null }: { form?: InviteForm; problem?: string | null } = {},
  ): Promise<string> {
    const params = { organizationId: organization.id };
    const queryOf = (name: string) => ({ limit: SHOWN, ...pageOf(request, name) });
    const [mails, links] = await Promise.all([
      client.call(operations.listInvites, { params, query: queryOf('mails') }),
      client.call(operations.listLinkInvites, { params, query: queryOf('links') }),
    ]);
    const path = organizationPath(organization.id, 'invites');
    return renderInvites({
      organization,
      mails,
      moreMails: nextPage(path, mails.next, {}, 'mails'),
      links,
      moreLinks: nextPage(path, links.next, {}, 'links'),
      form,
      news: NEWS.get(readText(request.query, 'done')) ?? null,
      problem,
      now: context.now(),
      user: session,
    });
  }

  const readForm = (body: unknown): InviteForm => ({
    emails: readText(body, 'emails', MOST_CHARACTERS),
    role: readText(body, 'role'),
    maxUses: readText(body, 'maxUses').trim(),
  });

  app.get(
    base,
    inOrganization(context, 'invites', (call) => show(call)),
  );

  // The answers have secrets beside what the form said.
  const form = secretForm(context);

  app.post(
    base,
    { ...form, bodyLimit: MOST_BYTES },
    inOrganization(context, 'invites', (call) => {
      const { client, organization, session, request, reply } = call;
      const entered = readForm(request.body);
      return submit(
        reply,
        async () => {
          const emails = readAddresses(entered.emails);
          const body = { emails: [...emails], role: chooseRole(entered.role) };
          const params = { organizationId: organization.id };
          const { invites } = await client.call(operations.inviteUsers, { params, body });
          reply.header('cache-control', 'no-store');
          return renderMadeInvites({
            organization,
            invites: invites.map((invite) => ({ ...invite, label: invite.email })),
            user: session,
          });
        },
        (problem) => show(call, { form: entered, problem }),
      );
    }),
  );

  app.post(
    `${base}/links`,
    form,
    inOrganization(context, 'invites', (call) => {
      const { client, organization, session, request, reply } = call;
      const entered = readForm(request.body);
      return submit(
        reply,
        async () => {
          const { maxUses } = entered;
          if (!/^(?:[1-9]\d{0,3}|10000|)$/.test(maxUses))
            throw new UnusableInput(
              'Enter how often the link works as a number from 1 to 10000, or nothing.',
            );
          const invite = await client.call(operations.createLinkInvite, {
            params: { organizationId: organization.id },
            body: {
              role: chooseRole(entered.role),
              ...(maxUses === '' ? {} : { maxUses: Number(maxUses) }),
            },
          });
          reply.header('cache-control', 'no-store');
          const label = `A link to join with the role ${nameRole(invite.role)}`;
          return renderMadeInvites({ organization, invites: [{ ...invite, label }], user: session });
        },
        (problem) => show(call, { form: entered, problem }),
      );
    }),
  );

  app.post(
    `${base}/:inviteId/resend`,
    form,
    inOrganization<InviteParams>(context, 'invites', (call) => {
      const { client, organization, params, session, reply } = call;
      return submit(
        reply,
        async () => {
          const path = { organizationId: organization.id, inviteId: params.inviteId };
          const invite = await client.call(operations.resendInvite, { params: path });
          reply.header('cache-control', 'no-store');
          return renderMadeInvites({
            organization,
            invites: [{ ...invite, label: invite.email }],
            user: session,
          });
        },
        (problem) => show(call, { problem }),
      );
    }),
  );

  for (const [name, operation] of [
    ['revoke', operations.revokeInvite],
    ['revoke-link', operations.deleteLinkInvite],
  ] as const)
    app.post(
      `${base}/:inviteId/${name}`,
      form,
      inOrganization<InviteParams>(context, 'invites', (call) => {
        const { client, organization, params, reply } = call;
        return submit(
          reply,
          async () => {
            const path = { organizationId: organization.id, inviteId: params.inviteId };
            await client.call(operation, { params: path });
            return reply.redirect(`${organizationPath(organization.id, 'invites')}?done=revoked`, 303);
          },
          (problem) => show(call, { problem }),
        );
      }),
    );
}

/** The addresses of a text, each once. @throws {UnusableInput} */
function readAddresses(text: string): ReadonlySet<string> {
  const addresses = new Set(
    text
      .toLowerCase()
      .split(/[\s,;]+/)
      .filter((one) => one !== ''),
  );
  if (addresses.size === 0) throw new UnusableInput('Enter the e-mail addresses of those whom you invite.');
  if (addresses.size > 250)
    throw new UnusableInput(`These are ${addresses.size} addresses; invite at most 250 at once.`);
  const unusable = [...addresses].find((one) => !/^[^\s@]{1,64}@[^\s@]{1,190}$/.test(one));
  if (unusable !== undefined)
    throw new UnusableInput(`“${unusable.slice(0, 254)}” is not an e-mail address.`);
  return addresses;
}
