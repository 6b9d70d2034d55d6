import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId, tables } from '../../src/store/index.ts';
import { startSites, type TestSites } from './start-sites.ts';

const VISITOR_KEY = 'a-key-of-the-site-0123456789abcdef';
const LONG = 'All work and no play. '.repeat(6_000);

let sites: TestSites;
let url: string;

beforeAll(async () => {
  sites = await startSites();
  const { platform } = sites;
  const spaceId = await platform.createSpace('Guide');
  const { repo, url: repoUrl } = await platform.createRepo('guide');
  await repo.commit({
    'README.md': '# Welcome\n\nThe quokka is shy.\n',
    'deep/page.md': '# Second\n\n## The quokka\n\nIt eats leaves.\n\n## Another quokka\n\nIt sleeps.\n',
    'long.md': `# Long\n\n${LONG}\n`,
    'secret.md': '---\nhidden: true\n---\n\n# The hidden quokka\n',
  });
  await platform.importBranch(spaceId, { url: repoUrl, ref: 'refs/heads/main' });
  await sites.addSpace(await sites.createSite('docs'), spaceId);
  const closed = await sites.createSite('closed', { visibility: 'visitor-auth' });
  await sites.addSpace(closed, spaceId);
  const { db, sealer } = platform.deps;
  const sealedKey = sealer.seal(VISITOR_KEY);
  await db.insert(tables.siteVisitorKeys).values({ id: newId(), siteId: closed.id, sealedKey });
  url = await sites.listen();
});
afterAll(() => sites.close());

async function connect(site: string, headers: Readonly<Record<string, string>> = {}): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  const address = new URL(`/s/acme/${site}/~/mcp`, url);
  await client.connect(new StreamableHTTPClientTransport(address, { requestInit: { headers } }));
  return client;
}

async function call(client: Client, name: string, values: Record<string, unknown>): Promise<string> {
  const { content } = await client.callTool({ name, arguments: values });
  return (content as { readonly text: string }[]).map(({ text }) => text).join('');
}

describe('a client of the Model Context Protocol', () => {
  test('learns what the site offers', async () => {
    const client = await connect('docs');
    await client.ping();
    expect(client.getServerVersion()?.title).toBe('Acme Docs');
    expect(client.getInstructions()).toContain('Acme Docs');
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['search', 'ask', 'getPage']);
    await client.close();
  });

  test('finds the best section of each page, and reads the page at its address', async () => {
    const client = await connect('docs');
    const found = await call(client, 'search', { query: 'quokka' });
    const addresses = [...found.matchAll(/^http\S+$/gm)].map(([address]) => address);
    const root = `${sites.platform.deps.publicUrl}/s/acme/docs`;
    expect(addresses.map((address) => address.replace(/#.*/, '')).toSorted()).toEqual([
      root,
      `${root}/deep/page`,
    ]);
    expect(found).not.toContain('hidden');
    for (const address of addresses) {
      expect(await call(client, 'getPage', { address })).toMatch(/^# (Welcome|Second)\n/);
    }
    for (const address of ['deep/page', '/s/acme/docs/deep/page', `${root}/deep/page.md`])
      expect(await call(client, 'getPage', { address })).toMatch(/^# Second\n/);
    await client.close();
  });

  test('reads a long page in parts', async () => {
    const client = await connect('docs');
    const first = await call(client, 'getPage', { address: 'long' });
    expect(first).toContain('(Part 1 of 3 of this page.)');
    const last = await call(client, 'getPage', { address: 'long', part: 3 });
    expect(last.length + 2 * 50_000).toBeGreaterThan(LONG.length);
    await client.close();
  });

  test.each([
    ['getPage', { address: 'nowhere' }, 'There is no page at this address.'],
    ['getPage', { address: 'https://example.com/deep/page' }, 'There is no page at this address.'],
    ['getPage', { address: 'long', part: 4 }, 'from 1 to 3'],
    ['getPage', {}, 'The argument “address” is missing.'],
    ['search', { query: 'quokka', limit: 5 }, 'There is no argument "limit".'],
    ['search', { query: 7 }, 'must be a text'],
  ])('is told what is wrong with %s(%j)', async (name, values, sentence) => {
    const client = await connect('docs');
    const result = await client.callTool({ name, arguments: values });
    expect(result.isError).toBe(true);
    expect(JSON.stringify(result.content)).toContain(sentence.replaceAll('"', '\\"'));
    await client.close();
  });

  test('is shown the address by a person’s browser', async () => {
    const { statusCode, body } = await sites.get('/s/acme/docs/~/mcp', { accept: 'text/html' });
    expect(statusCode).toBe(200);
    expect(body).toContain(`${sites.platform.deps.publicUrl}/s/acme/docs/~/mcp</code>`);
  });

  test('needs the token of a visitor where pages do', async () => {
    await expect(connect('closed')).rejects.toThrow('send their sign-in token as “Authorization: Bearer”');
    const token = await new SignJWT({})
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime('1h')
      .sign(new TextEncoder().encode(VISITOR_KEY));
    await expect(connect('closed', { authorization: `Bearer ${token}x` })).rejects.toThrow();
    const client = await connect('closed', { authorization: `Bearer ${token}` });
    expect(await call(client, 'getPage', { address: 'deep/page' })).toMatch(/^# Second\n/);
    await client.close();
  });
});

describe('a message', () => {
  const post = (payload: string, headers = {}) =>
    sites.post('/s/acme/docs/~/mcp', payload, { 'content-type': 'application/json', ...headers });

  test.each([
    ['{', 200, -32700],
    ['[]', 200, -32600],
    ['null', 200, -32700],
    ['{"jsonrpc":"1.0","id":1,"method":"ping"}', 200, -32600],
    ['{"jsonrpc":"2.0","id":{},"method":"ping"}', 200, -32600],
    ['{"jsonrpc":"2.0","id":1,"method":"resources/list"}', 200, -32601],
    ['{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"constructor"}}', 200, -32602],
    ['{"jsonrpc":"2.0","method":"notifications/initialized"}', 202, undefined],
    ['{"jsonrpc":"2.0","id":1,"result":{}}', 202, undefined],
  ])('%s is answered %i, %s', async (payload, status, code) => {
    const { statusCode, body } = await post(payload);
    expect(statusCode).toBe(status);
    expect(body === '' ? undefined : JSON.parse(body).error.code).toBe(code);
  });

  test('of another site’s page, of another version and of too many bytes is refused', async () => {
    const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
    expect((await post(ping, { origin: 'https://evil.example' })).statusCode).toBe(403);
    expect((await post(ping, { origin: sites.platform.deps.publicUrl })).statusCode).toBe(200);
    expect((await post(ping, { 'mcp-protocol-version': '1999-01-01' })).statusCode).toBe(400);
    expect((await post(' '.repeat(70_000))).statusCode).toBe(413);
    const { statusCode, headers } = await sites.get('/s/acme/docs/~/mcp');
    expect([statusCode, headers.allow]).toEqual([405, 'POST']);
    expect((await sites.post('/s/acme/docs', ping, { 'content-type': 'application/json' })).statusCode).toBe(
      404,
    );
  });
});
