import type { FastifyInstance, FastifyReply } from 'fastify';
import { operations, type PlatformClient, PlatformError } from '../../client/index.ts';
import { editPath } from '../addresses.ts';
import { openChangeRequest } from '../editing/open-change-requests.ts';
import { checkUpload, MAX_UPLOAD_BYTES, numbered } from '../editing/uploaded-file.ts';
import { renderMessage } from '../views/message-view.ts';
import { loadEditing } from './edit-routes.ts';
import { readFormProblem } from './form-problem.ts';
import { ownForm } from './own-forms.ts';
import { type PagesContext, type SignedIn, signedIn } from './signed-in.ts';

/** Names that are tried when those before are taken. */
const MAX_NUMBER = 50;

/** `/spaces/:spaceId/edit/files`: stores a picture beside a page, in a change request. */
export function registerUploads(app: FastifyInstance, context: PagesContext): void {
  app.addContentTypeParser(
    'multipart/form-data',
    { parseAs: 'buffer', bodyLimit: MAX_UPLOAD_BYTES + 64 * 1024 },
    (_request, body, done) => done(null, body),
  );
  app.post(
    '/spaces/:spaceId/edit/files',
    ownForm(context, MAX_UPLOAD_BYTES + 64 * 1024),
    signedIn<{ spaceId: string }>(context, async (call) => {
      const form = await readForm(call);
      const isScript = call.request.headers.accept?.includes('application/json') === true;
      const refuse = (status: number, problem: string) => refuseUpload(call, { isScript, status, problem });
      if (form === null) return refuse(400, 'No file was sent. Choose one and try again.');
      const upload = checkUpload(form.file, context.now());
      if ('problem' in upload) return refuse(400, upload.problem);
      const { client } = call;
      const { space, changeRequest } = await loadEditing(call, form.cr);
      if (changeRequest === undefined)
        return refuse(409, 'That change request takes no more changes. Choose another one.');
      try {
        const into =
          changeRequest ?? (await openChangeRequest(client, space.id, form.subject || `Edit ${form.path}`));
        const folder = form.path.slice(0, form.path.lastIndexOf('/') + 1);
        const name = await store(client, { spaceId: space.id, changeRequestId: into.id }, folder, upload);
        const reference = referenceTo(name, upload.isPicture);
        if (isScript)
          return call.reply
            .type('application/json')
            .send({ cr: into.number, file: `${folder}${name}`, reference });
        return call.reply.send(
          renderMessage({
            title: 'Uploaded',
            sentence: `${folder}${name} is in change request ${into.number}. Write this into the text of the page: ${reference}`,
            link: { path: editPath(space.id, form.path, into.number), label: 'Back to the text' },
            user: call.session,
          }),
        );
      } catch (error) {
        const { sentence, status } = readFormProblem(error);
        return refuse(status, sentence);
      }
    }),
  );
}

/** Writes the file under the first name that is free. */
async function store(
  client: PlatformClient,
  params: { readonly spaceId: string; readonly changeRequestId: string },
  folder: string,
  { name, bytes }: { readonly name: string; readonly bytes: Buffer },
): Promise<string> {
  const base64 = bytes.toString('base64');
  for (let number = 1; ; number++) {
    const free = numbered(name, number);
    try {
      const change = { type: 'upload', path: `${folder}${free}`, base64, expected: '' } as const;
      await client.call(operations.changeContent, { params, body: { changes: [change] } });
      return free;
    } catch (error) {
      const isTaken = error instanceof PlatformError && error.reason === 'file-changed';
      if (!isTaken || number === MAX_NUMBER) throw error;
    }
  }
}

/** The file is beside the page, so its name leads there in every format. */
function referenceTo(name: string, isPicture: boolean): string {
  const words = name.replace(/\.[^.]*$/, '').replaceAll('-', ' ');
  return isPicture ? `![${words}](${encodeURI(name)})` : `[${words}](${encodeURI(name)})`;
}

async function readForm({ request }: SignedIn<unknown>) {
  const type = request.headers['content-type'];
  if (!Buffer.isBuffer(request.body) || type === undefined) return null;
  let form: FormData;
  try {
    form = await new Response(request.body as BodyInit, { headers: { 'content-type': type } }).formData();
  } catch {
    return null;
  }
  const text = (name: string, longest: number) => {
    const value = form.get(name);
    return typeof value === 'string' ? value.slice(0, longest) : '';
  };
  const file = form.get('file');
  if (file === null || typeof file === 'string') return null;
  return {
    path: text('path', 1024),
    cr: text('cr', 100),
    subject: text('subject', 256),
    file: { name: file.name.slice(0, 300), bytes: Buffer.from(await file.arrayBuffer()) },
  };
}

function refuseUpload(
  { reply, session, params }: SignedIn<{ readonly spaceId: string }>,
  answer: { readonly isScript: boolean; readonly status: number; readonly problem: string },
): FastifyReply {
  const { isScript, status, problem } = answer;
  if (isScript) return reply.code(status).type('application/json').send({ problem });
  const link = { path: `/spaces/${encodeURIComponent(params.spaceId)}`, label: 'Go to the space' };
  return reply
    .code(status)
    .send(renderMessage({ title: 'Not uploaded', sentence: problem, link, user: session }));
}
