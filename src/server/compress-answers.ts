import { constants } from 'node:zlib';
import compress from '@fastify/compress';
import type { FastifyInstance, onSendHookHandler } from 'fastify';

/** In bytes: what is smaller fits into one packet anyway. */
const THRESHOLD = 1024;

/**
 * Compresses the answers of all routes that are registered afterwards, with Brotli or gzip, as the caller accepts. A route
 * whose answer has private text beside words from its address says `compress: false`: from the length of such answers,
 * whoever reads the line learns what they contain (BREACH). So do routes that serve parts of files. Bodies of requests are
 * never decompressed: a small one could expand without limit.
 */
export async function compressAnswers(fastify: FastifyInstance): Promise<void> {
  await fastify.register(compress, {
    encodings: ['br', 'gzip'],
    globalDecompression: false,
    threshold: THRESHOLD,
    // Brotli's default quality takes a hundred times as long as this one.
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
  });
  // After the hook of the same kind that the plugin adds to each route.
  fastify.addHook('onRoute', (route) => {
    route.onSend = [route.onSend ?? [], weakenTag].flat();
  });
}

/** Compressed bytes are not those that a strong `ETag` names (RFC 9110, section 8.8.3.3). */
const weakenTag: onSendHookHandler = (_request, reply, payload, done) => {
  const tag = reply.getHeader('etag');
  if (reply.hasHeader('content-encoding') && typeof tag === 'string' && tag.startsWith('"'))
    reply.header('etag', `W/${tag}`);
  done(null, payload);
};
