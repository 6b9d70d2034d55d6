import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type File, operations, type PlatformClient } from '../../client/index.ts';
import { fileHeaders, fileSecurityPolicy } from '../../markup/index.ts';
import { namesTag } from '../entity-tags.ts';
import { type PagesContext, signedIn } from './signed-in.ts';

/** The size of the largest file that is served, in bytes. */
const maximumBytes = 64 * 1024 * 1024;

/**
 * `/spaces/:spaceId/files/:fileId`: a picture or download, for people who may see the space. Files are content of others:
 * they never run as pages of this server, not even when a browser opens one on its own.
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

/** Sends a file's bytes to a browser, or 304 if the browser has them already. */
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
  if (namesTag(request.headers['if-none-match'], etag)) return reply.code(304).send();
  const { bytes } = await client.download(file, { maxBytes: maximumBytes });
  return reply.headers(fileHeaders(file)).send(bytes);
}
