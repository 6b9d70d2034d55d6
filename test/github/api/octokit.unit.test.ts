import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { openAppAccess } from '../../../src/github/api/app-access.ts';
import type { Octokit } from '../../../src/github/api/octokit.ts';
import { type CallQueues, openCallQueues } from '../../../src/queue/index.ts';
import { APP_ID, keys, openSandbox, type Sandbox } from '../../sandbox/support/open-sandbox.ts';

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

function actAs(
  installationId: number,
  lanes: CallQueues,
  signal = new AbortController().signal,
): Promise<Octokit> {
  const credentials = { appId: APP_ID, privateKey: keys.privateKey, webhookSecrets: ['x'] };
  const { host: gheHost } = new URL(sandbox.forge.apiUrl);
  const log = pino({ level: 'silent' });
  return openAppAccess({ ...credentials, gheHost, gheProtocol: 'http' }, lanes, log).on(installationId, {
    signal,
    delivery: 'delivery-1',
  });
}

test('a token that was revoked early is renewed once, for all calls that fail with it', async () => {
  const { installationId } = sandbox.forge.installApp({ owner: 'acme', repositories: 'all' });
  const lanes = openCallQueues();
  const octokit = await actAs(installationId, lanes);
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

test('where GitHub requests a long pause, the work is postponed, and no call is made before the pause is over', async () => {
  const { installationId } = sandbox.forge.installApp({ owner: 'acme', repositories: 'all' });
  const lanes = openCallQueues();
  const octokit = await actAs(installationId, lanes);
  const read = () => octokit.rest.repos.get({ owner: 'acme', repo: 'docs' });
  await read();
  sandbox.forge.faults.set({ on: 'api', kind: 'secondary-limit', retryAfterSeconds: 600, times: 1 });
  const asked = sandbox.forge.apiLog.length;
  await expect(read()).rejects.toMatchObject({
    name: 'Postponed',
    message: expect.stringMatching(/continues at/),
  });
  await expect(read()).rejects.toMatchObject({ name: 'Postponed' });
  expect(sandbox.forge.apiLog.slice(asked)).toHaveLength(1);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 601_000 });
  expect((await read()).status).toBe(200);
  lanes.close();
});

test('calls stop with their work, and no other calls do', async () => {
  const { installationId } = sandbox.forge.installApp({ owner: 'acme', repositories: 'all' });
  const lanes = openCallQueues();
  const stopped = new AbortController();
  const [octokit, other] = await Promise.all([
    actAs(installationId, lanes, stopped.signal),
    actAs(installationId, lanes),
  ]);
  const read = (one: Octokit) => one.rest.repos.get({ owner: 'acme', repo: 'docs' });
  await read(octokit);
  stopped.abort(new Error('The job ended.'));
  await expect(read(octokit)).rejects.toThrow('The job ended.');
  expect((await read(other)).status).toBe(200);
  lanes.close();
});
