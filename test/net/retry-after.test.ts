import { describe, expect, it } from 'vitest';
import { backoff, parseRetryAfter } from '../../src/net/retry-after.ts';

const now = Date.parse('2024-05-01T12:00:00Z');

describe('parseRetryAfter', () => {
  it.each([
    ['120', 120_000],
    [' 0 ', 0],
    ['Wed, 01 May 2024 12:00:30 GMT', 30_000],
    ['Wednesday, 01-May-24 12:00:30 GMT', 30_000],
    ['Wed, 01 May 2024 11:00:00 GMT', 0],
    ['-5', null],
    ['1.5', null],
    ['soon', null],
    ['2024', 2_024_000],
    ['2024-05-01', null],
    ['', null],
    [null, null],
    [undefined, null],
  ])('%j is %j ms', (value, expected) => {
    expect(parseRetryAfter(value, now)).toBe(expected);
  });
});

describe('backoff', () => {
  it('doubles up to its cap, less at most a half', () => {
    expect([0, 1, 2, 3].map((attempt) => backoff(attempt, 100, 400, () => 1))).toEqual([100, 200, 400, 400]);
    expect(backoff(1, 100, 400, () => 0)).toBe(100);
  });
});
