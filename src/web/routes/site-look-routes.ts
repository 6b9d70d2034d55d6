import type { FastifyInstance, FastifyReply } from 'fastify';
import { operations } from '../../client/index.ts';
import { sitePath } from '../addresses.ts';
import { framePolicy } from '../security-headers.ts';
import { describeLookProblems, describeWeakColors } from '../views/describe-look.ts';
import type { EnteredLook, LookProblems } from '../views/entered-look.ts';
import { type LookVariant, renderSiteLook } from '../views/site-look-view.ts';
import { submit } from './in-organization.ts';
import { type InSite, inSite } from './in-site.ts';
import { ownForm } from './own-forms.ts';
import { readText } from './read-text.ts';
import { type PagesContext, renderNotFound } from './signed-in.ts';
import { changeBetween, choiceOf, findProblems, readLook, toEntered } from './site-look-form.ts';
import { structureItemsOf } from './site-structure-routes.ts';

const path = '/orgs/:organizationId/sites/:siteId';

/** Of a form in bytes: 30 links and a few addresses. */
const FORM_LIMIT = 256 * 1024;

/** Whose look a form changes: that of a site, or of one of its variants. */
interface LookOwner {
  readonly entered: EnteredLook;
  /** Of its pages. */
  readonly path: string;
  /** Null for the site itself. */
  readonly variant: LookVariant | null;
  save(entered: EnteredLook): Promise<unknown>;
}

type FindOwner<Params> = (call: InSite<Params>) => Promise<LookOwner | null>;

/** How a site, and each of its variants, looks: `…/look`, with a sample of it beside the form. */
export function registerSiteLook(app: FastifyInstance, context: PagesContext): void {
  registerLook(app, context, `${path}/look`, findSite);
  const ofVariant = `${path}/structure/variants/:id/look`;
  registerLook<{ readonly id: string }>(app, context, ofVariant, findVariant);
  app.post(
    `${ofVariant}/reset`,
    ownForm(context),
    inSite<{ readonly id: string }>(context, 'look', async ({ client, at, params, reply }) => {
      await client.call(operations.deleteSiteSpaceCustomization, {
        params: { ...at, siteSpaceId: params.id },
      });
      return reply.redirect(
        `${sitePath(at.organizationId, at.siteId, `structure/variants/${params.id}/look`)}?done=reset`,
        303,
      );
    }),
  );
}

async function findSite({ client, at }: InSite<unknown>): Promise<LookOwner> {
  return {
    entered: toEntered(await client.call(operations.getSiteCustomization, { params: at, query: {} })),
    path: sitePath(at.organizationId, at.siteId, 'look'),
    variant: null,
    save: (entered) =>
      client.call(operations.updateSiteCustomization, { params: at, body: choiceOf(entered) }),
  };
}

async function findVariant({
  client,
  at,
  params,
}: InSite<{ readonly id: string }>): Promise<LookOwner | null> {
  const structure = await client.call(operations.getSiteStructure, { params: at });
  const item = structureItemsOf(structure).find(
    ({ object, id }) => object === 'site-space' && id === params.id,
  );
  if (item === undefined) return null;
  const own = { params: { ...at, siteSpaceId: item.id } };
  const [ofSite, look] = await Promise.all([
    client.call(operations.getSiteCustomization, { params: at, query: {} }),
    client.call(operations.getSiteSpaceCustomization, { ...own, query: {} }),
  ]);
  return {
    entered: toEntered(look),
    path: sitePath(at.organizationId, at.siteId, `structure/variants/${item.id}/look`),
    variant: { title: item.title, siteLook: ofSite },
    save: (entered) =>
      client.call(operations.updateSiteSpaceCustomization, {
        ...own,
        body: changeBetween({ look, entered: entered.look, below: ofSite }),
      }),
  };
}

const NEWS: Readonly<Record<string, string>> = {
  saved: 'The look was saved.',
  reset: 'It looks like the site again.',
};

function registerLook<Params>(
  app: FastifyInstance,
  context: PagesContext,
  route: string,
  find: FindOwner<Params>,
): void {
  const { siteLooks } = context;

  /** Makes a handler; 404 for a variant that the site has not. */
  const ofOwner = (act: (call: InSite<Params>, owner: LookOwner) => Promise<string | FastifyReply>) =>
    inSite<Params>(context, 'look', async (call) => {
      const owner = await find(call);
      if (owner === null) return call.reply.code(404).send(renderNotFound(call.session));
      return await act(call, owner);
    });

  function show(
    { frame, request, reply }: InSite<Params>,
    owner: LookOwner,
    {
      entered = owner.entered,
      problems = new Map(),
      problem = null,
    }: { entered?: EnteredLook; problems?: LookProblems; problem?: string | null } = {},
  ): string {
    reply.header('content-security-policy', framePolicy);
    const done = request.method === 'GET' ? readText(request.query, 'done') : '';
    return renderSiteLook({
      ...frame,
      path: owner.path,
      variant: owner.variant,
      entered,
      problems,
      weak: siteLooks.findWeakColors(entered.look.styling.primaryColor),
      news: NEWS[done] ?? null,
      problem,
    });
  }

  app.get(
    route,
    ofOwner(async (call, owner) => show(call, owner)),
  );

  app.post(
    route,
    ownForm(context, FORM_LIMIT),
    ofOwner(async (call, owner) => {
      const { reply, request } = call;
      const entered = readLook(request.body, owner.entered);
      const problems = findProblems(entered);
      if (problems.size > 0) {
        const problem = problems.get(null) ?? 'Nothing was saved: see what is wrong below.';
        return reply.code(400).send(show(call, owner, { entered, problems, problem }));
      }
      return submit(
        reply,
        async () => {
          await owner.save(entered);
          return reply.redirect(`${owner.path}?done=saved`, 303);
        },
        async (problem) => show(call, owner, { entered, problem }),
      );
    }),
  );

  /** Nobody else is sent it: what was entered is in no address, and nothing is kept. */
  function sample(call: InSite<Params>, { entered: saved }: LookOwner, entered: EnteredLook): string {
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
    `${route}/sample`,
    ofOwner(async (call, owner) => sample(call, owner, owner.entered)),
  );
  app.post(
    `${route}/sample`,
    ownForm(context, FORM_LIMIT),
    ofOwner(async (call, owner) => sample(call, owner, readLook(call.request.body, owner.entered))),
  );
}
