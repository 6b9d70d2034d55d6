/** The stand-in's part of GitHub's manifest flow, held against GitHub's own description. */
import { createPrivateKey } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { answerProblems } from './support/github-description.ts';
import { openSandbox, type Sandbox } from './support/open-sandbox.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openSandbox();
});
afterAll(() => sandbox.close());

const manifest = {
  name: 'Docs of ours',
  url: 'http://127.0.0.1:9',
  hook_attributes: { url: 'http://127.0.0.1:9/hooks' },
  redirect_url: 'http://127.0.0.1:9/registered',
  default_permissions: { checks: 'write' },
  default_events: ['push'],
};

function post(path: string, fields: Readonly<Record<string, string>> = {}): Promise<Response> {
  return fetch(sandbox.forge.url + path, {
    method: 'POST',
    body: new URLSearchParams(fields),
    redirect: 'manual',
  });
}

it('exchanges a code for its App, once, as GitHub describes it', async () => {
  expect((await post('/settings/apps/new', { manifest: '{}' })).status).toBe(422);
  const named = await post('/settings/apps', { manifest: JSON.stringify(manifest), name: ' ', state: 's' });
  expect(named.status).toBe(422);
  const made = await post('/organizations/octo-org/settings/apps', {
    manifest: JSON.stringify(manifest),
    name: manifest.name,
    state: 's',
  });
  const back = new URL(made.headers.get('location') ?? '');
  expect(back.searchParams.get('state')).toBe('s');
  const path = `/app-manifests/${back.searchParams.get('code')}/conversions`;
  const answer = await fetch(sandbox.forge.apiUrl + path, { method: 'POST' });
  const app = (await answer.json()) as Record<string, unknown>;
  expect(answer.status).toBe(201);
  expect(answerProblems('POST', path, 201, app)).toEqual([]);
  expect(app).toMatchObject({
    slug: 'docs-of-ours',
    owner: { login: 'octo-org' },
    permissions: { checks: 'write' },
    events: ['push'],
    pem: expect.stringContaining('BEGIN RSA PRIVATE KEY'),
  });
  expect((await fetch(sandbox.forge.apiUrl + path, { method: 'POST' })).status).toBe(404);
});

it('accepts another secret for the webhook, and creates another private key beside the first', async () => {
  const { forge } = sandbox;
  const page = await (await post('/apps/docs-of-ours/keys')).text();
  const pem = /-----BEGIN RSA PRIVATE KEY-----[^<]+-----END RSA PRIVATE KEY-----/.exec(page)?.[0] ?? '';
  const pkcs8 = createPrivateKey(pem).export({ type: 'pkcs8', format: 'pem' }).toString();
  const id = /GitHub App (\d+)/.exec(await (await fetch(`${forge.url}/apps/docs-of-ours`)).text())?.[1];
  const app = sandbox.octokit(await sandbox.jwt({ iss: id }, pkcs8)).rest.apps;
  const { data } = await app.updateWebhookConfigForApp({ secret: 'the next one' });
  expect(data).toMatchObject({ url: 'http://127.0.0.1:9/hooks', content_type: 'json' });
});
