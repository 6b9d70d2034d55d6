import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readDurations } from './durations.ts';

test('most of the recorded time is that of files there still are; `npm run test:record` records anew', () => {
  const durations = Object.entries(readDurations());
  const sum = (rows: typeof durations) => rows.reduce((total, [, seconds]) => total + seconds, 0);
  const present = durations.filter(([path]) => existsSync(path));
  expect(sum(present)).toBeGreaterThan(0.8 * sum(durations));
});
