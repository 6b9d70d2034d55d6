import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/durations.ts';
import { PATIENCE_MS } from './test/support/patience.ts';

// Most of what tests spend goes into starting programs, which costs by how many pages of memory the worker has. On Linux
// with glibc this makes them large and few: a worker that has run for long starts git in a third of the time.
process.env['GLIBC_TUNABLES'] ??= 'glibc.malloc.hugetlb=1';
// Workers, and the programs that tests start, load the same packages: compiled once, they start in half the time. Not in
// the run's own folder, since workers still write there when it is removed.
process.env['NODE_COMPILE_CACHE'] ??= resolve('node_modules/.cache/compiled');
// Nor do they read its largest package.json hundreds of times.
const preloaded = `--import=${pathToFileURL(resolve('test/support/resolve-once.ts'))}`;
process.env['NODE_OPTIONS'] = `${process.env['NODE_OPTIONS'] ?? ''} ${preloaded}`;

/** Needs a description that is not part of this repository; see CONTRIBUTING.md. */
const WALK = process.env['CLIENT_DESCRIPTION'] ? [] : ['test/**/client-walk.test.ts'];

/** Tests of rooms that start nothing, and those that a room with servers, databases or programs has of its pure parts. */
const UNIT = [
  'test/{config,content,contract,conversations,net,openapi}/**/*.test.ts',
  'test/**/*.unit.test.ts',
];

export default defineConfig({
  test: {
    // Above what a test itself waits for (test/support/patience.ts), which can say more than that time is up.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // Of what a test polls without a limit of its own; one second, the default, is short on a busy machine.
    expect: { poll: { timeout: PATIENCE_MS } },
    // Files of one worker share its modules, which take longer to load than most files to run. So a test that changes
    // what others see (timers, the environment) puts it back.
    isolate: false,
    // Workers run for minutes and make much that lives for moments: with V8's usual room for it, collecting takes a tenth longer.
    execArgv: ['--max-semi-space-size=64', '--min-semi-space-size=16'],
    // What a run made of the sources, the next one reads from node_modules/.vitest-cache, by their contents.
    fsModuleCache: true,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: UNIT,
          setupFiles: ['test/support/start-nothing.ts'],
          // They never wait, so more workers than a small machine has cores would only load everything once more.
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'system',
          include: ['test/**/*.test.ts'],
          exclude: [...UNIT, ...WALK],
          globalSetup: ['test/support/global-setup.ts'],
          // More than a small machine has cores: many tests wait for git, PostgreSQL or a server.
          maxWorkers: 4,
        },
      },
    ],
  },
});
