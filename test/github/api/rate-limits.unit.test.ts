import { expect, it } from 'vitest';
import { createHourlyLimits } from '../../../src/github/api/rate-limits.ts';

const NOW = new Date('2030-01-01T12:00:00Z');

function headers(remaining: number, secondsLeft: number, more: Record<string, string> = {}) {
  return {
    'x-ratelimit-limit': '5000',
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(NOW.getTime() / 1000 + secondsLeft),
    ...more,
  };
}

it.each([
  ['plenty is left', headers(4_000, 3_600), 0],
  ['a tenth is left', headers(500, 3_600), 7_186],
  ['the hour is nearly over', headers(400, 40), 100],
  ['the hour is over', headers(0, -5), 0],
  ['nothing is left for long', headers(0, 3_600), 15_000],
  ['it is another resource', headers(1, 3_600, { 'x-ratelimit-resource': 'search' }), 0],
  ['GitHub says nothing', {}, 0],
  ['the server has no limits', { 'x-ratelimit-limit': '', 'x-ratelimit-remaining': '' }, 0],
])('calls slow down before the limit stops them: %s', (_what, said, pauseMs) => {
  expect(createHourlyLimits(() => NOW).record(7, said)).toBe(pauseMs);
});

it('the limit of each installation is recorded, and dropped when it was not used for an hour', () => {
  let now = NOW;
  const limits = createHourlyLimits(() => now);
  limits.record(7, headers(4_000, 3_600));
  limits.record(null, headers(10, 3_600));
  expect(limits.list().map(({ installationId, remaining }) => [installationId, remaining])).toEqual([
    [7, 4_000],
    [null, 10],
  ]);
  now = new Date(NOW.getTime() + 61 * 60_000);
  limits.record(8, headers(3_000, 7_200));
  expect(limits.list().map(({ installationId }) => installationId)).toEqual([8]);
});
