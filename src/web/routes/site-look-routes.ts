import type { FastifyInstance } from 'fastify';
import { operations } from '../../client/index.ts';
import { sitePath } from '../addresses.ts';
import { framePolicy } from '../security-headers.ts';
import { describeLookProblems, describeWeakColors } from '../views/describe-look.ts';
import type { EnteredLook, LookProblems } from '../views/entered-look.ts';
import { renderSiteLook } from '../views/site-look-view.ts';
import { submit } from './in-organization.ts';
import { type InSite, inSite } from './in-site.ts';
import { ownForm } from './own-forms.ts';
import { readText } from './read-text.ts';
import type { PagesContext } from './signed-in.ts';
import { choiceOf, findProblems, readLook, toEntered } from './site-look-form.ts';

const path = '/orgs/:organizationId/sites/:siteId/look';

/** Of a form in bytes: 30 links and a few addresses. */
const FORM_LIMIT = 256 * 1024;

/** `…/look`: how a site looks, with a sample of it beside the form. */
export function registerSiteLook(app: FastifyInstance, context: PagesContext): void {
  const { siteLooks } = context;

  async function load({ client, at }: InSite<unknown>): Promise<EnteredLook> {
    return toEntered(await client.call(operations.getSiteCustomization, { params: at, query: {} }));
  }

  function show(
    { frame, request, reply }: InSite<unknown>,
    entered: EnteredLook,
    { problems = new Map(), problem = null }: { problems?: LookProblems; problem?: string | null } = {},
  ): string {
    reply.header('content-security-policy', framePolicy);
    const isSaved = request.method === 'GET' && readText(request.query, 'done') === 'saved';
    return renderSiteLook({
      ...frame,
      entered,
      problems,
      weak: siteLooks.findWeakColors(entered.look.styling.primaryColor),
      news: isSaved ? 'The look was saved.' : null,
      problem,
    });
  }

  app.get(
    path,
    inSite(context, 'look', async (call) => show(call, await load(call))),
  );

  app.post(
    path,
    ownForm(context, FORM_LIMIT),
    inSite(context, 'look', async (call) => {
      const { client, at, reply, request } = call;
      const entered = readLook(request.body, await load(call));
      const problems = findProblems(entered);
      if (problems.size > 0) {
        const problem = problems.get(null) ?? 'Nothing was saved: see what is wrong below.';
        return reply.code(400).send(show(call, entered, { problems, problem }));
      }
      return submit(
        reply,
        async () => {
          await client.call(operations.updateSiteCustomization, { params: at, body: choiceOf(entered) });
          return reply.redirect(`${sitePath(at.organizationId, at.siteId, 'look')}?done=saved`, 303);
        },
        async (problem) => show(call, entered, { problem }),
      );
    }),
  );

  /** Nobody else is sent it: what was entered is in no address, and nothing is kept. */
  function sample(call: InSite<unknown>, saved: EnteredLook, entered: EnteredLook): string {
    const { reply, request, site } = call;
    const problems = findProblems(entered);
    const values = request.method === 'GET' ? request.query : request.body;
    const theme = readText(values, 'shown') === 'dark' ? 'dark' : 'light';
    const { look } = problems.size > 0 ? saved : entered;
    const weak = siteLooks.findWeakColors(look.styling.primaryColor)[theme];
    const note =
      problems.size > 0
        ? describeLookProblems(problems)
        : ['A sample page.', ...(weak === null ? [] : [describeWeakColors(weak, theme)])].join(' ');
    const choice = choiceOf(problems.size > 0 ? saved : entered);
    const { html, headers } = siteLooks.renderSample({ title: site.title, choice, theme, note });
    reply.headers(headers);
    return html;
  }

  app.get(
    `${path}/sample`,
    inSite(context, 'look', async (call) => {
      const saved = await load(call);
      return sample(call, saved, saved);
    }),
  );
  app.post(
    `${path}/sample`,
    ownForm(context, FORM_LIMIT),
    inSite(context, 'look', async (call) => {
      const saved = await load(call);
      return sample(call, saved, readLook(call.request.body, saved));
    }),
  );
}
