import type { FastifyInstance } from 'fastify';
import {
  dashboardScript,
  editorScript,
  editorStyles,
  favicon,
  lookScript,
  stylesheet,
  treeScript,
} from '../stylesheet.ts';

/** Stylesheets, scripts and the icon. Their addresses change with their content, so browsers may cache them for a year. */
export function registerAssets(app: FastifyInstance): void {
  const assets = [
    stylesheet(),
    dashboardScript(),
    favicon(),
    editorScript(),
    editorStyles(),
    treeScript(),
    lookScript(),
  ];
  for (const { href, contentType, body } of assets.filter((asset) => asset !== null)) {
    app.get(href, async (_request, reply) =>
      reply.type(contentType).header('cache-control', 'public, max-age=31536000, immutable').send(body),
    );
  }
}
