import { Probot } from 'probot';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createOctokitClass } from '../../src/github/octokit.ts';
import { type Lanes, openLanes } from '../../src/queue/index.ts';
import { APP_ID, keys, openSandbox, type Sandbox } from '../sandbox/support/open-sandbox.ts';

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await openSandbox();
  await sandbox.forge.createRepository({ owner: 'acme', name: 'docs' });
});

afterEach(() => {
  vi.useRealTimers();
});

afterAll(async () => {
  await sandbox?.close();
});

function openProbot(lanes: Lanes): Probot {
  return new Probot({
    appId: APP_ID,
    privateKey: keys.privateKey,
    secret: 'x',
    logLevel: 'fatal',
    baseUrl: sandbox.forge.apiUrl,
    Octokit: createOctokitClass({ lanes }),
  });
}

test('a token that was revoked before its time is renewed once, for all calls that meet it', async () => {
  const { installationId } = sandbox.forge.installApp({ owner: 'acme', repositories: 'all' });
  const lanes = openLanes();
  const octokit = await openProbot(lanes).auth(installationId);
  const read = () => octokit.rest.repos.get({ owner: 'acme', repo: 'docs' });
  await read();
  await octokit.rest.apps.revokeInstallationAccessToken();
  // A token of the last five seconds is thought to be not yet known everywhere, and simply used again.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10_000 });
  const answers = await Promise.all([read(), read(), read()]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  const made = sandbox.forge.apiLog.filter(({ path }) => path.endsWith('/access_tokens'));
  expect(made).toHaveLength(2);
  lanes.close();
});

test('where GitHub asks for a long pause, the work is put off, and no call is made before its end', async () => {
  const { installationId } = sandbox.forge.installApp({ owner: 'acme', repositories: 'all' });
  const lanes = openLanes();
  const octokit = await openProbot(lanes).auth(installationId);
  const read = () => octokit.rest.repos.get({ owner: 'acme', repo: 'docs' });
  await read();
  sandbox.forge.faults.set({ on: 'api', kind: 'secondary-limit', retryAfterSeconds: 600, times: 1 });
  const asked = sandbox.forge.apiLog.length;
  await expect(read()).rejects.toMatchObject({
    name: 'Postponed',
    message: expect.stringMatching(/goes on at/),
  });
  await expect(read()).rejects.toMatchObject({ name: 'Postponed' });
  expect(sandbox.forge.apiLog.slice(asked)).toHaveLength(1);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 601_000 });
  expect((await read()).status).toBe(200);
  lanes.close();
});
