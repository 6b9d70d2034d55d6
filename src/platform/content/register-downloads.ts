import type { FastifyInstance, FastifyRequest } from 'fastify';
import { loadFile } from '../../store/files.ts';
import { authenticate } from '../access/authenticate.ts';
import { notFound } from '../api/api-error.ts';
import type { PlatformDeps } from '../deps.ts';
import { locateContent } from './locate-content.ts';

interface DownloadParams {
  readonly spaceId: string;
  readonly revisionId: string;
  readonly fileId: string;
}

/**
 * Serves the addresses that files name as their `downloadURL`: bytes in place of JSON, so no operation of the
 * contract. A file is somebody's content, so browsers are told to save it and to run nothing of it.
 */
export function registerDownloads(api: FastifyInstance, deps: PlatformDeps): void {
  api.get<{ Params: DownloadParams }>(
    '/spaces/:spaceId/revisions/:revisionId/files/:fileId/download',
    {
      onRequest: async (request: FastifyRequest) => {
        request.caller = await authenticate(deps.db, request.headers.authorization);
      },
    },
    async (request, reply) => {
      const { revision } = await locateContent(deps.db, request.caller, request.params);
      const file = await loadFile(deps.db, revision.id, request.params.fileId);
      if (!file || !(await deps.blobs.has(file.gitOid))) throw notFound('file with this id in this content');
      const etag = `"${file.gitOid}"`;
      reply.headers({
        etag,
        'cache-control': 'private, no-cache',
        'content-security-policy': "default-src 'none'; sandbox",
        'content-disposition': 'attachment',
        'x-content-type-options': 'nosniff',
      });
      if (request.headers['if-none-match'] === etag) return reply.code(304).send();
      return reply.type(file.contentType).send(Buffer.from(await deps.blobs.read(file.gitOid)));
    },
  );
}
