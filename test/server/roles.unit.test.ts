import { expect, it } from 'vitest';
import { isQueueName, worksOn } from '../../src/server/roles.ts';

it.each([
  ['all', [], 'git.operation', true],
  ['worker', [], 'git.operation', true],
  ['web', [], 'git.operation', false],
  ['worker', ['git'], 'git.operation', true],
  ['worker', ['git'], 'github.delivery', false],
  ['worker', ['sync.openapi', 'git'], 'sync.openapi', true],
  ['worker', ['sync.openapi', 'git'], 'sync.export', false],
] as const)('a process of role %s with the queues %j: %s is %s', (role, queues, kind, expected) => {
  expect(worksOn({ role, queues })(kind)).toBe(expected);
});

it('knows families and kinds of jobs', () => {
  expect(['git', 'git.operation', 'gi', 'git.', ''].map(isQueueName)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});
