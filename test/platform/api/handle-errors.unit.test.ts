import { fastify } from 'fastify';
import Type from 'typebox';
import { describe, expect, it } from 'vitest';
import { defineOperation } from '../../../src/contract/index.ts';
import { ApiError } from '../../../src/platform/api/api-error.ts';
import { handleErrors } from '../../../src/platform/api/handle-errors.ts';
import { PageNotRead } from '../../../src/threads/index.ts';

const operation = defineOperation({
  id: 'takeSlug',
  method: 'POST',
  path: '/slugs',
  tag: 'Slugs',
  summary: 'Take a slug.',
  responses: { 204: Type.Void() },
  errors: ['slug-taken'],
});

async function respond(error: Error, refuseUndeclaredErrors: boolean) {
  const log: string[] = [];
  const write = (_fields: object, message: string) => void log.push(message);
  const app = fastify();
  app.decorateRequest('platformRequestId', 'r1');
  handleErrors(app, { log: { info: write, warn: write, error: write }, refuseUndeclaredErrors });
  app.route({
    method: 'POST',
    url: '/slugs',
    config: { operation },
    handler: () => {
      throw error;
    },
  });
  return { response: await app.inject({ method: 'POST', url: '/slugs' }), log };
}

async function answer(error: ApiError, refuseUndeclaredErrors: boolean) {
  const { response, log } = await respond(error, refuseUndeclaredErrors);
  return { status: response.statusCode, reason: response.json().error.reason, log };
}

describe('an error that the operation declares', () => {
  it('is answered with its status and reason', async () => {
    const taken = new ApiError('slug-taken', 'The slug is taken.');
    expect(await answer(taken, true)).toEqual({ status: 409, reason: 'slug-taken', log: [] });
  });
});

describe('an error that the operation does not declare', () => {
  const undeclared = new ApiError('hostname-taken', 'The hostname is taken.');
  const logged = 'takeSlug does not declare the error hostname-taken';

  it('is answered as it is, and logged as an error', async () => {
    expect(await answer(undeclared, false)).toEqual({ status: 409, reason: 'hostname-taken', log: [logged] });
  });

  it('is answered as an internal error if undeclared errors are refused', async () => {
    const refused = { status: 500, reason: 'internal-error', log: [logged, 'request failed'] };
    expect(await answer(undeclared, true)).toEqual(refused);
  });
});

describe('a page for which the server has no thread at this moment', () => {
  it('is to be read again, and says when', async () => {
    const { response, log } = await respond(new PageNotRead('The server is busy.'), true);
    expect(response.headers['retry-after']).toBe('5');
    const error = { code: 503, reason: 'unavailable', message: 'The server is busy.' };
    expect([response.statusCode, response.json(), log]).toEqual([503, { error }, []]);
  });
});

describe('a body for an operation that accepts none', () => {
  it.each([
    { name: 'of another type', headers: { 'content-type': 'text/plain' }, payload: 'x' },
    { name: 'that is malformed', headers: { 'content-type': 'application/json' }, payload: '{' },
  ])('$name is an invalid request', async ({ headers, payload }) => {
    const app = fastify();
    app.decorateRequest('platformRequestId', 'r1');
    const ignore = () => undefined;
    handleErrors(app, { log: { info: ignore, warn: ignore, error: ignore }, refuseUndeclaredErrors: true });
    app.removeAllContentTypeParsers();
    app.addContentTypeParser(
      'application/json',
      { parseAs: 'string' },
      app.getDefaultJsonParser('error', 'error'),
    );
    app.route({ method: 'POST', url: '/slugs', config: { operation }, handler: async () => 'reached' });
    const response = await app.inject({ method: 'POST', url: '/slugs', headers, payload });
    expect(response.json().error).toMatchObject({ code: 400, reason: 'invalid-request' });
  });
});
