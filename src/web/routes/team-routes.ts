import type { FastifyInstance } from 'fastify';
import { operations, PlatformError, type Role } from '../../client/index.ts';
import { html } from '../../markup/index.ts';
import { organizationPath } from '../addresses.ts';
import { renderConfirmation } from '../views/confirm-view.ts';
import { renderOrganizationPage } from '../views/organization-frame.ts';
import { renderTeam, renderTeams, teamPath } from '../views/teams-view.ts';
import { findCandidates, readGrantSubject } from './find-candidates.ts';
import { chooseRole, type InOrganization, inOrganization, submit, UnusableInput } from './in-organization.ts';
import { nextPage, pageOf } from './list-page.ts';
import { ownForm } from './own-forms.ts';
import { readText } from './read-text.ts';
import type { PagesContext } from './signed-in.ts';

const SHOWN = 50;
const base = '/orgs/:organizationId/teams';

type TeamParams = { readonly teamId: string; readonly userId: string };

/** What was done, by the value of `done` in the address. */
const NEWS: ReadonlyMap<string, string> = new Map([
  ['created', 'The team was created.'],
  ['removed', 'The team was deleted, with what it was granted.'],
  ['title', 'The team was renamed.'],
  ['added', 'They are in the team now.'],
  ['changed', 'The role in the team was changed.'],
  ['left', 'They are no longer in the team.'],
  ['granted', 'What the team was granted was changed.'],
]);

