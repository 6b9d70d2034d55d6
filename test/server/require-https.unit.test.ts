import { fastify } from 'fastify';
import { expect, it } from 'vitest';
import { requireHttps } from '../../src/server/require-https.ts';

it.each([
  ['https://docs.example', 'max-age=31536000'],
  ['http://docs.example', undefined],
])(
  'tells browsers to stay with https only where the public address has it: %s',
  async (publicUrl, wanted) => {
    const app = fastify();
    requireHttps(app, publicUrl);
    await app.register(async (scope) => {
      scope.get('/page', async () => 'a page');
      scope.get('/fault', async () => {
        throw new Error('a fault');
      });
    });
    for (const path of ['/page', '/fault', '/missing']) {
      const { headers } = await app.inject(path);
      expect(headers['strict-transport-security'], path).toBe(wanted);
    }
    await app.close();
  },
);
