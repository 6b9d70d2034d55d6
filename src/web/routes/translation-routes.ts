import type { FastifyInstance } from 'fastify';
import {
  isLanguage,
  operations,
  type PlatformClient,
  PlatformError,
  type Space,
  type Translation,
} from '../../client/index.ts';
import { SEGMENT_STATES, type SegmentState } from '../../platform/index.ts';
import { organizationPath, translationPagePath, translationPath } from '../addresses.ts';
import { MAX_CORRECTION, renderSegments } from '../views/segments-view.ts';
import {
  renderNewTranslation,
  renderTranslation,
  renderTranslations,
  type TranslationWithSpaces,
} from '../views/translations-view.ts';
import { type InOrganization, inOrganization, submit, UnusableInput } from './in-organization.ts';
import { nextPage, pageOf } from './list-page.ts';
import { ownForm } from './own-forms.ts';
import { readText } from './read-text.ts';
import { type PagesContext, renderNotFound } from './signed-in.ts';

const SHOWN = 30;
/** Translations that are looked through for those of a space. */
const MAX_SEARCHED = 1_000;
/** Of a path in a repository, in characters. */
const MAX_PATH = 4_096;
/** Of a correction, in bytes: characters may have three, and percent signs take as many again. */
const MAX_FORM = 9 * MAX_CORRECTION + 64 * 1024;
const base = '/orgs/:organizationId/translations';
type Params = { readonly translationId: string };

/** What was done, by the value of `done` in the address. */
const NEWS: ReadonlyMap<string, string> = new Map([
  ['saved', 'It was saved.'],
  ['running', 'It is being run. Reload this page in a moment.'],
  ['corrected', 'The correction was saved, and is live in a moment.'],
  ['removed', 'The correction was taken back. The result follows in a moment.'],
  ['deleted', 'The translation was deleted.'],
]);

