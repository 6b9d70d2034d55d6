import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import {
  type ChangeRequest,
  type CheckedText,
  operations,
  type PlatformClient,
  PlatformError,
  type Space,
} from '../../client/index.ts';
import { changeRequestPath, editPath } from '../addresses.ts';
import { findConflict } from '../editing/conflict-marks.ts';
import { toEditable } from '../editing/edited-text.ts';
import {
  chooseWritable,
  type EditedIn,
  listWritable,
  openChangeRequest,
} from '../editing/open-change-requests.ts';
import { findSource, type Saved, saveText } from '../editing/save-text.ts';
import { editorPolicy } from '../security-headers.ts';
import {
  type EditorPage,
  MAX_EDITED_LENGTH,
  renderChecked,
  renderEditor,
  renderPreviewBody,
} from '../views/editor-view.ts';
import { readFormProblem } from './form-problem.ts';
import { loadSpaceFrame } from './in-space.ts';
import { ownForm } from './own-forms.ts';
import { renderBody } from './page-route.ts';
import { readText } from './read-text.ts';
import { type PagesContext, renderNotFound, type SignedIn, signedIn } from './signed-in.ts';

/** Of a form with a text: each of its bytes may be sent as three characters. */
const FORM_LIMIT = 4 * MAX_EDITED_LENGTH;

type Call = SignedIn<{ readonly spaceId: string }>;

/** What the script and the form send about the file that is edited. */
export interface EditedFields {
  readonly path: string;
  /** The number of a change request, or `new`. */
  readonly cr: string;
}

export function readEdited(values: unknown): EditedFields {
  return { path: readText(values, 'path', 1024), cr: readText(values, 'cr', 100) };
}

/** The space, if the user may propose changes to it, and the change requests into which they may write. */
export async function loadEditing(
  { client, params, session }: Call,
  cr: string,
): Promise<{
  readonly space: Space;
  readonly writable: readonly ChangeRequest[];
  readonly changeRequest: EditedIn | undefined;
}> {
  const space = await client.call(operations.getSpace, { params });
  if (!space.permissions.edit)
    throw new PlatformError(404, 'There is no space with this id that you may edit.', { requestId: null });
  const writable = await listWritable(client, space.id, session.userId);
  return { space, writable, changeRequest: chooseWritable(writable, cr, session.userId) };
}

/**
 * `/spaces/:spaceId/edit?path=…&cr=…`: the editor of a file. Its text is saved into a change request; what is live changes
 * only when that is merged.
 */
export function registerEditor(app: FastifyInstance, context: PagesContext): void {
  const base = '/spaces/:spaceId/edit';

  app.get(
    base,
    // Words of the address stand beside private text.
    { compress: false },
    signedIn<{ spaceId: string }>(context, async (call) => {
      const { client, reply, session, request } = call;
      const { path, cr } = readEdited(request.query);
      const { space, writable, changeRequest } = await loadEditing(call, cr);
      if (changeRequest === undefined || path === '') return reply.code(404).send(renderNotFound(session));
      const source = await findSource(client, space.id, {
        path,
        ...(changeRequest !== null && { changeRequest: changeRequest.id }),
      });
      const problem = source?.problem ?? null;
      return sendEditor(reply, {
        frame: await loadSpaceFrame(client, space, session),
        path,
        page: source?.page ?? null,
        text: toEditable(source?.text ?? ''),
        oid: source?.oid ?? '',
        revision: source?.revision ?? '',
        changeRequest,
        writable,
        subject: subjectOf(source?.page?.title ?? path),
        preview: null,
        problem,
        news: newsOf(readText(request.query, 'done'), changeRequest),
      });
    }),
  );

  app.post(
    base,
    ownForm(context, FORM_LIMIT),
    signedIn<{ spaceId: string }>(context, async (call) => {
      const { client, reply, session, request } = call;
      const fields = readEdited(request.body);
      const text = readText(request.body, 'text', 2 * MAX_EDITED_LENGTH);
      const subject = readText(request.body, 'subject', 256);
      const opened = {
        oid: readText(request.body, 'oid', 64),
        revision: readText(request.body, 'revision', 64),
      };
      const action = readText(request.body, 'action');
      const { space, writable, changeRequest } = await loadEditing(call, fields.cr);
      const isScript = request.headers.accept?.includes('application/json') === true;
      if (changeRequest === undefined) {
        const sentence = `Change request ${fields.cr} was merged or archived, so it takes no more changes. Choose another one.`;
        if (isScript) return reply.code(409).type('application/json').send({ problem: sentence });
        return await again(sentence, { changeRequest: null });
      }
      if (action === 'preview') {
        return await again(null, {
          preview: await loadPreview(client, space.id, { ...fields, text, changeRequest }),
        });
      }
      const undecided = findConflict(text);
      if (undecided !== null) {
        const sentence = `Line ${undecided} begins a part with both versions, between <<<<<<< and >>>>>>>. Keep what is right, delete these marks, and save again.`;
        if (isScript) return reply.code(409).type('application/json').send({ problem: sentence });
        reply.code(409);
        return await again(sentence);
      }
      const open = async () =>
        changeRequest ?? (await openChangeRequest(client, space.id, subject || subjectOf(fields.path)));
      let saved: Saved;
      try {
        saved = await saveText(client, { spaceId: space.id, path: fields.path, text, ...opened }, open);
      } catch (error) {
        const { sentence, status } = readFormProblem(error);
        if (isScript) return reply.code(status).type('application/json').send({ problem: sentence });
        reply.code(status);
        return await again(sentence);
      }
      const into = saved.changeRequest ?? changeRequest;
      const reviewed = action === 'review' && saved.kind !== 'conflict' && into !== null;
      if (reviewed && into.status === 'draft') {
        const params = { spaceId: space.id, changeRequestId: into.id };
        await client.call(operations.updateChangeRequest, { params, body: { status: 'open' } });
      }
      const asked = reviewed ? `${changeRequestPath(space.id, into.number)}?done=asked#docloom-add` : null;
      if (isScript) {
        return reply
          .type('application/json')
          .send({ ...presentSaved(saved), ...(asked !== null && { reviewed: asked }) });
      }
      if (saved.kind === 'conflict') {
        const { current } = saved;
        reply.code(409);
        return await again(CONFLICT, {
          text: saved.text,
          oid: current.oid,
          revision: current.revision,
          changeRequest: saved.changeRequest,
        });
      }
      if (asked !== null) return reply.redirect(asked, 303);
      return reply.redirect(
        `${editPath(space.id, fields.path, into?.number ?? 'new')}&done=${saved.kind}`,
        303,
      );

      async function again(problem: string | null, other: Partial<EditorPage> = {}) {
        const into = other.changeRequest === undefined ? (changeRequest ?? null) : other.changeRequest;
        return sendEditor(reply, {
          frame: await loadSpaceFrame(client, space, session),
          path: fields.path,
          page: null,
          text: toEditable(text),
          ...opened,
          writable:
            into === null || writable.some(({ id }) => id === into.id) ? writable : [into, ...writable],
          subject,
          preview: null,
          problem,
          ...other,
          changeRequest: into,
        });
      }
    }),
  );

  app.post(
    `${base}/check`,
    ownForm(context, FORM_LIMIT),
    signedIn<{ spaceId: string }>(context, async ({ client, params: { spaceId }, request, reply }) => {
      const { path, cr } = readEdited(request.body);
      const text = readText(request.body, 'text', 2 * MAX_EDITED_LENGTH);
      const changeRequest = cr === 'new' || cr === '' ? null : { id: cr };
      try {
        const { body, checked } = await loadPreview(client, spaceId, { path, text, changeRequest });
        const { view: _view, ...verdicts } = checked;
        return reply.type('application/json').send({
          ...verdicts,
          html: renderPreviewBody(body, checked.view?.title ?? '').text,
          summary: renderChecked(checked).text,
        });
      } catch (error) {
        const { sentence, status } = readFormProblem(error);
        return reply.code(status).type('application/json').send({ problem: sentence });
      }
    }),
  );
}

