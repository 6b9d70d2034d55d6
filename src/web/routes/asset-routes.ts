import type { FastifyInstance } from 'fastify';
import { dashboardScript, favicon, stylesheet } from '../stylesheet.ts';

/** The stylesheet, the script and the icon. Their addresses change with their content, so browsers may cache them for a year. */
export function registerAssets(app: FastifyInstance): void {
  for (const { href, contentType, body } of [stylesheet(), dashboardScript(), favicon()]) {
    app.get(href, async (_request, reply) =>
      reply.type(contentType).header('cache-control', 'public, max-age=31536000, immutable').send(body),
    );
  }
}