/** The translations of an organization, with their texts. */
export function registerTranslations(app: FastifyInstance, context: PagesContext): void {
  const newsOf = ({ request }: InOrganization<unknown>) => NEWS.get(readText(request.query, 'done')) ?? null;

  app.get(
    base,
    inOrganization(context, 'translations', async (call) => {
      const { client, organization, request, session } = call;
      const spaceId = readText(request.query, 'space');
      const space = spaceId === '' ? null : await findSpace(client, spaceId);
      const { items, next } =
        space === null
          ? await client.call(operations.listTranslations, {
              params: { organizationId: organization.id },
              query: { limit: SHOWN, ...pageOf(request) },
            })
          : { items: await listOfSpace(client, organization.id, space.id), next: undefined };
      return renderTranslations({
        organization,
        translations: await withSpaces(client, items),
        space,
        more: nextPage(organizationPath(organization.id, 'translations'), next),
        news: newsOf(call),
        user: session,
        now: context.now(),
      });
    }),
  );

  async function showNew(call: InOrganization<unknown>, problem: string | null) {
    const { client, organization, request, session } = call;
    const { items } = await client.call(operations.listSpaces, {
      params: { organizationId: organization.id },
      query: { limit: 1_000 },
    });
    const value = (name: string) => readText(request.body, name) || readText(request.query, name);
    return renderNewTranslation({
      organization,
      spaces: items,
      values: { space: value('space'), language: value('language'), provider: value('provider') },
      problem,
      user: session,
    });
  }
  app.get(
    `${base}/new`,
    inOrganization(context, 'translations', (call) => showNew(call, null)),
  );
  app.post(
    `${base}/new`,
    ownForm(context),
    inOrganization(context, 'translations', (call) =>
      submit(
        call.reply,
        async () => {
          const { client, organization, request, reply } = call;
          const language = readText(request.body, 'language');
          if (!isLanguage(language)) throw new UnusableInput('Choose a language from the list.');
          const { id } = await client.call(operations.createTranslation, {
            params: { organizationId: organization.id },
            body: {
              source: { space: readText(request.body, 'space') },
              language,
              provider: readProvider(request.body),
            },
          });
          await client.call(operations.runTranslation, {
            params: { organizationId: organization.id, translationId: id },
          });
          return reply.redirect(`${translationPath(organization.id, id)}?done=running`, 303);
        },
        (problem) => showNew(call, problem),
      ),
    ),
  );

  async function load(call: InOrganization<Params>) {
    const { client, organization, params } = call;
    const translation = await client.call(operations.getTranslation, {
      params: { organizationId: organization.id, translationId: params.translationId },
    });
    const [listed] = await withSpaces(client, [translation]);
    const { source = null, result = null } = listed ?? {};
    return { translation, source, result };
  }
  async function show(call: InOrganization<Params>, problem: string | null) {
    const { organization, params, request, session } = call;
    const loaded = await load(call);
    const state = readState(request.query);
    const found = await context.translationSegments?.listPages(
      session.token,
      { organizationId: organization.id, translationId: params.translationId },
      { state, after: readText(request.query, 'after', MAX_PATH) || null },
    );
    const path = translationPath(organization.id, params.translationId);
    return renderTranslation({
      organization,
      ...loaded,
      pages:
        found == null
          ? null
          : {
              items: found.pages,
              state,
              problem: found.problem,
              more:
                found.next === null
                  ? null
                  : `${path}?${new URLSearchParams({ ...(state === null ? {} : { state }), after: found.next })}`,
            },
      news: problem === null ? newsOf(call) : null,
      problem,
      user: session,
      now: context.now(),
    });
  }
  app.get(
    `${base}/:translationId`,
    inOrganization<Params>(context, 'translations', (call) => show(call, null)),
  );

  function form(part: string, act: (call: InOrganization<Params>) => Promise<string>): void {
    app.post(
      `${base}/:translationId/${part}`,
      ownForm(context),
      inOrganization<Params>(context, 'translations', (call) =>
        submit(
          call.reply,
          async () => call.reply.redirect(await act(call), 303),
          (problem) => show(call, problem),
        ),
      ),
    );
  }
  const paramsOf = ({ organization, params }: InOrganization<Params>) => ({
    organizationId: organization.id,
    translationId: params.translationId,
  });
  form('run', async (call) => {
    const params = paramsOf(call);
    await call.client.call(operations.runTranslation, { params });
    return `${translationPath(params.organizationId, params.translationId)}?done=running`;
  });
  form('provider', async (call) => {
    const params = paramsOf(call);
    const body = { provider: readProvider(call.request.body) };
    await call.client.call(operations.updateTranslation, { params, body });
    return `${translationPath(params.organizationId, params.translationId)}?done=saved`;
  });
  form('delete', async (call) => {
    if (readText(call.request.body, 'sure') !== 'yes')
      throw new UnusableInput('Confirm that the translation is to be deleted.');
    const params = paramsOf(call);
    await call.client.call(operations.deleteTranslation, { params });
    return `${organizationPath(params.organizationId, 'translations')}?done=deleted`;
  });

  const { translationSegments: texts } = context;
  if (texts === undefined) return;

  async function showPage(
    call: InOrganization<Params>,
    values: unknown,
    refused: { readonly reason: string | null; readonly problem: string | null } | null,
  ) {
    const { organization, session, reply } = call;
    const state = readState(values);
    const from = Math.max(0, Number.parseInt(readText(values, 'from'), 10) || 0);
    const path = readText(values, 'path', MAX_PATH);
    const [loaded, found] = await Promise.all([
      load(call),
      texts?.readPage(session.token, paramsOf(call), { path, state, from }),
    ]);
    if (found == null) return reply.code(404).send(renderNotFound(session));
    const key = readText(values, refused === null ? 'edit' : 'key');
    return renderSegments({
      organization,
      ...loaded,
      ...found,
      unknown: found.problem,
      state,
      from,
      editing:
        key === '' || !found.mayCorrect
          ? null
          : {
              key,
              entered: refused === null ? null : readText(values, 'text', MAX_CORRECTION) || null,
              refused: refused?.reason ?? null,
            },
      news: refused === null ? newsOf(call) : null,
      problem: refused?.problem ?? null,
      user: session,
      now: context.now(),
    });
  }
  app.get(
    `${base}/:translationId/page`,
    inOrganization<Params>(context, 'translations', (call) => showPage(call, call.request.query, null)),
  );
  app.post(
    `${base}/:translationId/correct`,
    ownForm(context, MAX_FORM),
    inOrganization<Params>(context, 'translations', async (call) => {
      const { request, reply, session, organization, params } = call;
      const { body } = request;
      const isRemoval = readText(body, 'act') === 'remove';
      const written = readText(body, 'text', MAX_CORRECTION + 1);
      const path = readText(body, 'path', MAX_PATH);
      const key = readText(body, 'key');
      if (written.length > MAX_CORRECTION) {
        const reason = `A correction has at most ${MAX_CORRECTION} characters.`;
        return await showRefused({ reason, problem: null });
      }
      const outcome = await texts.correct(session.token, paramsOf(call), {
        path,
        key,
        version: readText(body, 'version'),
        markdown: isRemoval ? null : written,
      });
      if (outcome === null) return reply.code(404).send(renderNotFound(session));
      if (outcome.kind === 'refused')
        return await showRefused({ reason: `This cannot be used: ${outcome.reason}.`, problem: null });
      if (outcome.kind === 'changed') {
        return await showRefused({
          reason: null,
          problem:
            'The translation of this text was changed meanwhile, so nothing was saved. Compare, and save again.',
        });
      }
      if (outcome.kind === 'gone') {
        return await showRefused({
          reason: null,
          problem: 'The page no longer has this text, so nothing was saved. Correct what it has become.',
        });
      }
      const address = translationPagePath(organization.id, params.translationId, {
        path,
        state: readState(body),
        from: Number.parseInt(readText(body, 'from'), 10) || 0,
        done: isRemoval ? 'removed' : 'corrected',
      });
      return reply.redirect(`${address}#docloom-${encodeURIComponent(key)}`, 303);

      async function showRefused(refused: Parameters<typeof showPage>[2]) {
        reply.code(refused?.problem === null ? 400 : 409);
        return await showPage(call, body, refused);
      }
    }),
  );
}

