import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { operations } from '../../src/contract/index.ts';
import { createToken, listTokens, revokeToken } from '../../src/platform/index.ts';
import { createMember } from './create-member.ts';
import { startPlatform, type TestPlatform } from './start-platform.ts';

let platform: TestPlatform;
let spaceId: string;
/** Ids of what is there, by the name of the parameter. */
let known: Readonly<Record<string, string>>;
/** Those that differ below a change request. */
let inChangeRequest: Readonly<Record<string, string>>;
beforeAll(async () => {
  platform = await startPlatform({ withJobs: false });
  spaceId = await platform.createSpace('Rules');
  const { organizationId } = platform;
  const below = `/orgs/${organizationId}`;
  const [collection, team, member] = await Promise.all([
    platform.api('POST', `${below}/collections`, { body: { title: 'Rules' } }),
    platform.api('PUT', `${below}/teams`, { body: { title: 'Rules' } }),
    createMember(platform, 'Reader', { role: 'read' }),
  ]);
  const site = await platform.api('POST', `${below}/sites`, {
    body: { title: 'Rules', visibility: 'public' },
  });
  const changeRequest = await platform.api('POST', `/spaces/${spaceId}/change-requests`, { body: {} });
  const comments = [
    `/spaces/${spaceId}/comments`,
    `/spaces/${spaceId}/change-requests/${changeRequest.body.id}/comments`,
  ];
  const [comment, commentInChangeRequest] = await Promise.all(
    comments.map((path) => platform.api('POST', path, { body: { body: { markdown: 'Rules' } } })),
  );
  inChangeRequest = { commentId: commentInChangeRequest?.body.id };
  known = {
    organizationId,
    spaceId,
    collectionId: collection.body.id,
    teamId: team.body.id,
    userId: member.userId,
    siteId: site.body.id,
    siteSectionGroupId: noSuch,
    siteSpaceId: noSuch,
    changeRequestId: changeRequest.body.id,
    commentId: comment?.body.id,
  };
});
afterAll(() => platform.close());

const noSuch = 'a'.repeat(20);

describe('every operation', () => {
  const guarded = Object.values(operations).filter((operation) => !operation.open);

  it.each(guarded)('$id refuses who has no token', async ({ method, path }) => {
    const address = path.replaceAll(/:[A-Za-z]+/g, noSuch);
    const { status, headers, body } = await platform.api(method, address, { token: null });
    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toBe('Bearer');
    expect(body.error.code).toBe(401);
  });

  const inSpace = guarded.filter((one) => one.path.includes(':spaceId') && one.method === 'GET');

  it.each(inSpace)('$id answers 404 for a space that is not there', async ({ method, path, query }) => {
    // What a query must have is asked for first: a request that is not valid is told so, wherever it points.
    const needed = (query.required ?? []).map((name: string) => `${name}=x`).join('&');
    const { status } = await platform.api(method, `${path.replaceAll(/:[A-Za-z]+/g, noSuch)}?${needed}`);
    expect(status).toBe(404);
  });

  const deleting = guarded.filter((one) => one.method === 'DELETE');

  it.each(deleting)('$id answers 204 for what is not there', async ({ method, path }) => {
    // Only what the last id names is unknown.
    const ids = path.includes(':changeRequestId') ? { ...known, ...inChangeRequest } : known;
    const address = path
      .replaceAll(/:([A-Za-z]+)(?=\/)/g, (whole: string, name: string) => ids[name] ?? whole)
      .replace(/:emailDomain$/, 'absent.example')
      .replace(/:[A-Za-z]+$/, noSuch);
    const { status } = await platform.api(method, address);
    expect(status).toBe(204);
  });
});

test.each(['query=%00', 'query=a%00b'])(
  'a query %s, which the database cannot read, is refused',
  async (query) => {
    const { status, body } = await platform.api('GET', `/spaces/${spaceId}/search?${query}`);
    expect([status, body.error.reason]).toEqual([400, 'invalid-request']);
  },
);

