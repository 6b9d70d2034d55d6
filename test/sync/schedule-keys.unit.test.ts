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

const long = (directory: string): ScheduledWork => ({
  kind: 'translation',
  repositoryId: 7,
  directory,
  language: 'de',
});

test('two long directories that begin alike have keys of their own', () => {
  const parent = 'documentation/'.repeat(8);
  expect(Buffer.from(parent)).toHaveLength(112);
  const keys = [parent, `${parent}a`, `${parent}b`, `${parent}b/c`].map((path) =>
    writeScheduleKey(long(path)),
  );
  expect(new Set(keys).size).toBe(4);
  for (const key of keys) {
    expect(readScheduleKey('translation', key)).toMatchObject({ repositoryId: 7, language: 'de' });
  }
  // A directory that fits keeps the key that is stored.
  expect(keys[0]).toBe(`7/${Buffer.from(parent).toString('base64url')}.de`);
});

test('the key that 0.1.0 stored for a long directory is read', () => {
  const stored = `7/${Buffer.from('documentation/'.repeat(20)).toString('base64url').slice(0, 150)}.de`;
  expect(readScheduleKey('translation', stored)).toEqual(long('documentation/'.repeat(8)));
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
