import { expect, test } from 'vitest';
import { SearchTurns, TooManySearches } from '../../src/sites/search/search-turns.ts';

/** Searches that run until they are let go, and what became of those that were refused. */
function fill(turns: SearchTurns, address: string, count: number) {
  const ends: (() => void)[] = [];
  let running = 0;
  let most = 0;
  const outcomes = Array.from({ length: count }, () =>
    turns
      .take(address, async () => {
        running += 1;
        most = Math.max(most, running);
        await new Promise<void>((resolve) => ends.push(resolve));
        running -= 1;
      })
      .then(
        () => 'searched',
        (error: unknown) => error,
      ),
  );
  return {
    async finish() {
      while (ends.length > 0) {
        for (const end of ends.splice(0)) end();
        await new Promise(setImmediate);
      }
      return await Promise.all(outcomes);
    },
    most: () => most,
  };
}

const countSearched = (outcomes: readonly unknown[]) =>
  outcomes.filter((outcome) => outcome === 'searched').length;

test('one client has at most half of the line, and each further one half of what is left', async () => {
  const turns = new SearchTurns({ atOnce: 2, maxUnderWay: 16 });
  const first = fill(turns, '192.0.2.1', 100);
  const second = fill(turns, '192.0.2.2', 100);
  const third = fill(turns, '2001:db8::1', 1);
  const outcomes = await first.finish();
  expect(countSearched(outcomes)).toBe(8);
  expect(outcomes.at(-1)).toBeInstanceOf(TooManySearches);
  expect(countSearched(await second.finish())).toBe(4);
  expect(countSearched(await third.finish())).toBe(1);
  expect(Math.max(first.most(), second.most())).toBeLessThanOrEqual(2);
});

test('the addresses of one IPv6 network are one client', async () => {
  const turns = new SearchTurns({ atOnce: 1, maxUnderWay: 4 });
  const first = fill(turns, '2001:db8::1', 2);
  const second = fill(turns, '2001:db8::2', 2);
  expect(countSearched(await first.finish())).toBe(2);
  expect(countSearched(await second.finish())).toBe(0);
});

test('places are free again when searches end, also those that failed', async () => {
  const turns = new SearchTurns({ atOnce: 1, maxUnderWay: 2 });
  await expect(turns.take('192.0.2.1', () => Promise.reject(new Error('no database')))).rejects.toThrow(
    'no database',
  );
  expect(await turns.take('192.0.2.1', async () => 1)).toBe(1);
});
