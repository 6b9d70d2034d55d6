import type { FastifyInstance } from 'fastify';
import { operations, type Resolution } from '../../client/index.ts';
import { changeRequestPath } from '../addresses.ts';
import { CONFLICT_MARKS, type ConflictChoice, renderConflicts } from '../views/conflicts-view.ts';
import type { RequestParams } from './change-request-route.ts';
import { submit, UnusableInput } from './in-organization.ts';
import { type InSpace, inSpace } from './in-space.ts';
import { ownForm } from './own-forms.ts';
import { readText } from './read-text.ts';
import type { PagesContext } from './signed-in.ts';

/** More are decided through the API. */
const CONFLICTS_SHOWN = 50;

/** In bytes: texts of files, percent-encoded. */
const FORM_LIMIT = 8 * 1024 * 1024;
const TEXT_LIMIT = 1024 * 1024;

const TAKES = ['space', 'change-request', 'merged', 'edit'] as const;

/** `/spaces/:spaceId/change-requests/:number/conflicts`: the files that both sides changed, and the choice for each. */
export function registerConflicts(app: FastifyInstance, context: PagesContext): void {
  const path = '/spaces/:spaceId/change-requests/:changeRequestId/conflicts';

  async function show(
    call: InSpace<RequestParams>,
    {
      choices = new Map(),
      problem = null,
    }: { choices?: ReadonlyMap<string, ConflictChoice>; problem?: string | null } = {},
  ): Promise<string> {
    const { client, params, space, frame } = call;
    const changeRequest = await client.call(operations.getChangeRequest, { params });
    const at = { spaceId: space.id, changeRequestId: changeRequest.id };
    const { items, count } = await client.call(operations.listConflicts, {
      params: at,
      query: { limit: CONFLICTS_SHOWN },
    });
    const conflicts = await Promise.all(
      items.map(({ path: file }) =>
        client.call(operations.getConflict, { params: at, query: { path: file } }),
      ),
    );
    return renderConflicts({
      frame,
      changeRequest,
      conflicts,
      count,
      spaceRevision: space.revision ?? '',
      choices,
      problem,
    });
  }

  app.get(
    path,
    inSpace<RequestParams>(context, 'changeRequests', (call) => show(call)),
  );

  app.post(
    path,
    ownForm(context, FORM_LIMIT),
    inSpace<RequestParams>(context, 'changeRequests', (call) => {
      const { client, params, request, reply, space } = call;
      const choices = readChoices(request.body);
      return submit(
        reply,
        async () => {
          const { number, revision } = await client.call(operations.getChangeRequest, { params });
          if (
            space.revision !== readText(request.body, 'space') ||
            revision !== readText(request.body, 'head')
          )
            throw new UnusableInput(
              'The space or the change request was changed meanwhile. Look at both sides again, and choose.',
            );
          const resolutions: Resolution[] = [];
          for (const [file, choice] of choices) {
            const resolution = toResolution(file, choice);
            resolutions.push('text' in resolution ? await withLineBreaks(call, resolution) : resolution);
          }
          await client.call(operations.updateChangeRequestFromSpace, { params, body: { resolutions } });
          return reply.redirect(`${changeRequestPath(space.id, number)}?done=updated`, 303);
        },
        (problem) => show(call, { choices, problem }),
      );
    }),
  );
}

/** The text with the line breaks that the file has: those of a form are always the same. */
async function withLineBreaks(
  { client, params }: InSpace<RequestParams>,
  { path, text }: { readonly path: string; readonly text: string },
): Promise<Resolution> {
  const { changeRequest, space } = await client.call(operations.getConflict, { params, query: { path } });
  const known = changeRequest ?? space ?? '';
  const isCrLf = known.includes('\r\n') && !/[^\r]\n/.test(known);
  return { path, text: isCrLf ? text.replaceAll('\n', '\r\n') : text };
}

function readChoices(body: unknown): ReadonlyMap<string, ConflictChoice> {
  const choices = new Map<string, ConflictChoice>();
  for (let index = 0; index < CONFLICTS_SHOWN; index++) {
    const file = readText(body, `path-${index}`, 1024);
    if (file === '') break;
    const take = readText(body, `take-${index}`);
    // Browsers send line breaks of forms as CRLF.
    const text = readText(body, `text-${index}`, TEXT_LIMIT).replaceAll('\r\n', '\n');
    choices.set(file, {
      take: TAKES.find((known) => known === take) ?? '',
      text: take === 'edit' ? text : null,
    });
  }
  return choices;
}

function toResolution(path: string, { take, text }: ConflictChoice): Resolution {
  if (take === '') throw new UnusableInput(`Choose what ${path} is from now on.`);
  if (take !== 'edit') return { path, take };
  if (CONFLICT_MARKS.test(text ?? ''))
    throw new UnusableInput(
      `The text of ${path} still has lines that separate the two sides (<<<<<<<, =======, >>>>>>>); remove them.`,
    );
  return { path, text: text ?? '' };
}
