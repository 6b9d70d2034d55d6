import { expect, test } from 'vitest';
import { readToml, tomlAt } from '../../../src/content/formats/read-toml.ts';

test('a file is parsed once while it is asked for again and again', () => {
  const text = '[book]\ntitle = "A"\n';
  const values = readToml(text);
  expect(tomlAt(values, 'book', 'title')).toBe('A');
  expect(readToml(`${text}`)).toBe(values);
  expect(readToml('a = 1')).toEqual({ a: 1 });
  expect(readToml(text)).toEqual(values);
});

test.each([
  ['a dotted key', (depth: number) => `${'a.'.repeat(depth)}b = 1\n`],
  ['the name of a table', (depth: number) => `[${'a.'.repeat(depth)}b]\n`],
  ['inline tables', (depth: number) => `a = ${'{a='.repeat(depth)}1${'}'.repeat(depth)}\n`],
])('%s that nests too deeply is invalid, and no other', (_name, nested) => {
  expect(readToml(nested(90))).not.toBeNull();
  expect(readToml(nested(10_000))).toBeNull();
});
