import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type File, operations, type PlatformClient } from '../../client/index.ts';
import { fileSecurityPolicy } from '../security-headers.ts';
import { type PagesContext, signedIn } from './signed-in.ts';

/** The largest file that is passed on to a browser, in bytes. */
const maximumBytes = 64 * 1024 * 1024;

/** What browsers show as a picture without running anything. Everything else is offered as a download. */
const shown: ReadonlySet<string> = new Set([
  'image/apng',
  'image/avif',
  'image/bmp',
  'image/gif',
  'image/jpeg',
  'image/png',
  'image/svg+xml',
  'image/webp',
  'image/x-icon',
]);

/**
 * `/spaces/:spaceId/files/:fileId`: a picture or download of a space, for who may see the space. A file is somebody's
 * content: it never runs as a page of this server, also when a browser opens it on its own.
 */
export function registerFile(app: FastifyInstance, context: PagesContext): void {
  app.get(
    '/spaces/:spaceId/files/:fileId',
    signedIn<{ spaceId: string; fileId: string }>(context, async ({ client, params, reply, request }) => {
      const file = await client.call(operations.getFile, { params });
      return await sendFile(client, file, { request, reply });
    }),
  );
}

/** Passes a file on to a browser. */
export async function sendFile(
  client: PlatformClient,
  file: File,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
): Promise<FastifyReply> {
  const etag = `"${file.git?.oid ?? file.id}"`;
  reply.headers({
    etag,
    'cache-control': 'private, no-cache',
    'content-security-policy': fileSecurityPolicy,
  });
  if (request.headers['if-none-match'] === etag) return reply.code(304).send();
  const { bytes } = await client.download(file, { maxBytes: maximumBytes });
  const type = file.contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  if (shown.has(type)) return reply.type(type).send(bytes);
  return reply
    .type('application/octet-stream')
    .header('content-disposition', `attachment; filename*=UTF-8''${encodeName(file.name)}`)
    .send(bytes);
}

/** A file name for a header (RFC 8187): the last part of the path, everything but plain characters encoded. */
function encodeName(name: string): string {
  const last = name.split('/').at(-1) ?? 'file';
  return encodeURIComponent(last.toWellFormed()).replace(
    /['()*!]/g,
    (one) => `%${one.charCodeAt(0).toString(16)}`,
  );
}
