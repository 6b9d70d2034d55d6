import { expect, test } from 'vitest';
import { isOutOfReach } from '../../../src/github/api/errors.ts';
import { readRetryPlan } from '../../../src/github/api/retry-plan.ts';

function failure(status: number, headers: Record<string, string> = {}, message = 'No.'): Error {
  return Object.assign(new Error(message), { status, response: { headers } });
}

const get = { attempt: 1, method: 'GET', url: '/repos/acme/docs' };
const post = { attempt: 1, method: 'POST', url: '/repos/acme/docs/check-runs' };
const status = { attempt: 1, method: 'POST', url: '/repos/acme/docs/statuses/abc' };
const soon = { delayMs: expect.any(Number), delays: 'call' };
const inThreeSeconds = { delayMs: 3000, delays: 'queue' };

test.each([
  ['a read that met 502', failure(502), get, soon],
  ['a commit status that met 500: the same status again does no harm', failure(500), status, soon],
  ['a check run that met 500: it may have been made', failure(500), post, null],
  ['429 with Retry-After', failure(429, { 'retry-after': '3' }), post, inThreeSeconds],
  ['403 with Retry-After', failure(403, { 'retry-after': '3' }), post, inThreeSeconds],
  [
    'a secondary limit without a time',
    failure(403, {}, 'You have exceeded a secondary rate limit.'),
    get,
    {
      delayMs: 60_000,
      delays: 'queue',
    },
  ],
  [
    'a longer wait than a worker should be occupied for',
    failure(429, { 'retry-after': '600' }),
    get,
    { delayMs: 600_000, delays: 'work' },
  ],
  ['403 without a limit', failure(403), get, null],
  ['404', failure(404), get, null],
  ['422', failure(422), post, null],
  ['the fourth try', failure(502), { ...get, attempt: 4 }, null],
  ['a fault that is no answer', new TypeError('x is not a function'), get, null],
])('%s', (_name, error, call, plan) => {
  expect(readRetryPlan(error, call)).toEqual(plan);
});

test('an exhausted quota waits until its reset, where that is near', () => {
  const reset = String(Math.floor(Date.now() / 1000) + 10);
  const plan = readRetryPlan(failure(403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset }), get);
  expect(plan?.delays).toBe('queue');
  expect(plan?.delayMs).toBeGreaterThan(9_000);
  expect(plan?.delayMs).toBeLessThan(12_000);
});

test.each([
  ['404', failure(404), true],
  ['403', failure(403, {}, 'Resource not accessible by integration'), true],
  ['403 by a limit', failure(403, {}, 'You have exceeded a secondary rate limit.'), false],
  ['502', failure(502), false],
])('%s: whether the resource is out of reach', (_name, error, expected) => {
  expect(isOutOfReach(error)).toBe(expected);
});
