import Type from 'typebox';
import { expect, test } from 'vitest';
import { maximumLimit } from '../../../src/contract/index.ts';
import { readCursor, writeCursor } from '../../../src/platform/api/cursor.ts';

/** What the contract lets a cursor be. */
const MAX_CURSOR = 8_192;
const Key = Type.Tuple([Type.String(), Type.Integer()]);

const segments = (segment: string) => Array.from({ length: 16 }, () => segment).join('/');

test.each([
  ['short', 'docs/a.md'],
  ['quotation marks', segments('"'.repeat(250))],
  ['backslashes and quotation marks', segments('\\"'.repeat(125))],
  ['control characters', segments('\u0001'.repeat(250))],
  ['three bytes a character', segments('漢'.repeat(250))],
  ['four bytes a character', segments('😀'.repeat(125))],
  ['percent signs', segments('%22'.repeat(83))],
])('a cursor with a path of 4,000 characters is accepted: %s', (_name, path) => {
  const page = writeCursor('files', [path, maximumLimit]);
  expect(page.length).toBeLessThanOrEqual(MAX_CURSOR);
  expect(page).toMatch(/^[\w.-]+$/);
  expect(readCursor('files', Key, { page })).toEqual([path, maximumLimit]);
  expect(() => readCursor('links', Key, { page })).toThrow();
});

test('a cursor that would take much memory is refused', () => {
  const page = writeCursor('files', ['a'.repeat(10_000_000), 1]);
  expect(page.length).toBeLessThan(20_000);
  expect(() => readCursor('files', Key, { page })).toThrow();
});
