import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { showProgress } from '../../../src/cli/check/show-progress.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

/** What a terminal gets of three words, said at these milliseconds, and the end. */
function shown(at: readonly number[], env: Readonly<Record<string, string>> = {}, isTTY = true): string {
  const stream = new PassThrough();
  const stderr = Object.assign(stream, { isTTY, columns: 20 }) as unknown as NodeJS.WriteStream;
  const progress = showProgress({ stderr, env });
  let now = 0;
  for (const time of at) {
    vi.advanceTimersByTime(time - now);
    now = time;
    progress.update(`at ${time}\u{1b} and more than a line holds`);
  }
  progress.clear();
  return String(stream.read() ?? '');
}

const CLEAR = '\r\u{1b}[2K';

it('says nothing of a short run, then one line at a time, and takes it away', () => {
  expect(shown([0, 300, 699])).toBe('');
  expect(shown([100, 700, 750, 800])).toBe(
    `${CLEAR}at 700\u{fffd} and more th${CLEAR}at 800\u{fffd} and more th${CLEAR}`,
  );
});

it.each([
  ['in a pipeline', { CI: 'true' }, true],
  ['on a terminal that cannot', { TERM: 'dumb' }, true],
  ['in a file', {}, false],
] as const)('says nothing %s', (_name, env, isTTY) => {
  expect(shown([1_000], env, isTTY)).toBe('');
});
