import { expect, test } from 'vitest';
import { readScheduleKey, type ScheduledWork, writeScheduleKey } from '../../src/sync/schedule-keys.ts';

const KEYS: readonly (readonly [string, ScheduledWork])[] = [
  ['7', { kind: 'external-links', repositoryId: 7 }],
  ['7/petstore', { kind: 'specification', repositoryId: 7, name: 'petstore' }],
  ['7/.de', { kind: 'translation', repositoryId: 7, directory: '', language: 'de' }],
  [
    '7/ZG9jcy_DvGJlciB1bnM.pt-br',
    { kind: 'translation', repositoryId: 7, directory: 'docs/über uns', language: 'pt-br' },
  ],
];

test.each(KEYS)('the key %s is written and read', (key, work) => {
  expect(writeScheduleKey(work)).toBe(key);
  expect(readScheduleKey(work.kind, key)).toEqual(work);
});

test('the key of a translation has room for every folder', () => {
  const directory = 'docs/'.repeat(100);
  const key = writeScheduleKey({
    kind: 'translation',
    repositoryId: 2 ** 40,
    directory,
    language: 'zh-hant-hk',
  });
  expect(key.length).toBeLessThanOrEqual(200);
  expect(key).toMatch(/^[\w./-]+$/);
});