describe('tokens', () => {
  it('are rejected if they are malformed, unknown or revoked', async () => {
    const { id, token } = await createToken(platform.deps.db, { name: 'short', role: 'read' });
    expect((await platform.api('GET', '/user', { token })).status).toBe(200);
    await revokeToken(platform.deps.db, id);
    for (const bad of [token, `${token}x`, 'nonsense', token.replace('dl_', 'xx_')]) {
      expect((await platform.api('GET', '/user', { token: bad })).status).toBe(401);
    }
  });

  it('expire in a year, or when it was said, and then say so', async () => {
    const { db } = platform.deps;
    const { expiresAt } = await createToken(db, { name: 'year', role: 'read' });
    const days = ((expiresAt?.getTime() ?? 0) - Date.now()) / (24 * 60 * 60 * 1000);
    expect(Math.round(days)).toBeGreaterThanOrEqual(365);
    expect(days).toBeLessThanOrEqual(366);
    const past = new Date(Date.now() - 1000);
    const { token } = await createToken(db, { name: 'past', role: 'read', expiresAt: past });
    const { status, body, headers } = await platform.api('GET', '/user', { token });
    expect([status, body.error.reason, headers.get('www-authenticate')]).toEqual([
      401,
      'token-expired',
      'Bearer',
    ]);
    expect(body.error.message).toBe(
      `The token expired at ${past.toISOString()}; create one with docloom token create.`,
    );
  });

  it('are listed completely, however many there are', async () => {
    const { db } = platform.deps;
    const { rows } = await platform.database.store.pool.query(
      'select count(*)::int as count from api_tokens',
    );
    await platform.database.store.pool.query(`
      insert into api_tokens (id, user_id, name, hash, created_at)
      select 'many-' || n, (select id from users limit 1), 'many', 'many-' || n, now() - interval '1 day'
      from generate_series(1, 2001) n`);
    const ids = await Array.fromAsync(listTokens(db), ({ id }) => id);
    expect([ids.length, new Set(ids).size]).toEqual([rows[0].count + 2001, rows[0].count + 2001]);
    await platform.database.store.pool.query("delete from api_tokens where name = 'many'");
  });

  it('are stored only as hashes', async () => {
    const { rows } = await platform.database.store.pool.query('select * from api_tokens');
    expect(JSON.stringify(rows)).not.toContain(platform.token);
  });

  it('that are bound to an organization neither see nor create another', async () => {
    const made = await platform.api('POST', '/orgs', { body: { title: 'Other' } });
    expect(made.status).toBe(201);
    const { token } = await createToken(platform.deps.db, {
      name: 'b',
      organization: 'Other',
      role: 'admin',
    });
    const orgs = (await platform.api('GET', '/orgs', { token })).body;
    expect(orgs.items.map((one: { title: string }) => one.title)).toEqual(['Other']);
    expect((await platform.api('GET', `/orgs/${platform.organizationId}`, { token })).status).toBe(404);
    expect((await platform.api('GET', `/spaces/${spaceId}`, { token })).status).toBe(404);
    expect((await platform.api('DELETE', `/spaces/${spaceId}`, { token })).status).toBe(204);
    expect((await platform.api('GET', `/spaces/${spaceId}`)).status).toBe(200);
    expect((await platform.api('POST', '/orgs', { token, body: { title: 'Third' } })).status).toBe(403);
  });
});

describe('roles', () => {
  const importBody = { url: 'https://forge.example/x.git', ref: 'refs/heads/main' };
  // The role, then the statuses of: read, create a space, import, change, delete.
  const matrix = [
    { role: 'read', statuses: [200, 403, 403, 403, 403] },
    { role: 'comment', statuses: [200, 403, 403, 403, 403] },
    { role: 'edit', statuses: [200, 403, 403, 403, 403] },
    { role: 'review', statuses: [200, 403, 403, 403, 403] },
    { role: 'create', statuses: [200, 201, 204, 403, 403] },
    { role: 'admin', statuses: [200, 201, 204, 200, 204] },
  ] as const;

  it.each(matrix)('$role', async ({ role, statuses }) => {
    const own = await platform.createSpace(`For ${role}`);
    const { token } = await createToken(platform.deps.db, { name: role, role });
    const { api, organizationId } = platform;
    const read = await api('GET', `/spaces/${own}`, { token });
    const made = await api('POST', `/orgs/${organizationId}/spaces`, { token, body: { title: 'New' } });
    const imported = await api('POST', `/spaces/${own}/git/import`, { token, body: importBody });
    const changed = await api('PATCH', `/spaces/${own}`, { token, body: { title: 'Renamed' } });
    const deleted = await api('DELETE', `/spaces/${own}`, { token });
    expect([read, made, imported, changed, deleted].map((answer) => answer.status)).toEqual(statuses);
    // What `permissions` says is what happened.
    const { permissions } = read.body;
    expect(permissions.triggerGitSync).toBe(imported.status === 204);
    expect(permissions.admin).toBe(changed.status === 200);
  });
});

