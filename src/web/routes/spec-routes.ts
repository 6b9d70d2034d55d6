import type { FastifyInstance } from 'fastify';
import { operations } from '../../client/index.ts';
import { organizationPath, specPath } from '../addresses.ts';
import { renderSpec, renderSpecSource, renderSpecs } from '../views/specs-view.ts';
import { type InOrganization, inOrganization, submit, UnusableInput } from './in-organization.ts';
import { nextPage, pageOf } from './list-page.ts';
import { ownForm } from './own-forms.ts';
import { readText } from './read-text.ts';
import type { PagesContext } from './signed-in.ts';

const SHOWN = 50;
/** Of a document in a form, in bytes. */
const MAX_FORM = 6 * 1024 * 1024;
const MAX_TEXT = 2_000_000;
const base = '/orgs/:organizationId/specs';
type Params = { readonly specSlug: string };

/** What was done, by the value of `done` in the address. */
const NEWS: ReadonlyMap<string, string> = new Map([
  ['saved', 'It was saved.'],
  ['reading', 'It is being read again. Reload this page in a moment.'],
  ['deleted', 'The specification was deleted.'],
]);

/** The API specifications of an organization. */
export function registerSpecs(app: FastifyInstance, context: PagesContext): void {
  app.get(
    base,
    inOrganization(context, 'specs', async ({ client, organization, request, session }) => {
      const { items, next } = await client.call(operations.listOpenAPISpecs, {
        params: { organizationId: organization.id },
        query: { limit: SHOWN, ...pageOf(request) },
      });
      return renderSpecs({
        organization,
        specs: items,
        more: nextPage(organizationPath(organization.id, 'specs'), next),
        news: NEWS.get(readText(request.query, 'done')) ?? null,
        user: session,
        now: context.now(),
      });
    }),
  );

  function paramsOf({ organization, params }: InOrganization<Params>) {
    return { organizationId: organization.id, specSlug: params.specSlug };
  }
  async function show(call: InOrganization<Params>, problem: string | null) {
    const { client, organization, request, session } = call;
    const params = paramsOf(call);
    const spec = await client.call(operations.getOpenAPISpec, { params });
    const { items, next } = await client.call(operations.listOpenAPISpecVersions, {
      params,
      query: { limit: SHOWN, ...pageOf(request) },
    });
    return renderSpec({
      organization,
      spec,
      versions: items,
      more: nextPage(specPath(organization.id, spec.slug), next),
      news: problem === null ? (NEWS.get(readText(request.query, 'done')) ?? null) : null,
      problem,
      user: session,
      now: context.now(),
    });
  }

  function showSource(
    call: InOrganization<unknown>,
    slug: string | null,
    problem: string | null,
    sourceURL = '',
  ) {
    const { organization, request, session } = call;
    const text = (name: string, longest: number) => readText(request.body, name, longest);
    return renderSpecSource({
      organization,
      slug,
      values: { slug: text('slug', 100), url: text('url', 2048) || sourceURL, text: text('text', MAX_TEXT) },
      problem,
      user: session,
    });
  }
  /** @throws {UnusableInput} */
  function readSource(body: unknown) {
    const url = readText(body, 'url', 2048).trim();
    const text = readText(body, 'text', MAX_TEXT);
    if (url !== '') return { url };
    if (text.trim() === '') throw new UnusableInput('Enter an address, or the document itself.');
    return { text };
  }

  app.get(
    `${base}/new`,
    inOrganization(context, 'specs', async (call) => showSource(call, null, null)),
  );
  app.post(
    `${base}/new`,
    ownForm(context, MAX_FORM),
    inOrganization(context, 'specs', (call) =>
      submit(
        call.reply,
        async () => {
          const { client, organization, request, reply } = call;
          const { slug } = await client.call(operations.createOpenAPISpec, {
            params: { organizationId: organization.id },
            body: { slug: readText(request.body, 'slug', 101).trim(), source: readSource(request.body) },
          });
          return reply.redirect(`${specPath(organization.id, slug)}?done=reading`, 303);
        },
        async (problem) => showSource(call, null, problem),
      ),
    ),
  );

  app.get(
    `${base}/:specSlug`,
    inOrganization<Params>(context, 'specs', (call) => show(call, null)),
  );
  app.get(
    `${base}/:specSlug/source`,
    inOrganization<Params>(context, 'specs', async (call) => {
      const { slug, sourceURL = '' } = await call.client.call(operations.getOpenAPISpec, {
        params: paramsOf(call),
      });
      return showSource(call, slug, null, sourceURL);
    }),
  );
  app.post(
    `${base}/:specSlug/source`,
    ownForm(context, MAX_FORM),
    inOrganization<Params>(context, 'specs', (call) =>
      submit(
        call.reply,
        async () => {
          const { client, organization, request, reply } = call;
          const { slug } = await client.call(operations.putOpenAPISpec, {
            params: paramsOf(call),
            body: { source: readSource(request.body) },
          });
          return reply.redirect(`${specPath(organization.id, slug)}?done=reading`, 303);
        },
        async (problem) => showSource(call, call.params.specSlug, problem),
      ),
    ),
  );

  function form(part: string, act: (call: InOrganization<Params>) => Promise<string>): void {
    app.post(
      `${base}/:specSlug/${part}`,
      ownForm(context),
      inOrganization<Params>(context, 'specs', (call) =>
        submit(
          call.reply,
          async () => call.reply.redirect(await act(call), 303),
          (problem) => show(call, problem),
        ),
      ),
    );
  }
  form('visibility', async (call) => {
    const visibility = readText(call.request.body, 'visibility') === 'public' ? 'public' : 'private';
    const params = paramsOf(call);
    await call.client.call(operations.updateOpenAPISpec, { params, body: { visibility } });
    return `${specPath(params.organizationId, params.specSlug)}?done=saved`;
  });
  form('delete', async (call) => {
    if (readText(call.request.body, 'sure') !== 'yes')
      throw new UnusableInput('Confirm that the specification is to be deleted.');
    const params = paramsOf(call);
    await call.client.call(operations.deleteOpenAPISpec, { params });
    return `${organizationPath(params.organizationId, 'specs')}?done=deleted`;
  });
}
