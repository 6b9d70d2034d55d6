import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import { readDelivery } from '../../../src/github/webhooks/read-delivery.ts';

/** GitHub's own example payloads of every event. */
const examples = createRequire(import.meta.url)('@octokit/webhooks-examples') as unknown as {
  readonly name: string;
  readonly examples: readonly Record<string, unknown>[];
}[];

function read(event: string, payload: unknown) {
  return readDelivery({ delivery: 'guid', event }, Buffer.from(JSON.stringify(payload)));
}

describe('every example payload of GitHub is taken:', () => {
  test.each(examples.map(({ name, examples: payloads }) => [name, payloads] as const))(
    '%s',
    (name, payloads) => {
      for (const payload of payloads) {
        // Examples of webhooks of a repository name no installation; those that an App gets always do.
        const { delivery, work } = read(name, {
          ...payload,
          installation: payload['installation'] ?? { id: 1 },
        });
        const full = delivery.action === null ? name : `${name}.${delivery.action}`;
        const listened = /^(push|pull_request\.(opened|synchronize|reopened|edited))$/.test(full);
        expect([full, delivery.state]).toEqual([full, listened ? 'received' : 'ignored']);
        expect(work === null).toBe(!listened);
      }
    },
  );
});

test('a delivery knows its repository and installation', () => {
  const push = examples.find((one) => one.name === 'push')?.examples[0] as { repository: { id: number } };
  expect(read('push', { ...push, installation: { id: 5 } }).delivery).toMatchObject({
    installationId: 5,
    repositoryId: push.repository.id,
    repository: expect.stringContaining('/'),
  });
});

test.each([
  ['push', { ref: 'refs/tags/simple-tag' }, 'refs/tags/simple-tag'],
  ['pull_request', { action: 'opened' }, 'pull/2'],
])('the work of %s has a subject', (name, changes, subject) => {
  const payload = examples.find((one) => one.name === name)?.examples[0];
  const repositoryId = (payload as { repository: { id: number } }).repository.id;
  const { work } = read(name, { ...payload, ...changes, installation: { id: 1 } });
  expect(work).toEqual({ repositoryId, subject });
});