/** `/orgs/<id>/teams` and the page of each team. */
export function registerTeams(app: FastifyInstance, context: PagesContext): void {
  async function showAll(
    { client, organization, session, request }: InOrganization<unknown>,
    { title = '', problem = null }: { title?: string; problem?: string | null } = {},
  ): Promise<string> {
    const search = readText(request.query, 'search', 64).trim();
    const { items, count, next } = await client.call(operations.listTeams, {
      params: { organizationId: organization.id },
      query: { limit: SHOWN, ...(search === '' ? {} : { title: search }), ...pageOf(request) },
    });
    return renderTeams({
      organization,
      teams: items,
      count,
      search,
      more: nextPage(organizationPath(organization.id, 'teams'), next, { search }),
      title,
      news: NEWS.get(readText(request.query, 'done')) ?? null,
      problem,
      user: session,
    });
  }

  app.get(
    base,
    inOrganization(context, 'teams', (call) => showAll(call)),
  );
  app.post(
    base,
    ownForm(context),
    inOrganization(context, 'teams', (call) => {
      const { client, organization, request, reply } = call;
      const title = readText(request.body, 'title').trim();
      return submit(
        reply,
        async () => {
          requireTitle(title);
          const params = { organizationId: organization.id };
          const { id } = await client.call(operations.createTeam, { params, body: { title } });
          return reply.redirect(`${teamPath(organization.id, id)}?done=created`, 303);
        },
        (problem) => showAll(call, { title, problem }),
      );
    }),
  );

  const pathOf = ({ organization, params }: InOrganization<TeamParams>) => ({
    organizationId: organization.id,
    teamId: params.teamId,
  });

  async function showTeam(call: InOrganization<TeamParams>, problem: string | null = null): Promise<string> {
    const { client, organization, session, request } = call;
    const params = pathOf(call);
    const team = await client.call(operations.getTeam, { params });
    const members = await orHidden(
      client.call(operations.listTeamMembers, { params, query: { limit: SHOWN, ...pageOf(request) } }),
    );
    const except = new Set(members?.items.map(({ organization: { id } }) => id));
    return renderTeam({
      organization,
      team,
      members: members?.items ?? null,
      more: nextPage(teamPath(organization.id, team.id), members?.next),
      granted: organization.permissions.listMembers ? await findGrant(call) : undefined,
      candidates: team.permissions.admin
        ? await findCandidates(client, organization.id, request, { withTeams: false, except })
        : null,
      news: NEWS.get(readText(request.query, 'done')) ?? null,
      problem,
      user: session,
    });
  }

  /** What the team was granted in the whole organization. */
  async function findGrant({
    client,
    organization,
    params,
  }: InOrganization<TeamParams>): Promise<Role | null> {
    const { items } = await client.call(operations.listOrganizationTeams, {
      params: { organizationId: organization.id },
      query: { team: params.teamId },
    });
    return items[0]?.permission ?? null;
  }

  // Whoever is in a team sees it, guests included, who do not see the list.
  app.get(
    `${base}/:teamId`,
    inOrganization<TeamParams>(context, 'overview', (call) => showTeam(call)),
  );

  /** A form of a team's page. */
  function registerForm(
    path: string,
    done: string,
    act: (call: InOrganization<TeamParams>) => Promise<unknown>,
  ): void {
    app.post(
      `${base}/:teamId/${path}`,
      ownForm(context),
      inOrganization<TeamParams>(context, 'overview', (call) =>
        submit(
          call.reply,
          async () => {
            await act(call);
            const { organization, params, reply } = call;
            // Whoever left a team may not see it any more.
            const to =
              done === 'removed' || !(await isVisible(call))
                ? organizationPath(organization.id, organization.permissions.listTeams ? 'teams' : '')
                : teamPath(organization.id, params.teamId);
            return reply.redirect(`${to}?done=${done}`, 303);
          },
          (problem) => showTeam(call, problem),
        ),
      ),
    );
  }

  async function isVisible(call: InOrganization<TeamParams>): Promise<boolean> {
    if (call.organization.permissions.listTeams) return true;
    try {
      await call.client.call(operations.getTeam, { params: pathOf(call) });
      return true;
    } catch (error) {
      if (error instanceof PlatformError && error.status === 404) return false;
      throw error;
    }
  }

  registerForm('title', 'title', (call) => {
    const title = readText(call.request.body, 'title').trim();
    requireTitle(title);
    return call.client.call(operations.updateTeam, { params: pathOf(call), body: { title } });
  });
  registerForm('remove', 'removed', (call) =>
    call.client.call(operations.removeTeam, { params: pathOf(call) }),
  );
  registerForm('members', 'added', (call) => {
    const subject = readGrantSubject(call.request.body);
    if (subject === null || !('users' in subject)) throw new UnusableInput('Choose a member from the list.');
    const params = { ...pathOf(call), userId: subject.users[0] };
    return call.client.call(operations.addTeamMember, { params, body: {} });
  });
  for (const role of ['owner', 'member'] as const)
    registerForm(`members/:userId/${role}`, 'changed', (call) =>
      call.client.call(operations.addTeamMember, {
        params: { ...pathOf(call), userId: call.params.userId },
        body: { role },
      }),
    );
  registerForm('members/:userId/remove', 'left', (call) =>
    call.client.call(operations.removeTeamMember, {
      params: { ...pathOf(call), userId: call.params.userId },
    }),
  );
  registerForm('grant', 'granted', (call) => {
    const text = readText(call.request.body, 'role');
    const role = text === '' ? null : chooseRole(text);
    const params = { organizationId: call.organization.id };
    return call.client.call(operations.grantInOrganization, {
      params,
      body: { role, teams: [call.params.teamId] },
    });
  });

  app.get(
    `${base}/:teamId/remove`,
    inOrganization<TeamParams>(context, 'overview', async (call) => {
      const { client, organization, session } = call;
      const { id, title } = await client.call(operations.getTeam, { params: pathOf(call) });
      return renderOrganizationPage({
        organization,
        section: 'teams',
        title: `Delete ${title}`,
        user: session,
        main: renderConfirmation({
          sentence: html`What ${title} was granted ends at once for everybody in it. They stay in ${organization.title}.`,
          action: teamPath(organization.id, id, 'remove'),
          button: 'Delete the team',
          back: teamPath(organization.id, id),
        }),
      });
    }),
  );
}

/** @throws {UnusableInput} */
function requireTitle(title: string): void {
  if (title === '' || title.length > 64) throw new UnusableInput('Enter a name of 1 to 64 characters.');
}

/** Null for what the caller may not see. */
async function orHidden<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof PlatformError && error.status === 403) return null;
    throw error;
  }
}
