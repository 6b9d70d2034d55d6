/** Who may call what, which limits hold, and how lists and caches behave. */
import { generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { APP_ID, openSandbox, type Sandbox, WorkTree } from './support/open-sandbox.ts';

let sandbox: Sandbox;
let now = new Date();
let head: string;
let user: string;
let token: string;
let installationId: number;
let tree: WorkTree;

beforeAll(async () => {
  sandbox = await openSandbox({ now: () => now });
  user = sandbox.forge.createUser('writer').token;
  const repository = await sandbox.forge.createRepository({ owner: 'writer', name: 'docs', private: true });
  await sandbox.forge.createRepository({ owner: 'writer', name: 'hidden', private: true });
  tree = new WorkTree(join(sandbox.folder, 'work'), repository.cloneUrl, user);
  head = await tree.commit({ 'README.md': '# Docs\n' });
  await tree.push('main');
  installationId = sandbox.forge.installApp({ owner: 'writer', repositories: ['docs'] }).installationId;
  token = await sandbox.installationToken(installationId);
});
afterAll(() => sandbox.close());

async function call(method: string, path: string, secret: string | null, body?: unknown, headers = {}) {
  const response = await fetch(sandbox.forge.apiUrl + path, {
    method,
    headers: { ...(secret && { authorization: `Bearer ${secret}` }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : null };
}

const seconds = (offset: number): number => Math.floor(now.getTime() / 1000) + offset;
const foreignKey = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
}).privateKey;

describe("the App's JWT", () => {
  it.each([
    ['is right', {}, undefined, 200],
    ['has a number as issuer', { iss: APP_ID }, undefined, 200],
    ['lives longer than ten minutes', { exp: seconds(700) }, undefined, 401],
    ['has ended', { exp: seconds(-1) }, undefined, 401],
    ['comes from the future', { iat: seconds(60) }, undefined, 401],
    ['names another App', { iss: '12' }, undefined, 401],
    ['is signed by another key', {}, foreignKey, 401],
  ])('that %s', async (_name, claims, key, status) => {
    const jwt = await sandbox.jwt(claims, key);
    expect((await call('GET', '/app', jwt)).status).toBe(status);
  });

  it('gives no access to a repository', async () => {
    expect((await call('GET', '/repos/writer/docs', await sandbox.jwt())).status).toBe(404);
  });
});

describe("an installation's token", () => {
  it('expires after an hour', async () => {
    const before = now;
    const fresh = await sandbox.installationToken(installationId);
    now = new Date(before.getTime() + 59 * 60 * 1000);
    expect((await call('GET', '/repos/writer/docs', fresh)).status).toBe(200);
    now = new Date(before.getTime() + 61 * 60 * 1000);
    expect((await call('GET', '/repos/writer/docs', fresh)).status).toBe(401);
    now = before;
  });

  it('reaches only the repositories of the installation, and of the token', async () => {
    expect((await call('GET', '/repos/writer/hidden', token)).status).toBe(404);
    const request = { repositories: ['hidden'] };
    await expect(sandbox.installationToken(installationId, request)).rejects.toThrow('not accessible');
  });

  it('has no more permissions than the App', async () => {
    const more = { permissions: { administration: 'write' } };
    await expect(sandbox.installationToken(installationId, more)).rejects.toThrow('not granted');
    const weak = await sandbox.installationToken(installationId, { permissions: { contents: 'read' } });
    const answer = await call('POST', `/repos/writer/docs/statuses/${head}`, weak, { state: 'success' });
    expect(answer).toMatchObject({
      status: 403,
      body: { message: 'Resource not accessible by integration' },
    });
  });
});

describe('a check run', () => {
  const annotation = {
    path: 'README.md',
    start_line: 1,
    end_line: 1,
    annotation_level: 'failure',
    message: 'broken',
  };
  const output = { title: 'Links', summary: 'One.' };
  const base = () => ({ name: 'links', head_sha: head });

  it.each([
    ['51 annotations', { output: { ...output, annotations: Array(51).fill(annotation) } }],
    ['a long summary', { output: { ...output, summary: 'x'.repeat(65_536) } }],
    ['a long text', { output: { ...output, text: 'x'.repeat(65_536) } }],
    [
      'a long message',
      { output: { ...output, annotations: [{ ...annotation, message: 'ä'.repeat(32_769) }] } },
    ],
    ['lines that run backwards', { output: { ...output, annotations: [{ ...annotation, start_line: 2 }] } }],
    [
      'columns over lines',
      { output: { ...output, annotations: [{ ...annotation, end_line: 2, start_column: 1 }] } },
    ],
    [
      'an unknown level',
      { output: { ...output, annotations: [{ ...annotation, annotation_level: 'error' }] } },
    ],
    ['an output without summary', { output: { title: 'Links' } }],
    ['no conclusion', { status: 'completed' }],
    ['an unknown conclusion', { conclusion: 'great' }],
    ['four actions', { actions: Array(4).fill({ label: 'a', description: 'b', identifier: 'c' }) }],
    ['a long label', { actions: [{ label: 'x'.repeat(21), description: 'b', identifier: 'c' }] }],
    ['a long description', { actions: [{ label: 'a', description: 'x'.repeat(41), identifier: 'c' }] }],
    ['a long identifier', { actions: [{ label: 'a', description: 'b', identifier: 'x'.repeat(21) }] }],
    ['an unknown commit', { head_sha: 'f'.repeat(40) }],
    ['no name', { name: undefined }],
  ])('with %s is refused', async (_name, input) => {
    const answer = await call('POST', '/repos/writer/docs/check-runs', token, { ...base(), ...input });
    expect(answer).toMatchObject({
      status: 422,
      body: { message: expect.any(String), documentation_url: expect.any(String) },
    });
  });

  it('is accepted at every limit, and grows with its updates', async () => {
    const full = {
      output: {
        title: 'Links',
        summary: 'x'.repeat(65_535),
        text: 'x'.repeat(65_535),
        annotations: Array(50).fill({
          ...annotation,
          message: 'ä'.repeat(32_768),
          start_column: 1,
          end_column: 1,
        }),
      },
      actions: Array(3).fill({
        label: 'x'.repeat(20),
        description: 'x'.repeat(40),
        identifier: 'x'.repeat(20),
      }),
    };
    const made = await call('POST', '/repos/writer/docs/check-runs', token, { ...base(), ...full });
    expect(made.status).toBe(201);
    const path = `/repos/writer/docs/check-runs/${made.body.id}`;
    const more = { conclusion: 'failure', output: { ...output, annotations: [annotation] } };
    const grown = await call('PATCH', path, token, more);
    expect(grown.body).toMatchObject({
      status: 'completed',
      conclusion: 'failure',
      output: { annotations_count: 51, summary: 'One.' },
    });
    const client = sandbox.octokit(token);
    const at = { owner: 'writer', repo: 'docs', check_run_id: made.body.id, per_page: 20 };
    expect(await client.paginate(client.rest.checks.listAnnotations, at)).toHaveLength(51);
    expect(sandbox.forge.checkRuns('writer/docs', head).at(-1)?.annotations).toHaveLength(51);
  });

  it('cannot be created by users', async () => {
    expect((await call('POST', '/repos/writer/docs/check-runs', user, base())).status).toBe(403);
  });
});

describe('a status', () => {
  it.each([
    [['success'], 'success'],
    [['success', 'pending'], 'pending'],
    [['success', 'error'], 'failure'],
    [[], 'pending'],
  ])('combines %j as %s', async (states, combined) => {
    const sha = await tree.commit({}, `States ${states}`);
    await tree.push('main');
    for (const [index, state] of states.entries()) {
      await call('POST', `/repos/writer/docs/statuses/${sha}`, token, {
        state: 'error',
        context: `c${index}`,
      });
      await call('POST', `/repos/writer/docs/statuses/${sha}`, token, { state, context: `c${index}` });
    }
    const answer = await call('GET', `/repos/writer/docs/commits/${sha}/status`, token);
    expect(answer.body).toMatchObject({ state: combined, total_count: states.length });
    expect((await call('GET', `/repos/writer/docs/commits/${sha}/statuses`, token)).body).toHaveLength(
      states.length * 2,
    );
  });

  it('with a long description or a strange address is refused', async () => {
    for (const more of [{ description: 'x'.repeat(141) }, { target_url: 'javascript:alert(1)' }]) {
      const answer = await call('POST', `/repos/writer/docs/statuses/${head}`, token, {
        state: 'success',
        ...more,
      });
      expect(answer.status).toBe(422);
    }
  });
});

describe('every response', () => {
  it('has an ETag, and costs nothing when nothing changed', async () => {
    const first = await call('GET', '/repos/writer/docs', token);
    const etag = first.headers.get('etag') ?? '';
    const second = await call('GET', '/repos/writer/docs', token, undefined, { 'if-none-match': etag });
    expect(second.status).toBe(304);
    expect(second.headers.get('x-ratelimit-used')).toBe(first.headers.get('x-ratelimit-used'));
  });

  it('counts against the limit, until the hour is over', async () => {
    const tight = await openSandbox({ requestsPerHour: 2, now: () => now });
    try {
      const { token: secret } = tight.forge.createUser('writer');
      const ask = () =>
        fetch(`${tight.forge.apiUrl}/user`, { headers: { authorization: `token ${secret}` } });
      expect([(await ask()).status, (await ask()).status]).toEqual([200, 200]);
      const refused = await ask();
      expect(refused.status).toBe(403);
      expect(refused.headers.get('x-ratelimit-remaining')).toBe('0');
      const before = now;
      now = new Date(before.getTime() + 60 * 60 * 1000);
      expect((await ask()).status).toBe(200);
      now = before;
    } finally {
      await tight.close();
    }
  });

  it('that the stand-in does not know is 501, and recorded', async () => {
    expect((await call('POST', '/repos/writer/docs/labels?x=1', token, { name: 'a' })).status).toBe(501);
    expect(sandbox.forge.unexpected.at(-1)).toEqual({
      method: 'POST',
      path: '/repos/writer/docs/labels?x=1',
      body: { name: 'a' },
    });
  });

  it.each([
    ['broken JSON', 'POST', '/user/repos', '{', 400],
    ['a percent sign that is none', 'GET', '/repos/writer/%zz', undefined, 501],
    ['a climbing path', 'GET', '/repos/writer/docs/contents/..%2F..%2Fetc', undefined, 404],
    ['a path with a NUL', 'GET', '/repos/writer/docs/contents/a%00b', undefined, 404],
    ['the history of a climbing path', 'GET', '/repos/writer/docs/commits?path=..%2Fa', undefined, 404],
    ['a ref that looks like an option', 'GET', '/repos/writer/docs/commits/--all', undefined, 422],
    ['a ref in revision syntax', 'GET', '/repos/writer/docs/commits/main~1', undefined, 422],
    ['a ref named like a property', 'GET', '/repos/writer/docs/branches/constructor', undefined, 404],
    ['a page that is no number', 'GET', '/repos/writer/docs/branches?page=x', undefined, 422],
  ])('to %s', async (_name, method, path, body, status) => {
    const response = await fetch(sandbox.forge.apiUrl + path, {
      method,
      headers: { authorization: `Bearer ${user}` },
      ...(body !== undefined && { body }),
    });
    expect(response.status).toBe(status);
  });
});

it('brings everything back after a restart', async () => {
  const before = { runs: sandbox.forge.checkRuns('writer/docs'), refs: sandbox.forge.refs('writer/docs') };
  await sandbox.restart();
  expect(sandbox.forge.checkRuns('writer/docs')).toEqual(before.runs);
  expect(sandbox.forge.refs('writer/docs')).toEqual(before.refs);
  expect((await call('GET', '/repos/writer/docs', user)).status).toBe(200);
  expect((await call('GET', '/repos/writer/docs', token)).status).toBe(200);
});
