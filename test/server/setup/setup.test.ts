/** From a server without an App to the first page, by GitHub's manifest flow, as a browser's requests do it. */
import { createHmac, generateKeyPairSync } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createToken } from '../../../src/platform/index.ts';
import { loadStoredApp, type StoredApp } from '../../../src/server/setup/stored-app.ts';
import { openSealer, openStore, tables } from '../../../src/store/index.ts';
import { WorkTree } from '../../sandbox/support/open-sandbox.ts';
import { documentedRetention } from '../../store/documented-retention.ts';
import { testAtLength } from '../../support/describe-at-length.ts';
import { PATIENCE_MS } from '../../support/patience.ts';
import { type Browsing, readForm, type Served, startServe } from '../start-serve.ts';

/** Given while a secret is changed; the App's own stays accepted. */
const NEXT_SECRET = 'the one that GitHub will sign with soon';

let served: Served;
let key: string;
let tree: WorkTree;
let oid: string;
/** Another process on the same database: either may do the work. */
let other: { readonly url: string };
/** Whoever set up. */
let signedIn: Browsing;
beforeAll(async () => {
  served = await startServe({ WEBHOOK_SECRET: NEXT_SECRET });
  const line = served.log.find((one) => typeof one['setup'] === 'string');
  key = new URL(String(line?.['setup'])).searchParams.get('key') ?? '';
}, 240_000);
afterAll(() => served?.close());

const form = { organization: '', name: 'Docloom for tests', tier: 'full' };

/** Fills the form in, and gives what GitHub would be sent. */
async function review(browser: Browsing, more: Record<string, string> = {}) {
  const page = await browser.post('/setup/app', { ...form, github: served.forge.url, ...more });
  const text = await page.text();
  expect({ status: page.status, text }).toMatchObject({ status: 200 });
  return {
    text,
    policy: page.headers.get('content-security-policy'),
    action: readForm(text, /<form method="post" action="([^"]+)" class="buttons"/),
    manifest: readForm(text, /name="manifest" value="([^"]+)"/),
  };
}

/** What a person does on GitHub's pages; gives where GitHub leads back to. */
async function registerOnForge(
  browser: Browsing,
  asked: { action: string; manifest: string },
): Promise<string> {
  const confirm = await (await browser.post(asked.action, { manifest: asked.manifest })).text();
  const answer = await browser.post(
    `${served.forge.url}${readForm(confirm, /<form method="post" action="([^"]+)"/)}`,
    {
      manifest: readForm(confirm, /name="manifest" value="([^"]+)"/),
      state: readForm(confirm, /name="state" value="([^"]*)"/),
      name: readForm(confirm, /name="name" type="text" value="([^"]*)"/),
    },
  );
  expect(answer.status).toBe(302);
  return answer.headers.get('location') ?? '';
}

