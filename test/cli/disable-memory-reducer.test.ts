import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { testAtLength } from '../support/describe-at-length.ts';

const MODULE = new URL('../../src/cli/disable-memory-reducer.ts', import.meta.url).href;

/** V8 looks 8.1 s after a collection whether it should start another one; timers run in the order in which they are due. */
const SCRIPT = `
import { disableMemoryReducer } from ${JSON.stringify(MODULE)};
disableMemoryReducer();
globalThis.kept = Array.from({ length: 200_000 }, (_item, nth) => ({ nth, text: String(nth) }));
gc();
setTimeout(() => process.exit(), 9_000);
`;

testAtLength('V8 starts no collection to give memory back, now or later', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--expose-gc',
    '--trace-memory-reducer',
    '--input-type=module',
    '--eval',
    SCRIPT,
  ]);
  const said = stdout.split('\n').filter((line) => line.includes('Memory reducer'));
  // It looked once. If it wanted to look again, it would say "waiting".
  expect(said).toEqual([expect.stringMatching(/(?:low|high) alloc/)]);
});
