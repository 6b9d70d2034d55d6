import type { FastifyInstance } from 'fastify';
import { configJsonSchema } from '../../config/index.ts';

/** Where editors find the JSON Schema of `docloom.yml`. */
export const SCHEMA_PATH = '/schemas/docloom.json';

/** It says nothing of this server, so everybody may read it, from every page. */
export function registerSchema(app: FastifyInstance, { publicUrl }: { readonly publicUrl: string }): void {
  const schema = JSON.stringify(configJsonSchema(`${publicUrl.replace(/\/+$/, '')}${SCHEMA_PATH}`));
  app.get(SCHEMA_PATH, async (_request, reply) =>
    reply
      .type('application/schema+json; charset=utf-8')
      .headers({ 'cache-control': 'public, max-age=3600', 'access-control-allow-origin': '*' })
      .send(schema),
  );
}
