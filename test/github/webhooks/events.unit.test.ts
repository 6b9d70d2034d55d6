import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import { readDelivery } from '../../../src/github/webhooks/read-delivery.ts';

/** GitHub's own example payloads of every event. */
const examples = createRequire(import.meta.url)('@octokit/webhooks-examples') as unknown as {
  readonly name: string;
  readonly examples: readonly Record<string, unknown>[];
}[];

/** Each event that the App works on, by its full name. */
const LISTENED = new Set([
  'push',
  ...['opened', 'synchronize', 'reopened', 'edited', 'ready_for_review', 'closed'].map(
    (one) => `pull_request.${one}`,
  ),
  ...['created', 'deleted', 'suspend', 'unsuspend', 'new_permissions_accepted'].map(
    (one) => `installation.${one}`,
  ),
  ...['added', 'removed'].map((one) => `installation_repositories.${one}`),
  ...['renamed', 'transferred', 'archived', 'unarchived', 'deleted'].map((one) => `repository.${one}`),
  ...['privatized', 'publicized', 'edited'].map((one) => `repository.${one}`),
  'check_run.rerequested',
  'check_run.requested_action',
  'check_suite.requested',
  'check_suite.rerequested',
  'merge_group.checks_requested',
  ...['opened', 'edited', 'labeled', 'unlabeled', 'deleted', 'transferred'].map((one) => `issues.${one}`),
  ...['created', 'edited', 'deleted'].map((one) => `issue_comment.${one}`),
  ...['created', 'edited', 'deleted'].map((one) => `pull_request_review_comment.${one}`),
  ...['created', 'edited', 'labeled', 'unlabeled', 'category_changed', 'deleted', 'transferred'].map(
    (one) => `discussion.${one}`,
  ),
  ...['created', 'edited', 'deleted'].map((one) => `discussion_comment.${one}`),
]);

function read(event: string, payload: unknown) {
  return readDelivery({ delivery: 'guid', event }, Buffer.from(JSON.stringify(payload)));
}

describe('every example payload of GitHub is accepted:', () => {
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
        const listened = LISTENED.has(full);
        expect([full, delivery.state]).toEqual([full, listened ? 'received' : 'ignored']);
        expect(work === null).toBe(!listened);
      }
    },
  );
});

test('a delivery has its repository and installation', () => {
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
  ['repository', { action: 'renamed' }, 'repository'],
  ['issues', { action: 'labeled' }, 'issue/1'],
  ['issue_comment', { action: 'created' }, 'issue/1'],
  ['check_run', { action: 'rerequested' }, /^checks\/[0-9a-f]{40}$/],
  [
    'merge_group',
    {
      action: 'checks_requested',
      merge_group: {
        head_sha: 'a',
        base_sha: 'b',
        base_ref: 'refs/heads/main',
        head_ref: 'refs/heads/gh-readonly-queue/main/pr-7-b',
      },
      repository: { id: 5, name: 'docs', full_name: 'acme/docs', owner: { login: 'acme' } },
    },
    'pull/7',
  ],
])('the work of %s has a subject', (name, changes, subject) => {
  const payload = examples.find((one) => one.name === name)?.examples[0];
  const sent: Record<string, unknown> = { ...payload, ...changes, installation: { id: 1 } };
  const { id } = sent['repository'] as { id: number };
  const expected = typeof subject === 'string' ? subject : expect.stringMatching(subject);
  expect(read(name, sent).work).toEqual({ repositoryId: id, subject: expected });
});

test('the work of an installation is ordered by the installation, not by a repository', () => {
  const { work } = read('installation', { action: 'created', installation: { id: 3 }, repositories: [] });
  expect(work).toEqual({ repositoryId: null, subject: 'installation/3' });
});
