/** Deliveries are signed, tried, remembered, sent again, and go wrong on demand. */
import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { waitFor } from '../support/wait-for.ts';
import { openSandbox, type Sandbox, SECRET, WorkTree } from './support/open-sandbox.ts';

let sandbox: Sandbox;
let tree: WorkTree;

beforeEach(async () => {
  sandbox = await openSandbox();
  const { token } = sandbox.forge.createUser('writer');
  const repository = await sandbox.forge.createRepository({ owner: 'writer', name: 'docs' });
  sandbox.forge.installApp({ owner: 'writer', repositories: 'all' });
  tree = new WorkTree(join(sandbox.folder, 'work'), repository.cloneUrl, token);
  await sandbox.forge.waitForIdle();
  sandbox.received.length = 0;
});
afterEach(() => sandbox.close());

async function push(message: string): Promise<void> {
  await tree.commit({}, message);
  await tree.push('main');
}

const arrived = (): string[] => sandbox.received.map(({ payload }) => payload.head_commit.message);
const guids = (): string[] => sandbox.received.map(({ headers }) => String(headers['x-github-delivery']));

describe('a delivery', () => {
  it('carries the headers of GitHub and a signature over its exact bytes', async () => {
    await push('One');
    await sandbox.forge.waitForIdle();
    const [{ headers, body } = { headers: {}, body: '' }] = sandbox.received;
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'x-github-event': 'push',
      'x-github-hook-id': expect.stringMatching(/^\d+$/),
      'x-github-delivery': expect.stringMatching(/^[0-9a-f-]{36}$/),
      'user-agent': expect.stringMatching(/^GitHub-Hookshot\//),
      'x-hub-signature-256': `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`,
    });
  });

  it('that fails is listed, and sent again under the same id on request', async () => {
    sandbox.answerWith = 500;
    await push('One');
    await sandbox.forge.waitForIdle();
    const app = sandbox.octokit(await sandbox.jwt()).rest.apps;
    const failed = (await app.listWebhookDeliveries()).data.filter(
      (candidate) => candidate.status_code === 500,
    );
    expect(failed).toMatchObject([
      { event: 'push', redelivery: false, status: 'Invalid HTTP Response: 500' },
    ]);
    sandbox.answerWith = 202;
    await app.redeliverWebhookDelivery({ delivery_id: failed[0]?.id ?? 0 });
    await sandbox.forge.waitForIdle();
    expect(new Set(guids()).size).toBe(1);
    expect(
      sandbox.forge.deliveries.at(-1)?.attempts.map((attempt) => [attempt.statusCode, attempt.redelivery]),
    ).toEqual([
      [500, false],
      [202, true],
    ]);
    const detail = await app.getWebhookDelivery({ delivery_id: failed[0]?.id ?? 0 });
    expect(detail.data.response.payload).toBe('thanks');
  });

  it('is listed by cursor, newest first', async () => {
    for (const message of ['One', 'Two', 'Three']) await push(message);
    await sandbox.forge.waitForIdle();
    const app = sandbox.octokit(await sandbox.jwt());
    const ids = (await app.paginate(app.rest.apps.listWebhookDeliveries, { per_page: 1 })).map(
      (candidate) => candidate.id,
    );
    expect(ids).toHaveLength(4);
    expect(ids).toEqual(ids.toSorted((a, b) => b - a));
  });

  it('survives a restart, and can be sent again', async () => {
    await push('One');
    await sandbox.forge.waitForIdle();
    const guid = sandbox.forge.deliveries.at(-1)?.guid ?? '';
    await sandbox.restart();
    sandbox.forge.redeliver(guid);
    await sandbox.forge.waitForIdle();
    expect(guids()).toEqual([guid, guid]);
  });
});