test('nobody can set up the App without the key, and no delivery is accepted', async () => {
  const browser = served.browse();
  expect(await (await browser.get('/')).text()).toContain('This server has no GitHub App yet');
  expect(await (await browser.get('/setup')).text()).toContain('Set-up key');
  const wrong = await browser.post('/setup/key', { key: `${key}x` });
  expect([wrong.status, wrong.headers.getSetCookie()]).toEqual([401, []]);
  expect((await browser.get('/setup?key=guess')).status).toBe(401);
  const begun = await browser.post('/setup/app', { ...form, github: served.forge.url });
  expect([begun.status, begun.headers.get('location')]).toEqual([303, '/setup']);
  expect((await browser.get('/setup/registered?code=x&state=y')).headers.get('location')).toBe('/setup');
  expect((await browser.post('/setup/key', { key }, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  expect(await deliver(served.url, 'a secret of nobody')).toBe(503);
});

test('invalid input is reported, and stays in the form', async () => {
  const browser = served.browse();
  await browser.get(`/setup?key=${key}`);
  for (const [more, sentence] of [
    [{ github: 'github.com' }, 'github.com cannot reach http://127.0.0.1'],
    [{ github: 'http://user:pass@host' }, 'Enter the address of your GitHub'],
    [{ github: '' }, 'Enter the address of your GitHub'],
    [{ organization: 'two words' }, 'Enter the organization'],
    [{ organization: '../x' }, 'Enter the organization'],
    [{ name: ' ' }, 'Enter a name'],
    [{ name: 'x'.repeat(35) }, 'Enter a name'],
  ] as const) {
    const fields = { ...form, github: served.forge.url, name: '<Mine>', ...more };
    const answer = await browser.post('/setup/app', fields);
    const text = await answer.text();
    expect([answer.status, text.includes(sentence), text.includes('<Mine>')], sentence).toEqual([
      400,
      true,
      false,
    ]);
  }
});

test('an answer to another request, a forged one and an invalid code are refused', async () => {
  const browser = served.browse();
  await browser.get(`/setup?key=${key}`);
  const asked = await review(browser, { organization: 'octo-org', tier: 'read-only' });
  expect(new URL(asked.action).pathname).toBe('/organizations/octo-org/settings/apps/new');
  expect(JSON.parse(asked.manifest)).toMatchObject({
    default_permissions: { contents: 'read', pull_requests: 'read', checks: 'write' },
  });
  const forged = await browser.get('/setup/registered?code=x&state=guess');
  expect([forged.status, await forged.text()]).toEqual([
    400,
    expect.stringContaining('answer to another request'),
  ]);
  const state = new URL(asked.action).searchParams.get('state');
  const unknown = await browser.get(`/setup/registered?code=unknown&state=${state}`);
  expect([unknown.status, await unknown.text()]).toEqual([
    502,
    expect.stringContaining('does not know this code'),
  ]);
  const stranger = served.browse();
  expect((await stranger.get(`/setup/registered?code=x&state=${state}`)).headers.get('location')).toBe(
    '/setup',
  );
});

test('the App is created, runs in every process immediately, and syncs the repositories on which it is installed', async () => {
  other = await served.startAnother();
  const { cloneUrl } = await served.forge.createRepository({ owner: 'me', name: 'docs' });
  const work = join(served.folder, 'work');
  tree = new WorkTree(work, cloneUrl, served.forge.createUser('me').token);
  oid = await tree.commit({ 'README.md': '# Docs\n\n[Gone](gone.md)\n' });
  await tree.push('main');
  const browser = served.browse();
  const first = await browser.get(`/setup?key=${key}`);
  expect([first.status, first.headers.get('location')]).toEqual([303, '/setup']);
  const asked = await review(browser);
  expect(asked.text).toContain('Says on a commit whether it is live, or why not.');
  expect(asked.policy).toContain(`form-action 'self' ${served.forge.url}`);
  const back = await registerOnForge(browser, asked);
  expect(back.startsWith(`${served.url}/setup/registered?code=`)).toBe(true);
  const done = await browser.get(back);
  expect([done.status, done.headers.get('location')]).toEqual([303, '/setup']);

  const page = await (await browser.get('/setup')).text();
  expect(page).toContain('One step left');
  const install = readForm(page, /class="button" href="([^"]+)"/);
  const installed = await browser.post(install, { owner: 'me' });
  expect(installed.headers.get('location')).toMatch(
    /\/setup\/installed\?installation_id=\d+&setup_action=install$/,
  );
  await served.forge.waitForIdle();
  expect(served.forge.deliveries.at(-1)?.attempts.at(-1)?.statusCode).toBe(202);

  // The other process takes deliveries soon after.
  await vi.waitFor(async () => {
    const hook = await fetch(`${other.url}/api/github/webhooks`, { method: 'POST', body: '{}' });
    expect(hook.status).toBe(401);
  }, PATIENCE_MS);
  await vi.waitFor(
    () => expect(served.log.some((one) => one['msg'] === 'Connected to GitHub.')).toBe(true),
    PATIENCE_MS,
  );
  // Whoever set up is signed in, and the key counts no more.
  expect(await (await browser.get('/')).text()).toContain('<h1>Spaces</h1>');
  signedIn = browser;
  expect((await served.browse().get(`/setup?key=${key}`)).headers.get('location')).toBe(
    '/login?next=%2Fsetup',
  );
  expect((await served.browse().post('/setup/key', { key })).status).toBe(401);
  expect(served.forge.unexpected).toEqual([]);
});

test('the App’s secrets are stored encrypted and are in no log', async () => {
  const store = await openStore({ dataDir: served.folder, databaseUrl: served.env['DATABASE_URL'] ?? '' });
  try {
    const kept = await store.db.select().from(tables.serverSecrets);
    expect(kept.map((one) => one.name).sort()).toEqual(['github-app', 'service-token']);
    expect(JSON.stringify(kept)).not.toMatch(/BEGIN|appId/);
  } finally {
    await store.close();
  }
  expect(JSON.stringify(served.log)).not.toContain('PRIVATE KEY');
});

async function statusOf(browser: Browsing, headers: Record<string, string> = {}) {
  const answer = await browser.get('/status.json', headers);
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what this test looks at.
  return { code: answer.status, body: (await answer.json()) as any };
}

test('the status shows the live commit and the last webhook, and can start a sync', async () => {
  await vi.waitFor(async () => {
    const { body } = await statusOf(signedIn);
    expect(body.items[0]?.spaces[0]).toMatchObject({ liveOid: oid, error: null, importing: false });
  }, PATIENCE_MS);
  const body = await vi.waitFor(async () => {
    const { body } = await statusOf(signedIn);
    expect(body.items[0]).toMatchObject({
      name: 'me/docs',
      url: `${served.forge.url}/me/docs`,
      disconnected: null,
      spaces: [
        { branch: 'main', directory: '', operation: { state: 'success', counts: { pages: 1, broken: 1 } } },
      ],
      rateLimit: { limit: 5000 },
    });
    return body;
  }, PATIENCE_MS);
  const [repository] = body.items;
  const { work } = body;
  expect(work.queues.map(({ name }: { name: string }) => name)).toContain('sync.export');
  expect(work).toMatchObject({ rateLimits: expect.any(Array), schedules: expect.any(Array), failed: [] });
  const metrics = await (await fetch(`${served.url}/metrics`)).text();
  expect(metrics).toContain('# TYPE docloom_rate_limit_waiting gauge');
  expect(metrics).toContain('# TYPE docloom_links_outside gauge');
  // The proposal of a configuration, whose push is looked at too, may still be under way.
  const page = await vi.waitFor(async () => {
    const text = await (await signedIn.get('/status')).text();
    expect(text).toContain('<span class="state good">Live</span>');
    return text;
  }, PATIENCE_MS);
  expect(page).toContain('<h3 id="docloom-rate-limits">Rate limits</h3>');
  const other = await signedIn.post(`/status/jobs/${crypto.randomUUID()}/retry`, {});
  expect(other.headers.get('location')).toBe('/status?done=gone');
  expect(page).toContain(`title="${oid}"`);
  const sync = readForm(page, /action="(\/status\/\d+\/sync)"/);
  expect((await signedIn.post(sync, {}, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  const done = await signedIn.post(sync, {});
  expect([done.status, done.headers.get('location')]).toEqual([303, `/status?done=sync&of=${repository.id}`]);
  const shown = await signedIn.get(`/status?done=sync&of=${repository.id}`);
  expect(await shown.text()).toContain('me/docs is being synced.');
  // What a browser loads next, without a script.
  const again = shown.headers.get('refresh')?.replace(/^2; url=/, '') ?? '';
  await vi.waitFor(
    async () => expect(await (await signedIn.get(again)).text()).toContain('me/docs is synced; what is live'),
    PATIENCE_MS,
  );
  expect((await signedIn.post('/status/999/sync', {})).status).toBe(404);
  const gone = await signedIn.post(`/status/${repository.id}/jobs/${crypto.randomUUID()}/retry`, {});
  expect(gone.headers.get('location')).toBe('/status?done=gone');
});

test('pages, answers of the API and assets are compressed', async () => {
  const page = await signedIn.get('/', { 'accept-encoding': 'gzip, br' });
  const style = readForm(await page.text(), /<link rel="stylesheet" href="([^"]+)"/);
  const answers = [
    page,
    await fetch(`${served.url}${style}`, { headers: { 'accept-encoding': 'gzip' } }),
    await fetch(`${served.url}/v1/openapi.json`, { headers: { 'accept-encoding': 'br' } }),
  ];
  expect(answers.map(({ headers }) => headers.get('content-encoding'))).toEqual(['br', 'gzip', 'br']);
});

test('a push that cannot be imported shows the reason, on the page too', async () => {
  const bad = await tree.commit({ '.github/docloom.yml': 'spaces:\n  - directory: nowhere\n' });
  await tree.push('main');
  await vi.waitFor(async () => {
    const { body } = await statusOf(signedIn);
    const [{ spaces, configError, lastDelivery }] = body.items;
    expect(lastDelivery.event).toMatch(/^(push|pull_request)/);
    expect(spaces[0].error ?? spaces[0].disconnected ?? configError).toMatch(/\w+/);
  }, PATIENCE_MS);
  await vi.waitFor(
    () => expect(served.forge.statuses('me/docs', bad).length).toBeGreaterThan(0),
    PATIENCE_MS,
  );
});

test('a delivery that is signed with the next secret is accepted, too', async () => {
  expect(await deliver(served.url, NEXT_SECRET)).toBe(202);
  expect(await deliver(served.url, 'another one')).toBe(401);
});

test('a delivery’s id is in all log lines about it, including those of the platform', async () => {
  await tree.commit({
    '.github/docloom.yml': 'spaces:\n  - directory: .\n    title: docs\n',
    'more.md': '# More\n',
  });
  await tree.push('main');
  await vi.waitFor(() => {
    const ids = served.forge.deliveries.filter(({ event }) => event === 'push').map(({ guid }) => guid);
    const asked = served.log.filter(
      (one) => one['msg'] === 'import requested' && ids.includes(String(one['reqId'])),
    );
    const ended = asked.find(({ operation }) =>
      served.log.some(
        (one) =>
          /^git operation (done|not needed)$/.test(String(one['msg'])) && one['operation'] === operation,
      ),
    );
    expect(served.log).toContainEqual(
      expect.objectContaining({
        msg: 'delivery accepted',
        delivery: ended?.['reqId'],
        repository: 'me/docs',
      }),
    );
  }, PATIENCE_MS);
});

test('Prometheus can read metrics, only from this machine unless there is a token', async () => {
  const answer = await fetch(`${served.url}/metrics`);
  expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  const text = await answer.text();
  const both = text + (await (await fetch(`${other.url}/metrics`)).text());
  for (const line of [
    /^docloom_repositories 1$/m,
    /^docloom_space_broken_links\{space="[^"]+",title="docs"\} 1$/m,
    /^docloom_deliveries\{event="push",state="done"\} [1-9]/m,
    /^docloom_jobs\{queue="github.delivery",state="failed"\} 0$/m,
    /^docloom_job_duration_seconds_bucket\{queue="git.operation",outcome="success",le="\+Inf"\} [1-9]/m,
    /^docloom_git_operation_duration_seconds_count\{direction="import",outcome="success"\} [1-9]/m,
    /^docloom_github_requests_total\{status="200"\} [1-9]/m,
    /^docloom_webhook_requests_total\{event="push",status="202"\} [1-9]/m,
    /^docloom_github_rate_limit_remaining\{installation="\d+"\} 4\d{3}$/m,
  ])
    expect(both).toMatch(line);
  // Every line is of the format, and each name is declared once.
  for (const line of text.trimEnd().split('\n'))
    expect(line).toMatch(/^# (HELP|TYPE) [a-z_]+ .+$|^[a-z_]+(\{([a-z]+="[^"]*",?)+\})? [\d.e+-]+$/);
  const names = [...text.matchAll(/^# TYPE (\S+)/gm)].map((match) => match[1]);
  expect(new Set(names).size).toBe(names.length);
  const proxied = await fetch(`${served.url}/metrics`, { headers: { 'x-forwarded-for': '203.0.113.9' } });
  expect(proxied.status).toBe(403);
  expect((await fetch(`${served.url}/readyz`)).status).toBe(200);
});

test('other users see what the platform shows them, and can start nothing', async () => {
  const store = await openStore({ dataDir: served.folder, databaseUrl: served.env['DATABASE_URL'] ?? '' });
  try {
    const { token } = await createToken(store.db, { name: 'reader', role: 'read' });
    const authorization = `Bearer ${token}`;
    const { body } = await statusOf(served.browse(), { authorization });
    expect(body.items).toHaveLength(1);
    const reader = served.browse();
    await reader.post('/login', { token });
    expect(await (await reader.get('/status')).text()).not.toContain('Sync now');
    expect((await reader.post(`/status/${body.items[0].id}/sync`, {})).status).toBe(403);
    expect((await reader.get('/setup')).status).toBe(403);
  } finally {
    await store.close();
  }
  expect((await statusOf(served.browse())).code).toBe(401);
  expect((await statusOf(served.browse(), { authorization: 'Bearer dl_unknown' })).code).toBe(401);
  expect((await served.browse().get('/status')).headers.get('location')).toBe('/login?next=%2Fstatus');
});

/** A delivery as GitHub signs it, at one of the processes. */
async function deliver(url: string, secret: string): Promise<number> {
  const body = '{"zen":"Speak like a human."}';
  const answer = await fetch(`${url}/api/github/webhooks`, {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/json',
      'x-github-event': 'ping',
      'x-github-delivery': crypto.randomUUID(),
      'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    },
  });
  return answer.status;
}

async function storedApp(): Promise<StoredApp | null> {
  const { DATABASE_URL: databaseUrl = '', DATA_DIR: dataDir = '' } = served.env;
  const store = await openStore({ dataDir, databaseUrl });
  try {
    return await loadStoredApp(store.db, openSealer({ dataDir }));
  } finally {
    await store.close();
  }
}

/** Pushes something new, and waits until it is live. */
async function pushAndSee(text: string): Promise<void> {
  const pushed = await tree.commit({ 'README.md': `# ${text}\n` });
  await tree.push('main');
  await vi.waitFor(async () => {
    const { body } = await statusOf(signedIn);
    expect(body.items[0].spaces[0]).toMatchObject({ liveOid: pushed, error: null, disconnected: null });
  }, PATIENCE_MS);
}

test('the webhook gets a new secret without losing a delivery, in any process', async () => {
  const [before] = (await storedApp())?.webhookSecrets ?? [];
  served.forge.faults.set({ on: 'api', kind: 'status', status: 502, method: 'PATCH', times: 1 });
  const unclear = await signedIn.post('/setup/webhook-secret', {});
  expect([unclear.status, await unclear.text()]).toEqual([
    400,
    expect.stringContaining('did not confirm the new secret'),
  ]);
  const open = await storedApp();
  expect(open).toMatchObject({ webhookSecrets: [expect.any(String), before] });
  expect(open?.earlierUntil).toBeUndefined();
  expect(await (await signedIn.get('/setup')).text()).toContain('did not confirm which one it uses');

  const done = await signedIn.post('/setup/webhook-secret', {});
  expect([done.status, done.headers.get('location')]).toEqual([303, '/setup?done=secret']);
  const app = await storedApp();
  const [now = '', , first = ''] = app?.webhookSecrets ?? [];
  expect(first).toBe(before);
  expect(Date.parse(app?.earlierUntil ?? '')).toBeGreaterThan(Date.now() + 50 * 60_000);
  // The other process is told nothing, and looks where the signature fits none that it knows.
  expect(await deliver(other.url, now)).toBe(202);
  for (const url of [served.url, other.url])
    expect([await deliver(url, now), await deliver(url, first), await deliver(url, 'no')]).toEqual([
      202, 202, 401,
    ]);
  await pushAndSee('Signed anew');
  expect(await (await signedIn.get('/setup')).text()).toContain(
    'The previous one is still accepted; it expires',
  );
});

testAtLength(
  'another private key is accepted if GitHub accepts it, and the first can be deleted',
  async () => {
    const stored = await storedApp();
    const stranger = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    });
    for (const [pem, sentence] of [
      ['', 'This is not a private key'],
      ['-----BEGIN RSA PRIVATE KEY-----\nx\n-----END RSA PRIVATE KEY-----', 'This is not a private key'],
      [stranger.privateKey, 'does not accept this key'],
    ] as const) {
      const answer = await signedIn.post('/setup/private-key', { pem });
      const text = await answer.text();
      expect([answer.status, text.includes(sentence), text.includes('BEGIN RSA PRIVATE KEY-----\n')]).toEqual(
        [400, true, false],
      );
    }
    const page = await (await signedIn.post(`${served.forge.url}/apps/${stored?.slug}/keys`, {})).text();
    const pem = readForm(page, /(-----BEGIN [^<]+-----END RSA PRIVATE KEY-----)/);
    const done = await signedIn.post('/setup/private-key', { pem: `\r\n${pem}\r\n` });
    expect([done.status, done.headers.get('location')]).toEqual([303, '/setup?done=key']);
    expect((await storedApp())?.privateKey).toBe(`${pem.trim()}\n`);
    await pushAndSee('Another key');
    expect(JSON.stringify(served.log)).not.toMatch(/PRIVATE KEY-----/);
  },
);

test('users who may not set up the App can change nothing', async () => {
  const before = await storedApp();
  const forged = { 'sec-fetch-site': 'cross-site' };
  for (const path of ['/setup/webhook-secret', '/setup/private-key', '/setup/remove']) {
    expect((await served.browse().post(path, {})).headers.get('location')).toBe('/setup');
    expect((await signedIn.post(path, {}, forged)).status).toBe(403);
  }
  expect((await served.browse().get('/setup/remove')).headers.get('location')).toBe('/setup');
  expect(await storedApp()).toEqual(before);
});

testAtLength('the App is removed while all processes keep running, and another one replaces it', async () => {
  const [secret = ''] = (await storedApp())?.webhookSecrets ?? [];
  // A check whose verdict cannot be told while the App is there.
  await tree.git('checkout', '--quiet', '-b', 'late');
  const head = await tree.commit({ 'late.md': '# Late\n\n[Gone](gone.md)\n' });
  const path = /\/check-runs\//;
  const fault = served.forge.faults.set({ on: 'api', kind: 'status', status: 502, method: 'PATCH', path });
  await tree.push('late');
  await fetch(`${served.forge.apiUrl}/repos/me/docs/pulls`, {
    method: 'POST',
    headers: { authorization: `Bearer ${served.forge.createUser('me').token}` },
    body: JSON.stringify({ title: 'Late', head: 'late', base: 'main' }),
  });
  const checks = () => served.forge.checkRuns('me/docs', head);
  await vi.waitFor(() => expect(fault.struck).toBeGreaterThan(0), PATIENCE_MS);
  expect(checks()).toMatchObject([{ status: 'in_progress' }]);
  const page = await (await signedIn.get('/setup/remove')).text();
  expect(page).toContain('Remove Docloom for tests from this server?');
  fault.clear();
  const done = await signedIn.post('/setup/remove', {});
  expect([done.status, done.headers.get('location')]).toEqual([303, '/setup?done=removed']);
  expect(await (await signedIn.get('/setup?done=removed')).text()).toMatch(
    /The App was removed from this server[\s\S]*Create your GitHub App/,
  );
  expect(await storedApp()).toBeNull();
  await vi.waitFor(async () => {
    for (const url of [served.url, other.url]) expect(await deliver(url, secret)).toBe(503);
  }, PATIENCE_MS);
  await vi.waitFor(() => expect(checks()).toMatchObject([{ status: 'completed' }]), PATIENCE_MS);
  const { body } = await statusOf(signedIn);
  expect(body.items[0].disconnected).toContain('The GitHub App of this server was removed');
  expect(await (await signedIn.get('/')).text()).toContain('<span class="state wait">Disconnected</span>');
  expect(body.items[0].spaces[0].liveOid).toMatch(/^[0-9a-f]{40}$/);
  // What the platform does for itself goes on, also where the App's work rests.
  expect((await fetch(`${other.url}/readyz`)).status).toBe(200);
  const keys = served.log.flatMap((one) => (typeof one['setup'] === 'string' ? [one['setup']] : []));
  expect(new URL(keys.at(-1) ?? '').searchParams.get('key')).not.toBe(key);

  const asked = await review(signedIn, { name: 'The next one' });
  const back = await registerOnForge(signedIn, asked);
  expect((await signedIn.get(back)).headers.get('location')).toBe('/setup');
  const install = readForm(await (await signedIn.get('/setup')).text(), /class="button" href="([^"]+)"/);
  await signedIn.post(install, { owner: 'me' });
  await tree.git('checkout', '--quiet', 'main');
  await pushAndSee('The next one');
  const { body: after } = await statusOf(signedIn);
  expect(after.items).toHaveLength(1);
  expect(served.forge.unexpected).toEqual([]);
});

test('whatever the server writes into DATA_DIR is in the documentation, with its limit', async () => {
  const names = documentedRetention().folders.map(({ name }) => name);
  for (const name of await readdir(served.env['DATA_DIR'] ?? '')) expect(names).toContain(`DATA_DIR/${name}`);
});
