/** A server of Docloom behind PgBouncer, which gives a connection to each transaction. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import Type from 'typebox';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { defineJob, openQueue } from '../../src/queue/index.ts';
import { findOutage, openStore, type Store } from '../../src/store/index.ts';
import { isWhole } from '../support/describe-at-length.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { pickPort } from '../support/pick-port.ts';
import { startPasswordServer } from './password-server.ts';

const PROGRAM = '/usr/sbin/pgbouncer';

describe.skipIf(!existsSync(PROGRAM) || !isWhole('behind PgBouncer'))(
  'behind PgBouncer in transaction mode',
  () => {
    let database: Awaited<ReturnType<typeof startPasswordServer>>;
    let folder: string;
    let port: number;
    let pooler: { stop(): Promise<void> };
    let store: Store;
    const url = () => `postgresql://docs:password@127.0.0.1:${port}/docs`;
    const directUrl = () => `postgresql://docs:password@127.0.0.1:${database.port}/docs`;

    async function startPooler(): Promise<{ stop(): Promise<void> }> {
      const child = spawn(
        PROGRAM,
        [...(process.getuid?.() === 0 ? ['-u', 'nobody'] : []), join(folder, 'pgbouncer.ini')],
        {
          stdio: 'ignore',
        },
      );
      return {
        async stop() {
          const ended = once(child, 'exit');
          child.kill('SIGKILL');
          await ended;
        },
      };
    }

    beforeAll(async () => {
      database = await startPasswordServer('password');
      folder = await mkdtemp(join(tmpdir(), 'docloom-pooler-'));
      await chmod(folder, 0o755);
      port = await pickPort();
      const lines = [
        '[databases]',
        `docs = host=127.0.0.1 port=${database.port} dbname=docs user=docs password=password`,
        '[pgbouncer]',
        'listen_addr = 127.0.0.1',
        `listen_port = ${port}`,
        'unix_socket_dir =',
        'auth_type = any',
        'pool_mode = transaction',
        'default_pool_size = 3',
        'ignore_startup_parameters = extra_float_digits',
      ];
      await writeFile(join(folder, 'pgbouncer.ini'), `${lines.join('\n')}\n`);
      pooler = await startPooler();
      store = await vi.waitFor(
        () => openStore({ dataDir: folder, databaseUrl: url(), databaseDirectUrl: directUrl(), poolSize: 8 }),
        { timeout: PATIENCE_MS, interval: 200 },
      );
    });
    afterAll(async () => {
      await store?.close();
      await pooler?.stop();
      await database?.close();
      await rm(folder, { recursive: true, force: true });
    });

    const job = defineJob({
      name: 'test.pooled',
      payload: Type.Object({ n: Type.Integer() }),
      retryLimit: 3,
      retryDelay: 1,
      retryDelayMax: 1,
      expireInSeconds: 60,
      concurrency: 4,
    });

    it('jobs run once each, also after the pooler was away', async () => {
      const queue = await openQueue(store);
      const done: number[] = [];
      await queue.work(job, async ({ n }) => {
        await store.db.execute(sql`select pg_sleep(0.01)`);
        done.push(n);
      });
      const enqueue = (n: number) =>
        store.db.transaction(async (tx) => {
          await tx.execute(sql`select pg_advisory_xact_lock(7)`);
          await queue.enqueue(tx, job, { n });
        });
      await Promise.all(Array.from({ length: 40 }, (_, n) => enqueue(n)));
      await vi.waitFor(() => expect(done).toHaveLength(40), PATIENCE_MS);

      await pooler.stop();
      const failure = await enqueue(40).catch((error: unknown) => error);
      expect(findOutage(failure)).toMatchObject({ kind: 'database' });
      pooler = await startPooler();
      await vi.waitFor(() => enqueue(41), { timeout: PATIENCE_MS, interval: 100 });
      await vi.waitFor(() => expect(done).toHaveLength(41), PATIENCE_MS);
      expect(new Set(done).size).toBe(41);
      await queue.stop();
    });

    it('without the direct address, the start says what to set', async () => {
      const pooled = await openStore({ dataDir: folder, databaseUrl: url(), migrates: false });
      try {
        await expect(openQueue(pooled)).rejects.toThrow(
          'set DATABASE_DIRECT_URL to the address of the PostgreSQL itself',
        );
      } finally {
        await pooled.close();
      }
    });
  },
);
