import type { FastifyInstance } from 'fastify';
import { type InputOf, operations, PlatformError } from '../../client/index.ts';
import { html } from '../../markup/index.ts';
import { homePath, organizationPath } from '../addresses.ts';
import { renderConfirmation } from '../views/confirm-view.ts';
import { type PageNews, renderOrganizationPage } from '../views/organization-frame.ts';
import { renderOverview } from '../views/organization-overview.ts';
import { renderSettings } from '../views/organization-settings.ts';
import { chooseRole, type InOrganization, inOrganization, submit, UnusableInput } from './in-organization.ts';
import { ownForm } from './own-forms.ts';
import { readText } from './read-text.ts';
import type { PagesContext } from './signed-in.ts';

const TEAMS_SHOWN = 100;

/** Spaces, and sites, that the overview names. */
const CONTENT_SHOWN = 6;
const base = '/orgs/:organizationId';

/** What was done, by the value of `done` in the address. */
const NEWS: ReadonlyMap<string, string> = new Map([
  ['joined', 'You are a member now.'],
  ['saved', 'The settings were saved.'],
]);

/** `/orgs/<id>`, its settings, and the way out of it. */
export function registerOrganization(app: FastifyInstance, context: PagesContext): void {
  app.get(
    base,
    inOrganization(context, 'overview', async ({ client, organization, session, request }) => {
      const { id: userId } = await client.call(operations.getUser, {});
      const params = { organizationId: organization.id, userId };
      const shown = { params: { organizationId: organization.id }, query: { limit: CONTENT_SHOWN } };
      const [access, teams, spaces, sites] = await Promise.all([
        client.call(operations.getMemberAccess, { params }),
        client.call(operations.listMemberTeams, { params, query: { limit: TEAMS_SHOWN } }),
        client.call(operations.listSpaces, shown),
        client.call(operations.listSites, shown),
      ]);
      const news = NEWS.get(readText(request.query, 'done')) ?? null;
      return renderOverview({
        organization,
        access,
        spaces,
        sites,
        userId,
        teams: teams.items.map(({ team, member: { role } }) => ({ id: team.id, title: team.title, role })),
        user: session,
        news,
      });
    }),
  );

  async function showLeave({ organization, session }: InOrganization<unknown>, problem: string | null) {
    return renderOrganizationPage({
      organization,
      section: 'overview',
      title: 'Leave this organization',
      user: session,
      problem,
      main: renderConfirmation({
        sentence: html`You lose access to everything in ${organization.title}, and come back only by an invitation.`,
        action: organizationPath(organization.id, 'leave'),
        button: 'Leave',
        back: organizationPath(organization.id),
      }),
    });
  }

  app.get(
    `${base}/leave`,
    inOrganization(context, 'overview', (call) => showLeave(call, null)),
  );
  app.post(
    `${base}/leave`,
    ownForm(context),
    inOrganization(context, 'overview', (call) =>
      submit(
        call.reply,
        async () => {
          const { id: userId } = await call.client.call(operations.getUser, {});
          const params = { organizationId: call.organization.id, userId };
          await call.client.call(operations.removeMember, { params });
          if (await isInAnother(call)) return call.reply.redirect(homePath, 303);
          // Whoever is in no organization has nothing to sign in for.
          await context.sessions.end(call.request, call.reply);
          return call.reply.redirect('/login?done=left', 303);
        },
        (problem) => showLeave(call, problem),
      ),
    ),
  );

  async function isInAnother({ client }: InOrganization<unknown>): Promise<boolean> {
    try {
      return (await client.call(operations.listOrganizations, { query: { limit: 1 } })).items.length > 0;
    } catch (error) {
      if (error instanceof PlatformError && error.status === 401) return false;
      throw error;
    }
  }

  app.get(
    `${base}/settings`,
    inOrganization(context, 'settings', (call) =>
      showSettings(call, { news: NEWS.get(readText(call.request.query, 'done')) ?? null }),
    ),
  );
  app.post(
    `${base}/settings`,
    ownForm(context),
    inOrganization(context, 'settings', (call) =>
      save(call, 'saved', () => {
        const defaultRole = chooseRole(readText(call.request.body, 'defaultRole'));
        const title = readText(call.request.body, 'title').trim();
        if (title === '') throw new UnusableInput('Enter a name for the organization.');
        const isOn = (name: string) => readText(call.request.body, name) === 'on';
        return { title, defaultRole, inviteLinks: isOn('inviteLinks'), ai: isOn('ai') };
      }),
    ),
  );
  async function showSettings(
    { client, organization, session }: InOrganization<unknown>,
    news: PageNews,
  ): Promise<string> {
    const params = { organizationId: organization.id };
    const usage = await client.call(operations.getModelUsage, { params });
    return renderSettings({ organization, usage, user: session, now: context.now(), ...news });
  }
  function save(
    call: InOrganization<unknown>,
    done: string,
    read: () => InputOf<typeof operations.updateOrganization>['body'],
  ) {
    const { client, organization, reply } = call;
    return submit(
      reply,
      async () => {
        const params = { organizationId: organization.id };
        await client.call(operations.updateOrganization, { params, body: read() });
        return reply.redirect(`${organizationPath(organization.id, 'settings')}?done=${done}`, 303);
      },
      (problem) => showSettings(call, { problem }),
    );
  }
}