describe('faults', () => {
  it('duplicate a delivery under one id', async () => {
    const fault = sandbox.forge.faults.set({ on: 'webhook', kind: 'duplicate', times: 1 });
    await push('One');
    await push('Two');
    await sandbox.forge.waitForIdle();
    expect(arrived().toSorted()).toEqual(['One', 'One', 'Two']);
    expect(new Set(guids()).size).toBe(2);
    expect(fault.struck).toBe(1);
  });

  it('re-order deliveries', async () => {
    sandbox.forge.faults.set({ on: 'webhook', kind: 'reorder', count: 2, times: 1 });
    for (const message of ['One', 'Two', 'Three']) await push(message);
    await sandbox.forge.waitForIdle();
    expect(arrived()).toEqual(['Two', 'One', 'Three']);
  });

  it('send what they delay when they are cleared', async () => {
    sandbox.forge.faults.set({ on: 'webhook', kind: 'reorder', count: 9 });
    await push('One');
    await sandbox.forge.waitForIdle();
    expect(arrived()).toEqual([]);
    sandbox.forge.faults.clear();
    await sandbox.forge.waitForIdle();
    expect(arrived()).toEqual(['One']);
  });

  it('delay a delivery past the ones after it', async () => {
    sandbox.forge.faults.set({ on: 'webhook', kind: 'delay', delayMs: 60_000, times: 1 });
    const text = await tree.commit({}, 'One');
    const two = await tree.commit({}, 'Two');
    await tree.push(`${text}:refs/heads/main`, `${two}:refs/heads/next`);
    await waitFor(() => arrived().length === 1);
    // What is late comes when the fault is switched off.
    sandbox.forge.faults.clear();
    await sandbox.forge.waitForIdle();
    expect(arrived()).toEqual(['Two', 'One']);
  });

  it('drop what they match, so that it can be found and requested again', async () => {
    const match = ({ payload }: { payload: unknown }): boolean =>
      (payload as { head_commit: { message: string } }).head_commit.message === 'One';
    sandbox.forge.faults.set({ on: 'webhook', kind: 'drop', match });
    await push('One');
    await push('Two');
    await sandbox.forge.waitForIdle();
    expect(arrived()).toEqual(['Two']);
    const app = sandbox.octokit(await sandbox.jwt()).rest.apps;
    const [lost] = (await app.listWebhookDeliveries()).data.filter((candidate) => candidate.status !== 'OK');
    await app.redeliverWebhookDelivery({ delivery_id: lost?.id ?? 0 });
    await sandbox.forge.waitForIdle();
    expect(arrived()).toEqual(['Two', 'One']);
  });

  it.each([
    [{ kind: 'status', status: 503 }, 503, {}],
    [{ kind: 'secondary-limit', retryAfterSeconds: 7 }, 403, { 'retry-after': '7' }],
    [{ kind: 'too-many-requests', retryAfterSeconds: 3 }, 429, { 'retry-after': '3' }],
  ] as const)('answer an API request with %o', async (fault, status, headers) => {
    sandbox.forge.faults.set({ on: 'api', ...fault, method: 'GET', path: /^\/repos\//, times: 1 });
    const ask = () => fetch(`${sandbox.forge.apiUrl}/repos/writer/docs`);
    const struck = await ask();
    expect(struck.status).toBe(status);
    expect(Object.fromEntries(struck.headers)).toMatchObject(headers);
    expect((await ask()).status).toBe(200);
  });

  it('slow an API request down, and still respond normally', async () => {
    sandbox.forge.faults.set({ on: 'api', kind: 'slow', slowMs: 300, times: 1 });
    const started = performance.now();
    expect((await fetch(`${sandbox.forge.apiUrl}/repos/writer/docs`)).status).toBe(200);
    expect(performance.now() - started).toBeGreaterThan(290);
  });

  it('fail a git client', async () => {
    sandbox.forge.faults.set({ on: 'git', kind: 'status', status: 503 });
    await expect(push('One')).rejects.toThrow('503');
    sandbox.forge.faults.clear();
    await push('Two');
  });
});
