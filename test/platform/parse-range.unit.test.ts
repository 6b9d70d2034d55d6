import { expect, it } from 'vitest';
import { parseRange } from '../../src/platform/content/parse-range.ts';

/** Header, size of the file, the range. */
const cases: readonly (readonly [string | undefined, number, ReturnType<typeof parseRange>])[] = [
  [undefined, 10, 'whole'],
  ['bytes=0-3', 10, { start: 0, end: 3 }],
  ['bytes=4-', 10, { start: 4, end: 9 }],
  ['bytes=4-400', 10, { start: 4, end: 9 }],
  ['bytes=-3', 10, { start: 7, end: 9 }],
  ['bytes=-30', 10, { start: 0, end: 9 }],
  ['bytes=9-9', 10, { start: 9, end: 9 }],
  ['bytes=10-', 10, 'none'],
  ['bytes=-0', 10, 'none'],
  ['bytes=0-', 0, 'none'],
  ['bytes=0-1,4-5', 10, 'whole'],
  ['bytes=5-2', 10, 'whole'],
  ['bytes=-', 10, 'whole'],
  ['lines=1-2', 10, 'whole'],
  ['bytes=a-b', 10, 'whole'],
];

it.each(cases)('%s of %d bytes', (header, size, range) => {
  expect(parseRange(header, size)).toEqual(range);
});
