import type { FastifyInstance } from 'fastify';
import { configJsonSchema } from '../../config/index.ts';

/** The JSON Schema of `docloom.yml`, for editors. */
export const SCHEMA_PATH = '/schemas/docloom.json';

/** The schema reveals nothing about this server, so everybody may read it, from the pages of any site. */
export function registerSchema(app: FastifyInstance, { publicUrl }: { readonly publicUrl: string }): void {
  const schema = JSON.stringify(configJsonSchema(`${publicUrl.replace(/\/+$/, '')}${SCHEMA_PATH}`));
  app.get(SCHEMA_PATH, async (_request, reply) =>
    reply
      .type('application/schema+json; charset=utf-8')
      .headers({ 'cache-control': 'public, max-age=3600', 'access-control-allow-origin': '*' })
      .send(schema),
  );
}