const CONFLICT =
  'Somebody saved other changes of the same lines meanwhile. The text below has both versions, between <<<<<<< and >>>>>>>: keep what is right and save again. Nothing was lost.';

function newsOf(done: string, changeRequest: EditedIn): string | null {
  const where = changeRequest === null ? '' : ` in change request ${changeRequest.number}`;
  if (done === 'saved') return `Saved${where}. Readers see it when that is merged.`;
  if (done === 'merged') return `Saved${where}, together with what somebody else changed meanwhile.`;
  if (done === 'unchanged') return 'There was no change to save.';
  if (done === 'created') return `Created${where}.`;
  return null;
}

function subjectOf(title: string): string {
  return `Edit ${title.slice(title.lastIndexOf('/') + 1)}`.slice(0, 256);
}

/** What the script learns of a save. */
function presentSaved(saved: Saved) {
  const { kind, changeRequest } = saved;
  const source = saved.kind === 'conflict' ? saved.current : saved.source;
  return {
    kind,
    cr: changeRequest?.number ?? null,
    oid: source?.oid ?? '',
    revision: source?.revision ?? '',
    ...(saved.kind === 'conflict' && { text: saved.text, problem: CONFLICT }),
    ...(saved.kind === 'merged' && { text: toEditable(saved.source?.text ?? '') }),
  };
}

async function loadPreview(
  client: PlatformClient,
  spaceId: string,
  edited: {
    readonly path: string;
    readonly text: string;
    readonly changeRequest: { readonly id: string } | null;
  },
): Promise<NonNullable<EditorPage['preview']>> {
  const { path, text, changeRequest } = edited;
  const checked: CheckedText = await client.call(operations.checkText, {
    params: { spaceId },
    body: {
      path,
      text: toEditable(text),
      ...(changeRequest !== null && { changeRequest: changeRequest.id }),
    },
  });
  const { view, revision: revisionId } = checked;
  if (view === undefined)
    return {
      checked,
      body: { problem: 'This file is no page, so there is no preview of it.', source: text },
    };
  const { markdown, dialect, targets, operations: shown, privateSpecs = [] } = view;
  const body = await renderBody(
    { page: { markdown, dialect }, targets, operations: shown, privateSpecs },
    { spaceId, revisionId },
  );
  return { checked, body };
}

function sendEditor(reply: FastifyReply, page: Omit<EditorPage, 'nonce'>): FastifyReply {
  const nonce = randomBytes(16).toString('base64url');
  return reply
    .headers({ 'content-security-policy': editorPolicy(nonce), 'cache-control': 'no-store' })
    .send(renderEditor({ ...page, nonce }));
}