describe('requests that reach no operation', () => {
  const cases = [
    { method: 'PUT', path: '/orgs', status: 405, reason: 'method-not-allowed', allow: 'GET, HEAD, POST' },
    { method: 'POST', path: '/user', status: 405, reason: 'method-not-allowed', allow: 'GET, HEAD' },
    { method: 'PATCH', path: '/user/', status: 405, reason: 'method-not-allowed', allow: 'GET, HEAD' },
    { method: 'OPTIONS', path: '/user', status: 405, reason: 'method-not-allowed', allow: 'GET, HEAD' },
    { method: 'GET', path: '/users', status: 404, reason: 'not-found', allow: null },
    { method: 'GET', path: '/spaces/%zz', status: 400, reason: 'malformed-request', allow: null },
    { method: 'GET', path: '/spaces/%', status: 400, reason: 'malformed-request', allow: null },
    { method: 'GET', path: '/spaces/%c3', status: 400, reason: 'malformed-request', allow: null },
    {
      method: 'GET',
      path: `/spaces/${'a'.repeat(5_000)}`,
      status: 400,
      reason: 'malformed-request',
      allow: null,
    },
  ];

  it.each(cases)('$method $path → $status $reason', async ({ method, path, status, reason, allow }) => {
    const answer = await platform.api(method, path);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('allow')).toBe(allow);
    expect(answer.headers.get('x-request-id')).toMatch(/^[\w-]{20}$/);
    expect(answer.body.error).toEqual({
      code: status,
      reason,
      message: expect.stringMatching(/^[A-Z].*\.$/),
    });
  });

  it.each([
    { sent: 'NONSENSE\r\n\r\n', status: 400, reason: 'malformed-request' },
    {
      sent: `GET /v1/user HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
      status: 431,
      reason: 'headers-too-large',
    },
  ])('a request that is no HTTP → $status $reason', async ({ sent, status, reason }) => {
    const { hostname, port } = new URL(platform.url);
    const socket = connect(Number(port), hostname);
    socket.write(sent);
    const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
    expect(head).toContain(`HTTP/1.1 ${status} `);
    expect(JSON.parse(body).error).toMatchObject({ code: status, reason });
  });

  it('do not include a path with a trailing slash', async () => {
    expect((await platform.api('GET', '/user/')).status).toBe(200);
    expect((await platform.api('GET', `/spaces/${spaceId}/?shareKey=x`)).status).toBe(200);
  });
});

describe('messages about mistakes', () => {
  const cases: { field: string; send: () => [string, string, object?]; message: string }[] = [
    {
      field: 'limit',
      send: () => ['GET', '/orgs?limit=1.5'],
      message: 'The field limit of the query must be an integer from 1 to 1000.',
    },
    ...['0', '1001', '1e2', '0x10', '+5', '%205', '', '5&limit=6'].map((limit) => ({
      field: `limit ${limit}`,
      send: (): [string, string] => ['GET', `/orgs?limit=${limit}`],
      message: 'The field limit of the query must be an integer from 1 to 1000.',
    })),
    {
      field: 'boolean',
      send: () => ['GET', `/orgs/${platform.organizationId}/collections?nested=1`],
      message: 'The field nested of the query must be a boolean.',
    },
    {
      field: 'empty body',
      send: () => ['PATCH', `/spaces/${spaceId}`, { headers: { 'content-type': 'application/json' } }],
      message: 'The body is missing: send a JSON object.',
    },
    {
      field: 'body of another type',
      send: () => ['PATCH', `/spaces/${spaceId}`, { body: '[]' }],
      message: 'The body must be an object.',
    },
    {
      field: 'ref',
      send: () => [
        'POST',
        `/spaces/${spaceId}/git/import`,
        { body: { url: 'https://forge.example/x', ref: 'main' } },
      ],
      message: 'The field ref of the body must be a branch: write refs/heads/main for the branch main.',
    },
    {
      field: 'several',
      send: () => ['PATCH', `/spaces/${spaceId}`, { body: { titel: 'x', title: '', editMode: 'open' } }],
      message: 'The field titel of the body is not known here.',
    },
    {
      field: 'hostname',
      send: () => ['PATCH', `/orgs/${platform.organizationId}`, { body: { hostname: 'Docs.example' } }],
      message:
        'The field hostname of the body must be small letters, digits and hyphens, with no hyphen at the start or end.',
    },
    {
      field: 'alternative with null',
      send: () => ['PATCH', `/orgs/${platform.organizationId}`, { body: { defaultRole: 'owner' } }],
      message: 'The field defaultRole of the body must be admin, create, review, edit, comment or read.',
    },
    {
      field: 'alternative of objects',
      send: () => [
        'POST',
        `/spaces/${spaceId}/move`,
        { body: { position: { before: { type: 'collection', space: 'x' } } } },
      ],
      message: 'The field position.before.collection of the body is missing.',
    },
    {
      field: 'alternative in a list',
      send: () => [
        'POST',
        `/spaces/${spaceId}/change-requests/1/content`,
        {
          body: {
            changes: [
              { type: 'write', path: 'a.md', text: 'x' },
              { type: 'move', from: 'a.md', too: 'b.md' },
            ],
          },
        },
      ],
      message: 'The field changes.1.to of the body is missing.',
    },
    {
      field: 'source',
      send: () => [
        'POST',
        `/orgs/${platform.organizationId}/openapi`,
        { body: { slug: 'a b', source: { url: 'nowhere' } } },
      ],
      message:
        'The field slug of the body must be letters and digits with single hyphens between them, for example pet-store.',
    },
    ...['', ' ', 'a\nb', 'a\u2028b', '\u200b\u2060', '\u2800 \u3164', '\u202e'].map((title) => ({
      field: `title ${JSON.stringify(title)}`,
      send: (): [string, string, object] => ['PATCH', `/spaces/${spaceId}`, { body: { title } }],
      message: 'The field title of the body must be one line that is not blank.',
    })),
  ];

  it.each(cases)('name the field and the rule: $field', async ({ send, message }) => {
    const { status, body } = await platform.api(...send());
    expect([status, body.error.message]).toEqual([400, message]);
    expect(JSON.stringify(body)).not.toMatch(/\^|\\\\|anyOf|schema|pattern/);
  });

  it('are each in the details, once', async () => {
    const body = { titel: 'x', title: '', editMode: 'open' };
    const { error } = (await platform.api('PATCH', `/spaces/${spaceId}`, { body })).body;
    expect(error.details.map(({ path }: { path: string }) => path).toSorted()).toEqual([
      '/body/editMode',
      '/body/titel',
      '/body/title',
    ]);
  });

  it('are not needed for spaces around a title, which are not stored', async () => {
    const { body } = await platform.api('PATCH', `/spaces/${spaceId}`, { body: { title: '  Rules ' } });
    expect(body.title ?? body.error.message).toBe('Rules');
  });
});

describe('bad requests', () => {
  const importPath = () => `/spaces/${spaceId}/git/import`;
  const good = { url: 'https://forge.example/x.git', ref: 'refs/heads/main' };
  const cases: { name: string; send: () => [string, string, object?]; status: number; field?: string }[] = [
    {
      name: 'unknown body field',
      send: () => ['PATCH', `/spaces/${spaceId}`, { body: { titel: 'x' } }],
      status: 400,
      field: '/body/titel',
    },
    {
      name: 'unknown query field',
      send: () => ['GET', '/orgs?offset=3'],
      status: 400,
      field: '/query/offset',
    },
    { name: 'limit too large', send: () => ['GET', '/orgs?limit=1001'], status: 400, field: '/query/limit' },
    { name: 'limit no number', send: () => ['GET', '/orgs?limit=many'], status: 400, field: '/query/limit' },
    { name: 'foreign cursor', send: () => ['GET', '/orgs?page=WzEsMl0'], status: 400, field: '/query/page' },
    {
      name: 'missing field',
      send: () => ['POST', importPath(), { body: { ref: 'refs/heads/main' } }],
      status: 400,
      field: '/body/url',
    },
    {
      name: 'ref of another form',
      send: () => ['POST', importPath(), { body: { ...good, ref: 'main' } }],
      status: 400,
      field: '/body/ref',
    },
    {
      name: 'pull ref into the content',
      send: () => ['POST', importPath(), { body: { ...good, ref: 'refs/pull/1/head' } }],
      status: 400,
      field: '/body/ref',
    },
    {
      name: 'address of ssh',
      send: () => ['POST', importPath(), { body: { ...good, url: 'ssh://git@forge.example/x' } }],
      status: 400,
      field: '/body/url',
    },
    {
      name: 'folder that climbs',
      send: () => ['POST', importPath(), { body: { ...good, repoProjectDirectory: 'a/../..' } }],
      status: 400,
      field: '/body/repoProjectDirectory',
    },
    {
      name: 'time without offset',
      send: () => ['POST', importPath(), { body: { ...good, timestamp: '2024-01-01T00:00:00' } }],
      status: 400,
      field: '/body/timestamp',
    },
    {
      name: 'date that does not exist',
      send: () => ['POST', importPath(), { body: { ...good, timestamp: '2024-99-01T00:00:00Z' } }],
      status: 400,
      field: '/body/timestamp',
    },
    {
      name: 'a character that cannot be stored',
      send: () => ['PATCH', `/spaces/${spaceId}`, { body: { emoji: 'a\0b' } }],
      status: 400,
      field: '/body',
    },
    {
      name: 'a character that cannot be searched for',
      send: () => ['GET', `/spaces/${spaceId}/search?query=buck%00et`],
      status: 400,
      field: '/query',
    },
    {
      name: 'body that is no JSON',
      send: () => ['PATCH', `/spaces/${spaceId}`, { body: '{"title":' }],
      status: 400,
      field: '/body',
    },
    {
      name: 'body of another type',
      send: () => ['PATCH', `/spaces/${spaceId}`, { body: 'x', headers: { 'content-type': 'text/plain' } }],
      status: 415,
    },
    {
      name: 'body too large',
      send: () => ['PATCH', `/spaces/${spaceId}`, { body: { title: 'x'.repeat(1_100_000) } }],
      status: 413,
    },
    {
      name: 'form of a page that there is not',
      send: () => ['GET', `/spaces/${spaceId}/content/page/${noSuch}?format=html`],
      status: 400,
      field: '/query/format',
    },
    { name: 'no such operation', send: () => ['GET', '/nothing/here'], status: 404 },
    { name: 'id of no server', send: () => ['GET', '/spaces/a%00b'], status: 404 },
    {
      name: 'export without a message',
      send: () => ['POST', `/spaces/${spaceId}/git/export`, { body: good }],
      status: 400,
      field: '/body/commitMessage',
    },
  ];

  it.each(cases)('$name → $status', async ({ send, status, field }) => {
    const answer = await platform.api(...send());
    expect(answer.status).toBe(status);
    expect(answer.body.error.code).toBe(status);
    expect(answer.body.error.message).toMatch(/^[A-Z].*\.$/);
    if (field) expect(answer.body.error.details[0].path).toBe(field);
  });
});

describe('lists', () => {
  it('return each item once, with rows added and removed meanwhile', async () => {
    const { api } = platform;
    const organization = (await api('POST', '/orgs', { body: { title: 'Lists' } })).body.id;
    const create = async (title: string) =>
      (await api('POST', `/orgs/${organization}/spaces`, { body: { title } })).body.id as string;
    const ids: string[] = [];
    for (let index = 0; index < 7; index++) ids.push(await create(`S${index}`));
    const seen: string[] = [];
    let page = '';
    do {
      const { body } = await api('GET', `/orgs/${organization}/spaces?limit=3${page}`);
      seen.push(...body.items.map((one: { id: string }) => one.id));
      page = body.next ? `&page=${body.next.page}` : '';
      if (seen.length === 3) {
        await api('DELETE', `/spaces/${ids[0]}`);
        ids.push(await create('late'));
      }
    } while (page !== '');
    expect(seen).toEqual(ids);
    expect((await api('GET', `/orgs/${organization}/spaces`)).body.count).toBe(7);
  });
});

describe('cursors', () => {
  it('belong to the path and the filters that made them', async () => {
    const { api, organizationId } = platform;
    for (const title of ['C1', 'C2']) {
      await api('POST', `/orgs/${organizationId}/collections`, { body: { title } });
      await api('POST', `/orgs/${organizationId}/spaces`, { body: { title } });
      await api('POST', `/spaces/${spaceId}/change-requests`, { body: { subject: title } });
    }
    const collections = `/orgs/${organizationId}/collections`;
    const { next } = (await api('GET', `${collections}?limit=1`)).body;
    const at = `page=${next.page}`;
    const other = (await api('POST', '/orgs', { body: { title: 'Elsewhere' } })).body.id;
    const statuses = await Promise.all(
      [
        `${collections}?${at}`,
        `${collections}?limit=7&${at}`,
        `${collections}?nested=false&${at}`,
        `/orgs/${other}/collections?${at}`,
        `/orgs/${organizationId}/spaces?${at}`,
        `/spaces/${spaceId}/change-requests?${at}`,
        `${collections}?page=${next.page.slice(0, -2)}`,
      ].map(async (path) => (await api('GET', path)).status),
    );
    expect(statuses).toEqual([200, 200, 400, 400, 400, 400, 400]);
  });

  it('may name long paths', async () => {
    const { error } = (await platform.api('GET', `/orgs?page=${'a'.repeat(8_000)}`)).body;
    expect(error.message).toBe(
      'The field page of the query is not a page of this list with these filters; start again without it.',
    );
  });
});

describe('bodies', () => {
  const put = (body: string) =>
    platform.api('PUT', `/orgs/${platform.organizationId}/openapi/values`, { body });

  it.each([
    ['wide', `[${'[],'.repeat(300_000)}0]`],
    ['deep', '['.repeat(300_000)],
    ['behind a string', `["\\\\\\"",${'{},'.repeat(300_000)}0]`],
  ])('of more values than any valid one has are refused before they are parsed: %s', async (_name, body) => {
    const { status, body: refused } = await put(body);
    expect([status, refused.error.message]).toEqual([400, 'The body must have at most 250000 values.']);
  });

  it('that nest as deep as they may are refused with a sentence', async () => {
    const { status, body: refused } = await put(`${'['.repeat(200_000)}${']'.repeat(200_000)}`);
    expect([status, refused.error.message]).toEqual([
      400,
      'The body must not be nested deeper than 200 levels.',
    ]);
  });

  it('may have any number of commas and brackets in their texts', async () => {
    const text = `{"openapi":"3.1.0","info":{"title":"T","version":"1"},"paths":{},"x-a":"${'[{\\",'.repeat(100_000)}"}`;
    expect((await put(JSON.stringify({ source: { text } }))).status).toBe(200);
  });
});

describe('versions', () => {
  it('of content have an ETag, and are not sent again to a caller who has them', async () => {
    const path = `/spaces/${spaceId}/content`;
    const first = await platform.api('GET', path);
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^".+"$/);
    const again = await platform.api('GET', path, { headers: { 'if-none-match': etag } });
    expect([again.status, again.body]).toEqual([304, undefined]);
    const other = await platform.api('GET', `${path}?metadata=false`, { headers: { 'if-none-match': etag } });
    expect(other.status).toBe(200);
  });

  it('are sent with the request id', async () => {
    const given = await platform.api('GET', '/user', { headers: { 'x-request-id': 'abc-1' } });
    expect(given.headers.get('x-request-id')).toBe('abc-1');
    const made = await platform.api('GET', '/user', { headers: { 'x-request-id': 'no spaces allowed' } });
    expect(made.headers.get('x-request-id')).toMatch(/^[\w-]{20}$/);
  });

  it.each([
    ['found', '/v1/user', 200],
    ['refused', '/v1/orgs/none', 404],
    ['of no operation', '/v1/nothing', 404],
    ['of the description', '/v1/openapi.json', 200],
    ['of a malformed address', '/v1/spaces/%ff', 400],
    ['of an address that is too long', `/v1/user?${'a'.repeat(20_000)}`, 431],
    ['without access', '/scim/v2/none/Users', 401],
    ['of no operation', '/scim/v2/none', 404],
  ])('are taken for nothing but what they are: %s, %s', async (_name, path, status) => {
    const answer = await fetch(platform.url + path, {
      headers: path.startsWith('/scim') ? {} : { authorization: `Bearer ${platform.token}` },
    });
    expect([answer.status, answer.headers.get('x-content-type-options')]).toEqual([status, 'nosniff']);
  });
});
