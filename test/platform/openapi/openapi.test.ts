import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAddressGuard } from '../../../src/net/address-guard.ts';
import { processSpecInThread } from '../../../src/platform/openapi/process-spec-in-thread.ts';
import { readDueSpec, resumeSpecs } from '../../../src/platform/openapi/read-due-spec.ts';
import { testAtLength } from '../../support/describe-at-length.ts';
import { PATIENCE_MS } from '../../support/patience.ts';
import { waitFor } from '../../support/wait-for.ts';
import { createMember } from '../create-member.ts';
import { startPlatform, type TestPlatform } from '../start-platform.ts';

let platform: TestPlatform;
let host: Server;
let hostUrl: string;
let seen: { url: string; headers: IncomingHttpHeaders }[] = [];
/** What the host answers, by path. */
const answers = new Map<string, (response: ServerResponse, headers: IncomingHttpHeaders) => void>();

beforeAll(async () => {
  host = createServer((request, response) => {
    seen.push({ url: request.url ?? '', headers: request.headers });
    const answer = answers.get((request.url ?? '').split('?')[0] ?? '');
    if (answer) answer(response, request.headers);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
  const address = `127.0.0.1:${(host.address() as AddressInfo).port}`;
  hostUrl = `http://${address}`;
  platform = await startPlatform();
  const guard = createAddressGuard({ allowHosts: [address, platform.git.host] });
  Object.assign(platform.deps, { guard });
});
afterAll(async () => {
  await platform.close();
  host.closeAllConnections();
  await new Promise((resolve) => host.close(resolve));
});

const base = () => `/orgs/${platform.organizationId}/openapi`;

/** Gives a specification its source and waits until it is read. */
async function put(slug: string, source: object) {
  const answer = await platform.api('PUT', `${base()}/${slug}`, { body: { source } });
  expect(answer.status).toBe(200);
  return await settled(slug);
}

async function settled(slug: string) {
  return await waitFor(
    async () => {
      const { body } = await platform.api('GET', `${base()}/${slug}`);
      return body.processingState === 'complete' && body;
    },
    () => `${slug} is read; ${platform.log.join('\n')}`,
  );
}

const serve = (path: string, text: string, headers: Record<string, string> = {}) =>
  answers.set(path, (response) => void response.writeHead(200, headers).end(text));

const pets = (more = '') => `openapi: 3.0.0
info: {title: Pets, version: '1'}
servers: [{url: https://pets.example}]
paths:
  /pets/{id}:
    get:
      tags: [Pets]
      summary: Read a *pet*
      description: "It has <script>alert(1)</script> **four** legs."
      parameters: [{name: id, in: path, required: true, schema: {type: string, maxLength: 10}}]
      responses:
        '200': {description: A pet., content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}
components:
  schemas:
    Pet: {type: object, required: [name], properties: {name: {type: string}${more}}}
`;

describe('versions', () => {
  it('are created for changes of meaning, and list what breaks clients', async () => {
    const made = await platform.api('POST', base(), {
      body: { slug: 'pets', source: { text: pets(', age: {type: integer}') } },
    });
    expect(made).toMatchObject({
      status: 201,
      body: { slug: 'pets', processingState: 'pending', visibility: 'private' },
    });
    const first = await settled('pets');
    expect(first).toMatchObject({ permissions: { view: true, edit: true } });
    expect(first.lastProcessErrorCode).toBeUndefined();
    // The same, as JSON and in another order.
    const { body: content } = await platform.api('GET', `${base()}/pets/versions/latest/content`);
    expect(content.filesystem.entrypoint).toBe('openapi');
    const document = content.filesystem.files.openapi;
    const turned = Object.fromEntries(Object.entries(document).toReversed());
    const again = await put('pets', { text: JSON.stringify(turned), path: 'other.json' });
    expect(again.lastVersion).toBe(first.lastVersion);
    const changed = await put('pets', { text: pets() });
    expect(changed.lastVersion).not.toBe(first.lastVersion);
    const { body: changes } = await platform.api('GET', `${base()}/pets/versions/latest/changes`);
    expect(changes).toMatchObject({
      total: 1,
      breaking: 1,
      items: [
        {
          kind: 'property-removed',
          operation: 'GET /pets/{id}',
          pointer: '/components/schemas/Pet/properties/age',
          side: 'old',
        },
      ],
    });
    const { body: list } = await platform.api('GET', `${base()}/pets/versions?limit=1`);
    expect(list).toMatchObject({ count: 2, items: [{ id: changed.lastVersion }] });
    const { body: rest } = await platform.api('GET', `${base()}/pets/versions?page=${list.next.page}`);
    expect(rest.items.map((one: { id: string }) => one.id)).toEqual([first.lastVersion]);
    const old = await platform.api('GET', `${base()}/pets/versions/${first.lastVersion}/content`);
    expect(old.body.filesystem.files.openapi.components.schemas.Pet.properties.age).toEqual({
      type: 'integer',
    });
    const etag = old.headers.get('etag') ?? '';
    const known = await platform.api('GET', `${base()}/pets/versions/${first.lastVersion}/content`, {
      headers: { 'if-none-match': etag },
    });
    expect(known.status).toBe(304);
  });

  it('are described again after an update, from what is stored', async () => {
    const { db } = platform.deps;
    serve('/several/main.yaml', pets().replace('#/components/schemas/Pet', 'pet.yaml'));
    serve('/several/pet.yaml', 'type: object\nproperties: {name: {type: string}}\n');
    const before = await put('several', { url: `${hostUrl}/several/main.yaml` });
    const stored = async () =>
      (
        await db.execute<{ view: string; version: number }>(sql`
          select md5(o.view) as view, o.view_version as version from openapi_operations o
          join openapi_specs s on s.id = o.spec_id where s.slug = 'several'`)
      ).rows;
    const [described] = await stored();
    // As a release before this one left it.
    await db.execute(sql`
      update openapi_operations o set view = '', view_version = 0
      from openapi_specs s where s.id = o.spec_id and s.slug = 'several'`);
    const asked = seen.length;
    await resumeSpecs(platform.deps);
    await waitFor(async () => (await stored())[0]?.version === described?.version);
    expect(await stored()).toEqual([described]);
    expect(seen).toHaveLength(asked);
    const after = await settled('several');
    expect(after).toMatchObject({ lastVersion: before.lastVersion });
    expect(after.lastProcessedAt > before.lastProcessedAt).toBe(true);
  });

  it('stay if the next source cannot be read, and the errors have their locations', async () => {
    const before = await settled('pets');
    const after = await put('pets', {
      text: `${pets()}    Cat: {$ref: '#/nowhere'}\n`,
      path: 'api/pets.yaml',
    });
    expect(after).toMatchObject({
      lastVersion: before.lastVersion,
      lastProcessErrorCode: 'PARSE_ERROR',
      lastProcessedErrors: [
        {
          code: 'UNRESOLVED_REFERENCE',
          path: 'api/pets.yaml',
          line: 16,
          column: 11,
          pointer: '/components/schemas/Cat/$ref',
        },
      ],
    });
    expect(after.lastProcessedErrors[0].message).toMatch(/^api\/pets\.yaml:16:11 .*points to nothing/);
    expect((await put('pets', { text: pets() })).lastProcessErrorCode).toBeUndefined();
  });

  it('are created from several files that were sent together', async () => {
    const text = "openapi: 3.1.0\npaths: {/a: {$ref: 'a.yaml'}}\n";
    const files = { 'api/a.yaml': 'get: {responses: {}}' };
    expect(await put('several', { text, path: 'api/openapi.yaml' })).toMatchObject({
      lastProcessErrorCode: 'PARSE_ERROR',
      lastProcessedErrors: [{ message: expect.stringContaining('the file api/a.yaml was not sent') }],
    });
    expect(
      (await put('several', { text, path: 'api/openapi.yaml', files })).lastProcessErrorCode,
    ).toBeUndefined();
    const { body } = await platform.api('GET', `${base()}/several/versions/latest/content`);
    expect(Object.keys(body.filesystem.files)).toEqual(['api/openapi.yaml', 'api/a.yaml']);
    expect(body.filesystem.files['api/openapi.yaml'].paths['/a']).toEqual({ $ref: 'a.yaml' });
    const joined = await platform.api('GET', `${base()}/several/versions/latest/document`);
    expect(joined.body.paths['/a'].$ref).toBe('#/x-files/api~1a.yaml');
    expect(joined.body['x-files']['api/a.yaml'].get).toEqual({ responses: {} });
  });
});

describe('addresses', () => {
  it('are requested with the configured headers, only at their own host, and expose no secrets', async () => {
    const other = await startOther();
    serve(
      '/api/openapi.yaml',
      `openapi: 3.0.0\npaths: {/a: {$ref: a.yaml}, /b: {$ref: '${other.url}/b.yaml'}}\n`,
    );
    serve('/api/a.yaml', 'get: {responses: {}}');
    Object.assign(platform.deps, {
      guard: createAddressGuard({ allowHosts: [new URL(hostUrl).host, new URL(other.url).host] }),
    });
    seen = [];
    const url = `${hostUrl.replace('//', '//bot:hunter2@')}/api/openapi.yaml?token=secret1`;
    const spec = await put('remote', { url, headers: { 'X-Api-Key': 'secret2' } });
    await other.close();
    expect(spec.lastProcessErrorCode).toBeUndefined();
    expect(spec.sourceURL).toBe(`${hostUrl}/api/openapi.yaml?token=secret1`);
    const ours = {
      authorization: `Basic ${Buffer.from('bot:hunter2').toString('base64')}`,
      'x-api-key': 'secret2',
    };
    expect(seen.map((one) => one.url)).toEqual(['/api/openapi.yaml?token=secret1', '/api/a.yaml']);
    for (const one of seen) expect(one.headers).toMatchObject(ours);
    expect(other.seen).toHaveLength(1);
    expect(other.seen[0]?.authorization).toBeUndefined();
    expect(other.seen[0]?.['x-api-key']).toBeUndefined();
    const { body: content } = await platform.api('GET', `${base()}/remote/versions/latest/content`);
    expect(Object.keys(content.filesystem.files)).toEqual([
      `${hostUrl}/api/openapi.yaml`,
      `${hostUrl}/api/a.yaml`,
      `${other.url}/b.yaml`,
    ]);
    const reader = await createMember(platform, 'Reader', { role: 'read' });
    const shown = await platform.api('GET', `${base()}/remote`, { token: reader.token });
    expect(shown.body.sourceURL).toBe(`${hostUrl}/api/openapi.yaml`);
    const { rows } = await platform.deps.db.execute(sql`select s::text as row from openapi_specs s`);
    const kept = JSON.stringify(rows) + platform.log.join('\n');
    for (const secret of ['hunter2', 'secret1', 'secret2']) expect(kept).not.toContain(secret);
  });

  it('are requested conditionally', async () => {
    answers.set('/etag.json', (response, headers) => {
      const isKnown = headers['if-none-match'] === '"v1"';
      response.writeHead(isKnown ? 304 : 200, { etag: '"v1"' });
      response.end(isKnown ? undefined : '{"openapi": "3.0.0", "paths": {}}');
    });
    seen = [];
    const first = await put('etag', { url: `${hostUrl}/etag.json` });
    const second = await put('etag', { url: `${hostUrl}/etag.json` });
    expect(second.lastVersion).toBe(first.lastVersion);
    expect(second.lastProcessedAt > first.lastProcessedAt).toBe(true);
    expect(seen.map((one) => one.headers['if-none-match'])).toEqual([undefined, '"v1"']);
  });

  it.each<[string, string, string, RegExp]>([
    ['gone', '/gone.yaml', 'FETCH_ERROR', /answered 404/],
    ['page', '/page', 'FETCH_ERROR', /HTML page/],
    ['locked', '/locked', 'FETCH_ERROR', /answered 401: add the headers/],
    ['inside', '/inside', 'FETCH_ERROR', /private network|only https|http:\/\//],
  ])('that cannot be fetched are rejected: %s', async (slug, path, code, message) => {
    serve('/page', '<html>', { 'content-type': 'text/html' });
    answers.set('/locked', (response) => void response.writeHead(401).end());
    answers.set(
      '/inside',
      (response) => void response.writeHead(302, { location: 'http://10.0.0.1/x' }).end(),
    );
    const spec = await put(slug, { url: `${hostUrl}${path}` });
    expect(spec).toMatchObject({ lastProcessErrorCode: code, lastProcessedErrors: [{ code }] });
    expect(spec.lastProcessedErrors[0].message).toMatch(message);
  });

  it('of referenced files in the private network are rejected with their location', async () => {
    serve('/ref.yaml', "openapi: 3.0.0\npaths:\n  /a: {$ref: 'http://169.254.169.254/latest'}\n");
    const spec = await put('ref', { url: `${hostUrl}/ref.yaml` });
    expect(spec).toMatchObject({
      lastProcessErrorCode: 'PARSE_ERROR',
      lastProcessedErrors: [{ line: 3, column: 8 }],
    });
  });
});

describe('who may read', () => {
  it('a public one: everybody who has its address', async () => {
    const spec = await settled('pets');
    const address = `${base()}/pets/versions/latest/document`;
    expect((await platform.api('GET', address, { token: null })).status).toBe(404);
    const { body } = await platform.api('PATCH', `${base()}/pets`, { body: { visibility: 'public' } });
    expect(body.urls.published).toBe(`http://docs.example/v1${address}`);
    const open = await platform.api('GET', address, { token: null });
    expect(open).toMatchObject({ status: 200, body: { info: { title: 'Pets' } } });
    const guest = await createMember(platform, 'Guest', { role: null });
    const list = await platform.api('GET', base(), { token: guest.token });
    expect(list.body.items.map((one: { id: string }) => one.id)).toEqual([spec.id]);
    await platform.api('PATCH', `${base()}/pets`, { body: { visibility: 'private' } });
  });
});

describe('pages', () => {
  it('show operations of the latest version', async () => {
    const spaceId = await platform.createSpace('API');
    const changes = [
      {
        type: 'write',
        path: 'SUMMARY.md',
        text: '# Table of contents\n\n* [Pet](pet.md)\n* ```yaml\n  type: builtin:openapi\n  dependencies:\n    spec:\n      ref:\n        kind: openapi\n        spec: pets\n  ```\n',
      },
      {
        type: 'write',
        path: 'pet.md',
        text: '# Pet\n\n{% openapi-operation spec="pets" path="/pets/{id}" method="get" %}\nold\n{% endopenapi-operation %}\n',
      },
    ];
    const path = `/spaces/${spaceId}/change-requests`;
    const { id } = (await platform.api('POST', path, { body: {} })).body;
    await platform.api('POST', `${path}/${id}/content`, { body: { changes } });
    await platform.api('POST', `${path}/${id}/merge`);
    const { body } = await platform.api('GET', `/spaces/${spaceId}/content/pages`);
    const [pet, computed] = body.pages;
    const links = await platform.api('GET', `/spaces/${spaceId}/content/page/${pet.id}/links`);
    expect(links.body.items).toMatchObject([
      {
        status: 'in-app',
        relation: 'dependsOn',
        targetReference: { kind: 'openapi', openAPISpec: { slug: 'pets' } },
      },
    ]);
    expect(computed.type).toBe('computed');
    const shown = await platform.api('GET', `/spaces/${spaceId}/content/page/${pet.id}/openapi`);
    expect(shown.body.items).toMatchObject([
      {
        spec: 'pets',
        operation: { title: 'Read a *pet*', parameters: [{ name: 'id', notes: ['at most 10 characters'] }] },
      },
    ]);
    const made = await platform.api('GET', `/spaces/${spaceId}/content/page/${computed.id}?format=markdown`);
    expect(made.body.markdown).toContain(
      '## Pets\n\n### Read a \\*pet\\*\n\n{% openapi-operation spec="pets" path="/pets/{id}" method="get" %}',
    );
    const whole = await platform.api('GET', `/spaces/${spaceId}/content/page/${computed.id}/openapi`);
    expect(whole.body.items).toHaveLength(1);
    // What a list of links embeds of the specification changes its ETag.
    const list = `/spaces/${spaceId}/content/page/${pet.id}/links`;
    for (const change of ["slug = 'renamed'", "slug = 'pets'", "state = 'progress'", "state = 'complete'"]) {
      const before = (await platform.api('GET', list)).headers.get('etag') ?? '';
      await platform.deps.db.execute(`update openapi_specs set ${change} where slug in ('pets', 'renamed')`);
      const after = await platform.api('GET', list, { headers: { 'if-none-match': before } });
      expect(after.status, change).toBe(200);
    }
    // Another version of the specification makes another page of it.
    const etag = made.headers.get('etag') ?? '';
    await put('pets', { text: pets(', owner: {type: string}') });
    const later = await platform.api(
      'GET',
      `/spaces/${spaceId}/content/page/${computed.id}?format=markdown`,
      { headers: { 'if-none-match': etag } },
    );
    expect(later.status).toBe(200);
    expect(later.body.computedSeed).not.toBe(computed.computedSeed);
    const anew = await platform.api('GET', `/spaces/${spaceId}/content/page/${pet.id}/openapi`);
    expect(JSON.stringify(anew.body)).toContain('owner');
  });

  it('show operations of a private specification only to those who may read it', async () => {
    await put('secret', { text: pets().replace('Read a *pet*', 'Read the secret pet') });
    const spaceId = await platform.createSpace('Public site');
    await platform.api('PATCH', `/spaces/${spaceId}`, { body: { visibility: 'public' } });
    const dependency = 'kind: openapi\n        spec: secret\n';
    const changes = [
      {
        path: 'SUMMARY.md',
        text: `# Table of contents\n\n* [Pet](pet.md)\n* \`\`\`yaml\n  type: builtin:openapi\n  dependencies:\n    spec:\n      ref:\n        ${dependency}  \`\`\`\n`,
      },
      {
        path: 'pet.md',
        text: '# Pet\n\n{% openapi-operation spec="secret" path="/pets/{id}" method="get" %}\nold\n{% endopenapi-operation %}\n',
      },
    ].map((change) => ({ type: 'write', ...change }));
    const path = `/spaces/${spaceId}`;
    const { id } = (await platform.api('POST', `${path}/change-requests`, { body: {} })).body;
    await platform.api('POST', `${path}/change-requests/${id}/content`, { body: { changes } });
    await platform.api('POST', `${path}/change-requests/${id}/merge`);
    const [pet, computed] = (await platform.api('GET', `${path}/content/pages`)).body.pages;
    const pages = [
      `${pet.id}/openapi`,
      `${pet.id}/view`,
      `${computed.id}?format=markdown`,
      `${computed.id}?format=document`,
      `${computed.id}/openapi`,
      `${computed.id}/view`,
    ];
    const stranger = await createMember(platform, 'Stranger', {});
    const guest = await createMember(platform, 'Visiting guest', { role: null });
    const read = async (token: string | undefined) => {
      const seen: string[] = [];
      for (const page of pages) {
        const answer = await platform.api(
          'GET',
          `${path}/content/page/${page}`,
          token === undefined ? {} : { token },
        );
        expect(answer.status).toBe(200);
        seen.push(JSON.stringify(answer.body));
      }
      return seen;
    };
    // Those who may read it come first, so that their answers are in the cache.
    const admin = await read(undefined);
    for (const seen of admin) expect(seen).toMatch(/secret pet/);
    for (const { token } of [stranger, guest]) {
      const seen = await read(token);
      for (const text of seen)
        expect(text).not.toMatch(/secret pet|four.*legs|\/pets\/\{id\}.{0,40}parameters/);
      expect(seen[0]).toContain('"privateSpecs":["secret"]');
      expect(seen[2]).toContain('`secret` is not public');
    }
    await platform.api('PATCH', `${base()}/secret`, { body: { visibility: 'public' } });
    for (const seen of await read(stranger.token)) expect(seen).toMatch(/secret pet/);
    await platform.api('PATCH', `${base()}/secret`, { body: { visibility: 'private' } });
    for (const seen of await read(stranger.token)) expect(seen).not.toMatch(/secret pet/);
  });

  testAtLength('link to what they show, and the links are broken while it does not exist', async () => {
    const spaceId = await platform.createSpace('Links');
    await put('shops', { text: pets() });
    const computed = (spec: string) =>
      `* \`\`\`yaml\n  type: builtin:openapi\n  dependencies:\n    spec:\n      ref:\n        kind: openapi\n        spec: ${spec}\n  \`\`\`\n`;
    const block = (path: string) =>
      `{% openapi-operation spec="shops" path="${path}" method="get" %}\nold\n{% endopenapi-operation %}\n\n`;
    const changes = [
      {
        path: 'SUMMARY.md',
        text: `# Table of contents\n\n* [Pet](pet.md)\n${computed('shops')}${computed('never')}`,
      },
      {
        path: 'pet.md',
        text: `# Pet\n\n${block('/pets/{id}')}${block('/gone')}{% openapi-schemas spec="shops" schemas="A" %}\n{% endopenapi-schemas %}\n`,
      },
    ].map((one) => ({ type: 'write', ...one }));
    const path = `/spaces/${spaceId}`;
    const { id } = (await platform.api('POST', `${path}/change-requests`, { body: {} })).body;
    await platform.api('POST', `${path}/change-requests/${id}/content`, { body: { changes } });
    await platform.api('POST', `${path}/change-requests/${id}/merge`);
    const [pet, shops, never] = (await platform.api('GET', `${path}/content/pages`)).body.pages;
    const linksOf = async (where: string) => {
      const { body, headers } = await platform.api('GET', `${path}/${where}`);
      const { total, broken, inApp } = body.stats;
      const told = body.items.map((one: { status: string; check: { rule?: string } }) =>
        [one.status, one.check.rule].filter(Boolean).join(' '),
      );
      return { told: told.sort(), stats: [total, broken.total, inApp], etag: headers.get('etag') ?? '' };
    };
    const before = await linksOf('links');
    expect(before).toMatchObject({
      told: ['broken missing-operation', 'broken missing-specification', 'in-app', 'in-app', 'in-app', 'ok'],
      stats: [6, 2, 3],
    });
    expect((await linksOf(`content/page/${pet.id}/links`)).stats).toEqual([3, 1, 2]);
    expect((await linksOf(`content/page/${shops.id}/links`)).stats).toEqual([1, 0, 1]);
    const made = await platform.api('GET', `${path}/content/page/${never.id}/links`);
    expect(made.body.items).toMatchObject([
      {
        relation: 'dependsOn',
        targetReference: { kind: 'url', url: 'never' },
        locationReferences: [{ kind: 'page', page: { id: never.id } }],
        check: { message: 'The organization has no API specification “never”.' },
      },
    ]);
    const seenLinks: unknown[] = [];
    for (let page: string | undefined = ''; page !== undefined; ) {
      const query: string = page === '' ? '' : `&page=${encodeURIComponent(page)}`;
      const { body } = await platform.api('GET', `${path}/links?limit=1${query}`);
      seenLinks.push(...body.items);
      page = body.next?.page;
    }
    expect(seenLinks).toEqual((await platform.api('GET', `${path}/links`)).body.items);

    const places = (await platform.api('GET', `${base()}/shops/backlinks`)).body;
    expect(places.count).toBe(4);
    expect(
      places.items.map((one: { page: string; position?: { line: number } }) => [
        one.page,
        one.position?.line,
      ]),
    ).toEqual([
      [shops.id, undefined],
      [pet.id, 3],
      [pet.id, 7],
      [pet.id, 11],
    ]);
    const first = await platform.api('GET', `${base()}/shops/backlinks?limit=3`);
    const next = encodeURIComponent(first.body.next.page);
    const rest = await platform.api('GET', `${base()}/shops/backlinks?limit=3&page=${next}`);
    expect(rest.body.items).toEqual(places.items.slice(3));
    const guest = await createMember(platform, 'Passer-by', { role: null });
    await platform.api('PATCH', `${base()}/shops`, { body: { visibility: 'public' } });
    const token = guest.token;
    expect((await platform.api('GET', `${base()}/shops/backlinks`, { token })).body).toMatchObject({
      count: 0,
    });
    await platform.api('DELETE', `${base()}/shops`);
    const headers = { 'if-none-match': before.etag };
    expect((await platform.api('GET', `${path}/links?status=broken`, { headers })).body.count).toBe(5);
    expect((await linksOf('links')).stats).toEqual([6, 5, 0]);
    await put('shops', { text: pets().replace('/pets/{id}', '/gone') });
    expect((await linksOf('links')).told).toEqual(before.told);
  });
});

describe('requests', () => {
  it('are rejected with the reason', async () => {
    const bad = [
      { slug: 'a_b', source: { text: 'x' } },
      { slug: 'a', source: {} },
      { slug: 'a', source: { url: 'ftp://host/x' } },
      { slug: 'a', source: { url: `${hostUrl}/x`, headers: { Host: 'x' } } },
      { slug: 'a', source: { text: 'x', path: '../x' } },
      { slug: 'a', source: { text: 'x', files: { '/etc/passwd': 'x' } } },
    ];
    for (const body of bad) expect((await platform.api('POST', base(), { body })).status).toBe(400);
    expect((await platform.api('PUT', `${base()}/a_b`, { body: { source: { text: 'x' } } })).status).toBe(
      400,
    );
    expect(
      (await platform.api('POST', base(), { body: { slug: 'pets', source: { text: 'x' } } })).status,
    ).toBe(409);
    expect((await platform.api('GET', `${base()}/gone/versions/latest`)).status).toBe(404);
    const slug = 'a'.repeat(100);
    await put(slug, { text: pets() });
    expect((await platform.api('DELETE', `${base()}/${slug}`)).status).toBe(204);
    expect((await platform.api('DELETE', `${base()}/${slug}`)).status).toBe(204);
    expect((await platform.api('GET', `${base()}/${slug}`)).status).toBe(404);
  });

  it('accept large bodies', async () => {
    const text = JSON.stringify({ openapi: '3.0.0', paths: {}, 'x-large': 'y'.repeat(5_000_000) });
    expect((await put('large', { text })).lastProcessErrorCode).toBeUndefined();
  });
});

describe('reading', () => {
  const never = new AbortController().signal;

  const task = { entry: 'x.yaml', byAddress: false, previous: null };

  testAtLength('stops at its limit of memory, with a message', async () => {
    const rows = Array.from({ length: 400_000 }, (_, at) => `a${at}: {b: [1, 2]}`).join('\n');
    const small = await processSpecInThread(task, async () => ({ text: rows }), {
      signal: never,
      limits: { timeoutMs: PATIENCE_MS, memoryMb: 48 },
    });
    expect(small).toMatchObject({ kind: 'refused', problems: [{ code: 'TOO_LARGE' }] });
  });

  it('stops at its limit of time, with a message', async () => {
    const short = await processSpecInThread(task, () => new Promise(() => {}), {
      signal: never,
      limits: { timeoutMs: 50, memoryMb: 256 },
    });
    expect(short).toMatchObject({ kind: 'refused', problems: [{ code: 'TIMEOUT' }] });
  });

  it('starts again after its process was lost, and reports when it never finishes', async () => {
    const { db } = platform.deps;
    const spec = await settled('etag');
    const loseRun = () => db.execute(sql`update openapi_specs set state = 'progress' where id = ${spec.id}`);
    await loseRun();
    await resumeSpecs(platform.deps);
    expect((await settled('etag')).lastProcessedAt > spec.lastProcessedAt).toBe(true);
    await loseRun();
    await readDueSpec(platform.deps, spec.id, { signal: never, exhausted: true });
    expect(await settled('etag')).toMatchObject({
      lastProcessErrorCode: 'PARSE_ERROR',
      lastProcessedErrors: [{ code: 'TIMEOUT' }],
    });
  });
});

/** Another host, which has one file. */
async function startOther() {
  const seenThere: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    seenThere.push(request.headers);
    response.end('get: {responses: {}}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen: seenThere,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
