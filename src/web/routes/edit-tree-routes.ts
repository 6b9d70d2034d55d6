import type { FastifyInstance } from 'fastify';
import { type FileAction, operations, type PageResource, type PlatformClient } from '../../client/index.ts';
import { editPath, editTreePath } from '../addresses.ts';
import { type EditedIn, openChangeRequest } from '../editing/open-change-requests.ts';
import { pathFor } from '../editing/path-for.ts';
import { renderEditTree, renderFilePlan } from '../views/edit-tree-view.ts';
import { loadEditing, readEdited } from './edit-routes.ts';
import { readFormProblem } from './form-problem.ts';
import { loadSpaceFrame } from './in-space.ts';
import { ownForm } from './own-forms.ts';
import { readText } from './read-text.ts';
import { type PagesContext, renderNotFound, type SignedIn, signedIn } from './signed-in.ts';

/** Files besides pages that are listed. */
const FILES_SHOWN = 200;

type Call = SignedIn<{ readonly spaceId: string }>;

/**
 * `/spaces/:spaceId/edit/tree`: creates, moves, renames and deletes pages and other files in a change request, after it
 * showed what changes in other files.
 */
export function registerEditTree(app: FastifyInstance, context: PagesContext): void {
  const base = '/spaces/:spaceId/edit/tree';

  async function show(
    call: Call,
    { cr, path, problem }: { cr: string; path: string; problem: string | null },
  ) {
    const { client, reply, session, request } = call;
    const { space, changeRequest } = await loadEditing(call, cr);
    if (changeRequest === undefined) return reply.code(404).send(renderNotFound(session));
    const { pages, files, moreFiles, hasContents } = await loadTree(client, space.id, changeRequest);
    return reply.send(
      renderEditTree({
        frame: await loadSpaceFrame(client, space, session),
        changeRequest,
        pages,
        files,
        moreFiles,
        hasContents,
        selected: path,
        problem,
        news: NEWS[readText(request.query, 'done')] ?? null,
      }),
    );
  }

  app.get(
    base,
    { compress: false },
    signedIn<{ spaceId: string }>(context, (call) => {
      const { path, cr } = readEdited(call.request.query);
      return show(call, { path, cr, problem: null });
    }),
  );

  app.post(
    base,
    ownForm(context),
    signedIn<{ spaceId: string }>(context, async (call) => {
      const { client, reply, session, request } = call;
      const { path, cr } = readEdited(request.body);
      const { space, changeRequest } = await loadEditing(call, cr);
      if (changeRequest === undefined) return reply.code(404).send(renderNotFound(session));
      const action = readAction(request.body);
      try {
        if (readText(request.body, 'do') !== '1') {
          const plan = await client.call(operations.planFiles, {
            params: { spaceId: space.id },
            body: { action, ...(changeRequest !== null && { changeRequest: changeRequest.id }) },
          });
          const frame = await loadSpaceFrame(client, space, session);
          return renderFilePlan({ frame, changeRequest, action, plan });
        }
        const into = changeRequest ?? (await openChangeRequest(client, space.id, subjectOf(action)));
        await client.call(operations.changeFiles, {
          params: { spaceId: space.id, changeRequestId: into.id },
          body: { action },
        });
        if (action.type === 'create')
          return reply.redirect(`${editPath(space.id, action.path, into.number)}&done=created`, 303);
        return reply.redirect(`${editTreePath(space.id, into.number)}&done=${action.type}`, 303);
      } catch (error) {
        const { sentence, status } = readFormProblem(error);
        reply.code(status);
        return await show(call, { cr, path, problem: sentence });
      }
    }),
  );

  app.get(
    '/spaces/:spaceId/edit/targets',
    { compress: false },
    signedIn<{ spaceId: string }>(context, async ({ client, params: { spaceId }, request, reply }) => {
      const { path, cr } = readEdited(request.query);
      const kind = readText(request.query, 'kind') === 'file' ? 'file' : 'any';
      const { items } = await client.call(operations.suggestTargets, {
        params: { spaceId },
        query: {
          path,
          query: readText(request.query, 'q', 512),
          kind,
          ...(cr !== 'new' && cr !== '' && { changeRequest: cr }),
        },
      });
      return reply.type('application/json').header('cache-control', 'no-store').send({ items });
    }),
  );
}

const NEWS: Readonly<Record<string, string>> = {
  move: 'Moved, with the links to it, in the change request. Readers see it when that is merged.',
  delete: 'Deleted in the change request. Readers see it when that is merged.',
  'create-group': 'The group was added to the table of contents.',
};

function subjectOf(action: FileAction): string {
  if (action.type === 'move') return `Move ${action.from} to ${action.to}`;
  if (action.type === 'delete') return `Delete ${action.path}`;
  return `Add ${action.title}`;
}

function readAction(body: unknown): FileAction {
  const text = (name: string) => readText(body, name, 1024).trim();
  const type = text('type');
  const path = text('path');
  if (type === 'move') return { type, from: path, to: text('to') };
  if (type === 'delete') {
    const replacement = text('replacement');
    return { type, path, ...(replacement === '' ? {} : { replacement }) };
  }
  const title = text('title');
  if (type === 'create-group') return { type, title };
  const after = text('after');
  return {
    type: 'create',
    title,
    path: path === '' ? pathFor(title, after) : path,
    ...(after === '' ? {} : { after }),
  };
}

async function loadTree(client: PlatformClient, spaceId: string, changeRequest: EditedIn) {
  const query = { limit: FILES_SHOWN };
  const [{ pages }, files] =
    changeRequest === null
      ? await Promise.all([
          client.call(operations.listPages, { params: { spaceId } }),
          client.call(operations.listFiles, { params: { spaceId }, query }),
        ])
      : await Promise.all([
          client.call(operations.listChangeRequestPages, {
            params: { spaceId, changeRequestId: changeRequest.id },
          }),
          client.call(operations.listChangeRequestFiles, {
            params: { spaceId, changeRequestId: changeRequest.id },
            query,
          }),
        ]);
  const paths = files.items.flatMap(({ git }) => git?.path ?? []);
  return {
    pages,
    files: paths,
    moreFiles: Math.max(0, (files.count ?? paths.length) - paths.length),
    hasContents: await hasContents(client, spaceId, changeRequest, pages),
  };
}

/** Whether a table of contents (`SUMMARY.md`) lists the pages; then a group is a heading in it. */
async function hasContents(
  client: PlatformClient,
  spaceId: string,
  changeRequest: EditedIn,
  pages: readonly PageResource[],
): Promise<boolean> {
  const [first] = pages.flatMap(({ git }) => git?.path ?? []);
  if (first === undefined) return false;
  const folder = first.slice(0, first.lastIndexOf('/') + 1);
  try {
    await client.call(operations.getSource, {
      params: { spaceId },
      query: {
        path: `${folder}SUMMARY.md`,
        ...(changeRequest !== null && { changeRequest: changeRequest.id }),
      },
    });
    return true;
  } catch {
    return false;
  }
}
