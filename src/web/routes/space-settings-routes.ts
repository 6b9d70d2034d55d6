import type { FastifyInstance } from 'fastify';
import { type InputOf, languages, operations, type Space } from '../../client/index.ts';
import { organizationPath, spacePartPath, spacePath } from '../addresses.ts';
import { MERGE_RULES, renderSpaceSettings, VISIBILITIES_CHOSEN } from '../views/space-settings-view.ts';
import { submit, UnusableInput } from './in-organization.ts';
import { type InSpace, inSpace } from './in-space.ts';
import { ownForm } from './own-forms.ts';
import { readLevel } from './read-level.ts';
import { readText } from './read-text.ts';
import type { PagesContext } from './signed-in.ts';

const path = '/spaces/:spaceId/settings';
type Changes = InputOf<typeof operations.updateSpace>['body'];

/** `/spaces/:spaceId/settings`: what administrators change of a space, and deleting it. */
export function registerSpaceSettings(app: FastifyInstance, context: PagesContext): void {
  async function show({ frame, request }: InSpace<unknown>, problem: string | null) {
    const isSaved = problem === null && readText(request.query, 'done') === 'saved';
    return renderSpaceSettings({ frame, news: isSaved ? 'The settings were saved.' : null, problem });
  }
  app.get(
    path,
    inSpace(context, 'settings', (call) => show(call, null)),
  );

  function form(part: string, read: (body: unknown, space: Space) => Changes): void {
    app.post(
      `${path}${part}`,
      ownForm(context),
      inSpace(context, 'settings', (call) =>
        submit(
          call.reply,
          async () => {
            const { client, params, request, reply, space } = call;
            await client.call(operations.updateSpace, { params, body: read(request.body, space) });
            return reply.redirect(`${spacePartPath(space.id, 'settings')}?done=saved`, 303);
          },
          (problem) => show(call, problem),
        ),
      ),
    );
  }
  form('', (body) => {
    const emoji = readText(body, 'emoji', 40).trim();
    const language = readText(body, 'language');
    return {
      title: readText(body, 'title').trim(),
      emoji: emoji === '' ? null : emoji,
      language: language === '' ? null : oneOf(languages, language, 'Choose a language from the list.'),
    };
  });
  form('/access', (body) => ({
    visibility: oneOf(
      VISIBILITIES_CHOSEN,
      readText(body, 'visibility'),
      'Choose who sees the space from the list.',
    ),
    defaultLevel: readLevel(readText(body, 'defaultLevel')),
  }));
  form('/edits', (body, space) => {
    const editMode = readText(body, 'locked') === 'on' ? 'locked' : 'live';
    if (readText(body, 'rules') === 'inherit') return { editMode, mergeRules: { type: 'inherit' } };
    const known = new Set<string>(MERGE_RULES.map(({ rule }) => rule));
    const chosen = MERGE_RULES.filter(({ rule }) => readText(body, rule) === 'on');
    // Rules about certain people are made by the API, and stay.
    const others = (space.mergeRules.rules ?? []).filter(({ rule }) => !known.has(rule));
    const rules = [...others, ...chosen.map(({ rule }) => ({ rule }))];
    return { editMode, mergeRules: rules.length === 0 ? { type: 'none' } : { type: 'rules', rules } };
  });

  app.post(
    `${path}/delete`,
    ownForm(context),
    inSpace(context, 'settings', (call) =>
      submit(
        call.reply,
        async () => {
          const { client, params, request, reply, space } = call;
          if (readText(request.body, 'sure') !== 'yes')
            throw new UnusableInput('Confirm that the space is to be deleted.');
          await client.call(operations.deleteSpace, { params });
          return reply.redirect(`${organizationPath(space.organization, 'spaces')}?done=deleted`, 303);
        },
        (problem) => show(call, problem),
      ),
    ),
  );
  app.post(
    '/spaces/:spaceId/duplicate',
    ownForm(context),
    inSpace(context, 'overview', (call) =>
      submit(
        call.reply,
        async () => {
          const { id } = await call.client.call(operations.duplicateSpace, { params: call.params });
          return call.reply.redirect(spacePath(id), 303);
        },
        (problem) => show(call, problem),
      ),
    ),
  );
}

/** @throws {UnusableInput} with this sentence for a text that is none of these */
function oneOf<const T extends string>(values: readonly T[], text: string, sentence: string): T {
  const found = values.find((value) => value === text);
  if (found === undefined) throw new UnusableInput(sentence);
  return found;
}
