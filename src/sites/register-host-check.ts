import type { FastifyInstance } from 'fastify';
import PQueue from 'p-queue';
import type { OrganizationRoots } from './organization-root.ts';
import type { SiteHosts } from './site-hosts.ts';

/** Questions that need the database, at once and waiting: anybody can make a proxy ask, by naming a host. */
const AT_ONCE = 1;
const MAX_WAITING = 50;

/** In seconds. */
const RETRY_AFTER = 5;

/**
 * `/api/hosts?domain=…`: whether requests for a host are answered here, so that a proxy gets certificates for no others.
 * Hosts of sites are known without the database.
 */
export function registerHostCheck(
  fastify: FastifyInstance,
  {
    hosts,
    roots,
    publicUrl,
  }: { readonly hosts: SiteHosts; readonly roots: OrganizationRoots; readonly publicUrl: string },
): void {
  const queue = new PQueue({ concurrency: AT_ONCE });
  const ownHost = new URL(publicUrl).hostname;

  fastify.get('/api/hosts', { compress: false }, async (request, reply) => {
    reply
      .headers({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' })
      .type('text/plain; charset=utf-8');
    const { domain } = request.query as { readonly domain?: unknown };
    if (typeof domain !== 'string' || domain === '' || domain.length > 253) {
      return reply.code(400).send('Name one host, as in /api/hosts?domain=docs.example.com.\n');
    }
    const host = domain.toLowerCase();
    const found = host === ownHost ? 'own' : hosts.find(host);
    if (found !== null && typeof found === 'object') {
      if (queue.size >= MAX_WAITING) {
        return reply
          .code(429)
          .header('retry-after', String(RETRY_AFTER))
          .send(`Too many hosts are asked for at this moment. Ask again in ${RETRY_AFTER} seconds.\n`);
      }
      if (!(await queue.add(() => roots.has(found.organization)))) return reply.code(404).send(NOT_HERE);
    }
    return found === null ? reply.code(404).send(NOT_HERE) : reply.send('This host is served here.\n');
  });
}

const NOT_HERE = 'This host is not served here.\n';
