/** What `docloom serve` says where it is started: lines for a person at a terminal, JSON for everything else. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createHttp } from '../../src/net/index.ts';
import { openBlobs } from '../../src/store/index.ts';
import { createMigratedDatabase, openTestDatabase } from '../support/database.ts';
import { describeAtLength, testAtLength } from '../support/describe-at-length.ts';
import { startObjectServer } from '../support/object-server.ts';
import { PATIENCE_MS } from '../support/patience.ts';

const MAIN = resolve('src/cli/main.ts');

let folder: string;
let database: Awaited<ReturnType<typeof createMigratedDatabase>>;
let running: ChildProcess | null = null;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docloom-serve-'));
  database = await createMigratedDatabase();
});
afterEach(async () => {
  if (running !== null && running.exitCode === null) {
    running.kill('SIGKILL');
    await once(running, 'exit');
  }
  running = null;
  await database.drop();
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
});

/** Starts a command, and waits until it said so; `said` reads all that it printed since. */
async function start(
  command: string,
  args: readonly string[],
  until: RegExp,
  more: Readonly<Record<string, string>> = {},
) {
  const { PATH, HOME, NODE_COMPILE_CACHE, NODE_OPTIONS } = process.env;
  const basic = { PATH, HOME, NODE_COMPILE_CACHE, NODE_OPTIONS };
  const env = {
    ...basic,
    DATABASE_URL: database.url,
    DATA_DIR: folder,
    HOST: '127.0.0.1',
    PORT: '0',
    ...more,
  };
  const child = spawn(command, args, { env });
  running = child;
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part) => {
      text += part;
    });
  await vi.waitFor(() => expect(text).toMatch(until), PATIENCE_MS);
  return { child, said: () => text };
}

const scriptProgram = findScript();

/** The program that gives another one a terminal; null where it is missing or is the one of BSD, which is called otherwise. */
function findScript(): string | null {
  try {
    return /util-linux/.test(execFileSync('script', ['--version'], { encoding: 'utf8' })) ? 'script' : null;
  } catch {
    console.warn('Left out “docloom serve on a terminal”: there is no `script` of util-linux.');
    return null;
  }
}

describeAtLength('docloom serve on a terminal', false, () => {
  test.skipIf(scriptProgram === null)(
    'on a terminal it says in words where it is and where to set it up',
    async () => {
      const command = `exec ${process.execPath} ${MAIN} serve`;
      const { child, said } = await start(
        'script',
        ['-qec', command, '/dev/null'],
        /Press Ctrl\+C to stop it\./,
      );
      const text = said().replaceAll('\r', '');
      const [, url = ''] = /^Docloom is at (http:\/\/127\.0\.0\.1:[1-9]\d*)$/m.exec(text) ?? [];
      const [, setup = ''] = /^ {2}(http:\/\/\S+\/setup\?key=\S+)$/m.exec(text) ?? [];
      expect(setup.startsWith(`${url}/setup?key=`)).toBe(true);
      expect((await fetch(setup, { redirect: 'manual' })).headers.get('location')).toBe('/setup');
      expect(text).toMatch(/^\S*\[\d\d:\d\d:\d\d\] \S*INFO\S*: .*Docloom is listening\./m);
      expect(text).not.toMatch(/^\{"level"/m);
      // Ctrl+C, as the terminal sends it.
      child.stdin.write('\u0003');
      await once(child, 'exit');
      expect(child.exitCode).toBe(0);
    },
  );
});

// So is each line of the server that plays the main job (test/e2e/main-job.test.ts).
testAtLength('without a terminal each line is JSON', async () => {
  const { child, said } = await start(process.execPath, [MAIN, 'serve'], /Docloom is listening\./);
  child.kill('SIGTERM');
  await once(child, 'exit');
  const lines = said().trimEnd().split('\n');
  expect(lines.map((line) => typeof JSON.parse(line).msg)).toEqual(lines.map(() => 'string'));
  expect(lines.some((line) => JSON.parse(line).setup?.includes('/setup?key='))).toBe(true);
});

testAtLength('it ends with its reason where the object store belongs to another database', async () => {
  const objects = await startObjectServer(folder);
  const settings = { objects: objects.settings, cacheBytes: 1e6 };
  const other = await openTestDatabase();
  const http = createHttp({ userAgent: 'test' });
  try {
    await openBlobs({ dataDir: join(folder, 'other'), settings, db: other.store.db, http });
    const { child } = await start(
      process.execPath,
      [MAIN, 'serve'],
      /belongs to another database of Docloom/,
      {
        BLOBS_URL: 's3://docs/bytes',
        BLOBS_ENDPOINT: objects.settings.endpoint,
        BLOBS_ACCESS_KEY_ID: 'S3RVER',
        BLOBS_SECRET_ACCESS_KEY: 'S3RVER',
      },
    );
    await vi.waitFor(() => expect(child.exitCode).toBe(2), PATIENCE_MS);
  } finally {
    await http.close();
    await other.close();
    await objects.close();
  }
});
