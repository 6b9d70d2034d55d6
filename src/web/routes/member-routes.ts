import type { FastifyInstance, FastifyReply } from 'fastify';
import { type InputOf, operations, PlatformError, roles } from '../../client/index.ts';
import { organizationPath } from '../addresses.ts';
import { renderMemberRemoval } from '../views/member-removal-view.ts';
import {
  EMPTY_MEMBER_FORM,
  memberPath,
  type NewMemberForm,
  renderMember,
  renderMembers,
} from '../views/members-view.ts';
import { findWaysBack } from './find-ways-back.ts';
import { chooseRole, type InOrganization, inOrganization, submit } from './in-organization.ts';
import { nextPage, pageOf } from './list-page.ts';
import { ownForm } from './own-forms.ts';
import { readText } from './read-text.ts';
import type { PagesContext } from './signed-in.ts';

const SHOWN = 50;
const TEAMS_SHOWN = 100;
const base = '/orgs/:organizationId/members';

type MemberParams = { readonly userId: string };
type Change = InputOf<typeof operations.updateMember>['body'];

/** What was done, by the value of `done` in the address. */
const NEWS: ReadonlyMap<string, string> = new Map([
  ['added', 'They are a member now.'],
  ['removed', 'They were removed, with their sessions and tokens for this organization.'],
  ['role', 'The role was changed.'],
  ['disable', 'The membership is disabled: nothing of the organization is open to them any more.'],
  ['enable', 'The membership is enabled again.'],
  ['sso-only', 'They may sign in by single sign-on only.'],
  ['any-sign-in', 'They may sign in in every way again.'],
  ['end-sessions', 'Their sessions were ended.'],
]);

/** What each button of a member's page changes. */
const CHANGES: Readonly<Record<string, Change>> = {
  disable: { disabled: true },
  enable: { disabled: false },
  'sso-only': { sso: true },
  'any-sign-in': { sso: false },
};

/** `/orgs/<id>/members` and the page of each member. */
export function registerMembers(app: FastifyInstance, context: PagesContext): void {
  async function showAll(
    { client, organization, session, request }: InOrganization<unknown>,
    { form = EMPTY_MEMBER_FORM, problem = null }: { form?: NewMemberForm; problem?: string | null } = {},
  ): Promise<string> {
    const { id: organizationId } = organization;
    const search = readText(request.query, 'search', 256).trim();
    const role = roles.find((one) => one === readText(request.query, 'role')) ?? '';
    const { items, next, count } = await client.call(operations.listMembers, {
      params: { organizationId },
      query: {
        limit: SHOWN,
        ...(search === '' ? {} : { search }),
        ...(role === '' ? {} : { role }),
        ...pageOf(request),
      },
    });
    return renderMembers({
      organization,
      members: items,
      count,
      filter: { search, role },
      more: nextPage(organizationPath(organizationId, 'members'), next, { search, role }),
      form,
      news: NEWS.get(readText(request.query, 'done')) ?? null,
      problem,
      now: context.now(),
      user: session,
    });
  }

  app.get(
    base,
    inOrganization(context, 'members', (call) => showAll(call)),
  );
  app.post(
    base,
    ownForm(context),
    inOrganization(context, 'members', (call) => {
      const { client, organization, request, reply } = call;
      const form: NewMemberForm = {
        email: readText(request.body, 'email').trim().toLowerCase(),
        displayName: readText(request.body, 'displayName').trim(),
        role: readText(request.body, 'role'),
      };
      return submit(
        reply,
        async () => {
          const { email, displayName } = form;
          const body = { email, role: chooseRole(form.role), ...(displayName === '' ? {} : { displayName }) };
          const params = { organizationId: organization.id };
          const { id } = await client.call(operations.addMember, { params, body });
          return reply.redirect(`${memberPath(organization.id, id)}?done=added`, 303);
        },
        (problem) => showAll(call, { form, problem }),
      );
    }),
  );

  async function showMember(
    { client, organization, session, request, params }: InOrganization<MemberParams>,
    problem: string | null = null,
  ): Promise<string> {
    const path = { organizationId: organization.id, userId: params.userId };
    const spaceId = readText(request.query, 'space', 100);
    const member = await client.call(operations.getMember, { params: path });
    const [spaces, teams, access] = await Promise.all([
      client.call(operations.listMemberSpaces, { params: path, query: { limit: SHOWN, ...pageOf(request) } }),
      client.call(operations.listMemberTeams, { params: path, query: { limit: TEAMS_SHOWN } }),
      explain(client, path, spaceId),
    ]);
    return renderMember({
      organization,
      member,
      access,
      spaces: spaces.items,
      moreSpaces: nextPage(memberPath(organization.id, member.id), spaces.next),
      teams: teams.items.map(({ team, member: { role } }) => ({ id: team.id, title: team.title, role })),
      news: NEWS.get(readText(request.query, 'done')) ?? null,
      problem,
      now: context.now(),
      user: session,
    });
  }

  app.get(
    `${base}/:userId`,
    inOrganization<MemberParams>(context, 'members', (call) => showMember(call)),
  );

  /** A form of a member's page. */
  function registerForm(
    name: string,
    act: (call: InOrganization<MemberParams>) => Promise<unknown>,
    done: (call: InOrganization<MemberParams>) => string = ({ organization, params }) =>
      memberPath(organization.id, params.userId),
  ): void {
    app.post(
      `${base}/:userId/${name}`,
      ownForm(context),
      inOrganization<MemberParams>(context, 'members', (call) =>
        submit(
          call.reply,
          async (): Promise<FastifyReply> => {
            await act(call);
            return call.reply.redirect(`${done(call)}?done=${name === 'remove' ? 'removed' : name}`, 303);
          },
          (problem) => showMember(call, problem),
        ),
      ),
    );
  }

  const change = ({ client, organization, params }: InOrganization<MemberParams>, body: Change) =>
    client.call(operations.updateMember, {
      params: { organizationId: organization.id, userId: params.userId },
      body,
    });
  registerForm('role', (call) => change(call, { role: chooseRole(readText(call.request.body, 'role')) }));
  for (const [name, body] of Object.entries(CHANGES)) registerForm(name, (call) => change(call, body));
  registerForm('end-sessions', ({ client, organization, params }) =>
    client.call(operations.endMemberSessions, {
      params: { organizationId: organization.id, userId: params.userId },
    }),
  );
  registerForm(
    'remove',
    ({ client, organization, params }) =>
      client.call(operations.removeMember, {
        params: { organizationId: organization.id, userId: params.userId },
      }),
    ({ organization }) => organizationPath(organization.id, 'members'),
  );

  app.get(
    `${base}/:userId/remove`,
    inOrganization<MemberParams>(context, 'members', async ({ client, organization, params, session }) => {
      const path = { organizationId: organization.id, userId: params.userId };
      const member = await client.call(operations.getMember, { params: path });
      const waysBack = await findWaysBack(client, organization, member.user.email);
      return renderMemberRemoval({ organization, member, waysBack, user: session });
    }),
  );
}

/** Null for readers who may not know it, and for a space that is not theirs to see. */
async function explain(
  client: InOrganization<unknown>['client'],
  params: { readonly organizationId: string; readonly userId: string },
  spaceId: string,
) {
  try {
    const space = spaceId === '' ? null : await client.call(operations.getSpace, { params: { spaceId } });
    const query = space === null ? {} : { space: space.id };
    return { explained: await client.call(operations.getMemberAccess, { params, query }), space };
  } catch (error) {
    if (error instanceof PlatformError && (error.status === 403 || error.status === 404)) return null;
    throw error;
  }
}
