import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningDocloom, startDocloom } from '../../src/cli/demo/start-docloom.ts';
import { openStore, type Store } from '../../src/store/index.ts';
import { createMigratedDatabase } from './database.ts';
import { pickPort } from './pick-port.ts';

export interface TestProcess {
  readonly url: string;
  readonly running: RunningDocloom;
}

/** Two processes of `docloom serve` with one database and one folder. */
export interface TestProcesses {
  readonly store: Store;
  readonly first: TestProcess;
  readonly second: TestProcess;
  close(): Promise<void>;
}

/** @param env what the processes are configured with besides */
export async function startProcesses(env: Readonly<Record<string, string>> = {}): Promise<TestProcesses> {
  const database = await createMigratedDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'docloom-processes-'));
  const store = await openStore({ dataDir: folder, databaseUrl: database.url });
  const stop = new AbortController();

  async function startProcess(): Promise<TestProcess> {
    const port = await pickPort();
    const url = `http://127.0.0.1:${port}`;
    const running = await startDocloom({
      env: {
        PATH: process.env['PATH'],
        NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
        NODE_OPTIONS: process.env['NODE_OPTIONS'],
        DATA_DIR: folder,
        DATABASE_URL: database.url,
        HOST: '127.0.0.1',
        PORT: String(port),
        PUBLIC_URL: url,
        ...env,
      },
      url,
      logFile: join(folder, `${port}.log`),
      signal: stop.signal,
    });
    return { url, running };
  }

  const started = await Promise.allSettled([startProcess(), startProcess()]);
  const running = started.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const close = async () => {
    stop.abort();
    await Promise.all(running.map((each) => each.running.stop()));
    await store.close();
    await database.drop();
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  };
  const [first, second] = running;
  if (first === undefined || second === undefined) {
    await close();
    throw started.find((result) => result.status === 'rejected')?.reason;
  }
  return { store, first, second, close };
}
