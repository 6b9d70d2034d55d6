import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import {
  createClient,
  type PlatformClient,
  PlatformError,
  startGitOperation,
} from '../../src/client/index.ts';
import { operations } from '../../src/contract/index.ts';
import { createHttp } from '../../src/net/http.ts';

type Answer = { readonly status: number; readonly body?: unknown; readonly headers?: Record<string, string> };

interface Seen {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

const open: Server[] = [];
afterEach(() => {
  for (const server of open.splice(0)) server.close();
});

/** A server that gives these answers one after the other, and a client for it. */
async function serve(...answers: Answer[]): Promise<{ client: PlatformClient; seen: Seen[] }> {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    seen.push({ method: request.method, url: request.url, headers: request.headers, body });
    const { status, body: sent, headers } = answers[seen.length - 1] ?? { status: 500 };
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(sent === undefined ? undefined : typeof sent === 'string' ? sent : JSON.stringify(sent));
  });
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const http = createHttp({ userAgent: 'docloom-test', backoffMs: 1 });
  return { client: createClient({ baseUrl, token: 'dl_secret', http }), seen };
}

describe('a call', () => {
  it('puts parameters, query, body and token where they belong', async () => {
    const { client, seen } = await serve({ status: 204 }, { status: 200, body: { pages: [] } });
    const body = { url: 'https://forge.example/x.git', ref: 'refs/heads/main' };
    expect(await client.call(operations.importGit, { params: { spaceId: 'a b/c' }, body })).toBeUndefined();
    await client.call(operations.listPages, { params: { spaceId: 's' }, query: { metadata: false } });
    expect(seen[0]).toMatchObject({
      method: 'POST',
      url: '/v1/spaces/a%20b%2Fc/git/import',
      body: JSON.stringify(body),
      headers: { authorization: 'Bearer dl_secret', 'content-type': 'application/json' },
    });
    expect(seen[1]?.url).toBe('/v1/spaces/s/content/pages?metadata=false');
  });

  it.each(['', '.', '..'])('does not go out with the parameter %j', async (spaceId) => {
    const { client, seen } = await serve();
    await expect(client.call(operations.getSpace, { params: { spaceId } })).rejects.toThrow('params.spaceId');
    expect(seen).toEqual([]);
  });

  const failures: { name: string; answer: Answer; error: object }[] = [
    {
      name: "the platform's own error",
      answer: {
        status: 400,
        headers: { 'x-request-id': 'r1' },
        body: {
          error: {
            code: 400,
            reason: 'invalid-request',
            message: 'No.',
            details: [{ path: '/body/title', message: 'is missing' }],
          },
        },
      },
      error: {
        status: 400,
        code: 400,
        reason: 'invalid-request',
        message: 'No.',
        requestId: 'r1',
        retryable: false,
      },
    },
    {
      name: 'a page of a proxy',
      answer: { status: 500, body: '<html>', headers: { 'content-type': 'text/html' } },
      error: { status: 500, retryable: true, reason: null, requestId: null },
    },
    { name: 'a success of another kind', answer: { status: 201, body: {} }, error: { status: 201 } },
  ];

  it.each(failures)('throws for $name', async ({ answer, error }) => {
    const { client } = await serve(answer, answer, answer);
    const thrown = await client.call(operations.getUser, {}).catch((reason: unknown) => reason);
    expect(thrown).toBeInstanceOf(PlatformError);
    expect(thrown).toMatchObject(error);
    expect((thrown as Error).message).not.toContain('dl_secret');
  });
});

describe('the start of an import or export', () => {
  const body = { url: 'https://forge.example/x.git', ref: 'refs/heads/main', commitMessage: 'Docs' };

  it('returns the id that the header of the answer names', async () => {
    const { client, seen } = await serve({ status: 204, headers: { 'docloom-operation': 'op1' } });
    expect(await startGitOperation(client, 's', { direction: 'export', body })).toBe('op1');
    expect(seen).toHaveLength(1);
  });

  it('finds the operation in the list of a platform that does not name it', async () => {
    const items = [
      { id: 'other', direction: 'import', ref: 'refs/heads/next' },
      { id: 'back', direction: 'import', ref: 'refs/heads/main' },
      { id: 'ours', direction: 'export', ref: 'refs/heads/main' },
      { id: 'older', direction: 'export', ref: 'refs/heads/main' },
    ];
    const { client, seen } = await serve({ status: 204 }, { status: 200, body: { items } });
    expect(await startGitOperation(client, 's', { direction: 'export', body })).toBe('ours');
    expect(seen[1]?.url).toBe('/v1/spaces/s/git/operations');
  });

  it('says so when the platform neither names nor lists it', async () => {
    const { client } = await serve({ status: 204 }, { status: 200, body: { items: [] } });
    await expect(startGitOperation(client, 's', { direction: 'export', body })).rejects.toThrow(
      'neither named nor listed',
    );
  });
});

describe('a walk through a list', () => {
  it('asks for page after page, with the same query', async () => {
    const { client, seen } = await serve(
      { status: 200, body: { count: 3, items: [{ id: '1' }, { id: '2' }], next: { page: 'p 2' } } },
      { status: 200, body: { count: 3, items: [{ id: '3' }] } },
    );
    const ids: string[] = [];
    for await (const one of client.paginate(operations.listOrganizations, { query: { limit: 2 } }))
      ids.push(one.id);
    expect(ids).toEqual(['1', '2', '3']);
    expect(seen.map((one) => one.url)).toEqual(['/v1/orgs?limit=2', '/v1/orgs?limit=2&page=p+2']);
  });
});
