import type { FastifyInstance } from 'fastify';

/**
 * One year. Without `includeSubDomains` and `preload`: other names of the domain are not this server's to decide about, and
 * a list that is built into browsers cannot be left quickly.
 */
const STRICT_TRANSPORT = 'max-age=31536000';

/** Where `publicUrl` is https, every answer tells browsers to use nothing else for this host (RFC 6797). */
export function requireHttps(fastify: FastifyInstance, publicUrl: string): void {
  if (new URL(publicUrl).protocol !== 'https:') return;
  fastify.addHook('onRequest', (_request, reply, done) => {
    reply.header('strict-transport-security', STRICT_TRANSPORT);
    done();
  });
}