function readState(values: unknown): SegmentState | null {
  const text = readText(values, 'state');
  return SEGMENT_STATES.find((state) => state === text) ?? null;
}

/** @throws {UnusableInput} */
function readProvider(body: unknown): Translation['provider'] {
  const provider = readText(body, 'provider');
  if (provider === 'pseudo' || provider === 'openai' || provider === 'deepl' || provider === 'libretranslate')
    return provider;
  throw new UnusableInput('Choose a translator from the list.');
}

async function listOfSpace(
  client: PlatformClient,
  organizationId: string,
  spaceId: string,
): Promise<readonly Translation[]> {
  const found: Translation[] = [];
  let searched = 0;
  const query = { limit: 100 };
  for await (const item of client.paginate(operations.listTranslations, {
    params: { organizationId },
    query,
  })) {
    if (item.source.space === spaceId || item.result?.space === spaceId) found.push(item);
    searched += 1;
    if (searched >= MAX_SEARCHED) break;
  }
  return found;
}

async function withSpaces(
  client: PlatformClient,
  translations: readonly Translation[],
): Promise<readonly TranslationWithSpaces[]> {
  const ids = translations.flatMap(({ source, result }) => [source.space, ...(result ? [result.space] : [])]);
  const spaces = new Map(
    await Promise.all([...new Set(ids)].map(async (id) => [id, await findSpace(client, id)] as const)),
  );
  return translations.map((translation) => ({
    translation,
    source: spaces.get(translation.source.space) ?? null,
    result: translation.result === undefined ? null : (spaces.get(translation.result.space) ?? null),
  }));
}

/** Null for a space that the reader may not see, or that is gone. */
async function findSpace(client: PlatformClient, spaceId: string): Promise<Space | null> {
  try {
    return await client.call(operations.getSpace, { params: { spaceId } });
  } catch (error) {
    if (error instanceof PlatformError && (error.status === 403 || error.status === 404)) return null;
    throw error;
  }
}
