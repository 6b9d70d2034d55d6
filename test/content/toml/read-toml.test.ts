import { expect, test } from 'vitest';
import { readToml } from '../../../src/content/toml/index.ts';

test('a file is read as values, and one that is invalid says why', () => {
  expect(readToml('[book]\ntitle = "A"\n')).toEqual({
    values: { book: { title: 'A' } },
    error: null,
    isRead: true,
  });
  expect(readToml('a = [')).toMatchObject({ values: undefined, error: expect.any(String), isRead: false });
});

test.each([
  ['a dotted key', (depth: number) => `${'a.'.repeat(depth)}b = 1\n`],
  ['the name of a table', (depth: number) => `[${'a.'.repeat(depth)}b]\n`],
  ['inline tables', (depth: number) => `a = ${'{a='.repeat(depth)}1${'}'.repeat(depth)}\n`],
])('%s that nests too deeply is invalid, and no other', (_name, nested) => {
  expect(readToml(nested(90)).isRead).toBe(true);
  expect(readToml(nested(10_000)).isRead).toBe(false);
});
