import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { jobChannel, type Log, processLocks, reclaimLostJobs } from '../store/index.ts';

/** The advisory lock that every process with an open queue holds, shared. Processes of 0.1.0 hold it too. */
const presenceLock = 0x71756575;

export interface Presence {
  /** Whether all other running processes would have reconnected by now, also after all lost the database. */
  isSettled(): boolean;
  close(): Promise<void>;
}

/** After a lost connection, other processes may need this long to reconnect, too. */
const settleMs = 10_000;

/**
 * Marks this process as one that works on the queue, for as long as its connection is open. The database closes the
 * connection when the process exits, however it does. So a process that starts and finds no other knows that all running
 * jobs are lost, and need not wait until their heartbeats expire. Other processes see by a second lock, which only this
 * process holds, that it is gone. The same connection receives the notifications of new jobs: `onJobs`.
 */
export async function markPresent(
  { url, process, log }: { readonly url: string; readonly process: number; readonly log: Log },
  onJobs: () => void,
): Promise<Presence> {
  let closing = false;
  let settledAt = 0;
  let client = await connect(url);
  if (await tryLockExclusively(client)) {
    const anyLost = await reclaimLostJobs(client, { alone: true });
    if (anyLost) log('Jobs of a process that stopped run again.');
    await client.query('select pg_advisory_lock_shared($1)', [presenceLock]);
    await client.query('select pg_advisory_unlock($1)', [presenceLock]);
  } else {
    await client.query('select pg_advisory_lock_shared($1)', [presenceLock]);
  }
  await watch();

  async function watch(): Promise<void> {
    client.on('notification', onJobs);
    client.once('end', () => {
      settledAt = Number.POSITIVE_INFINITY;
      if (!closing) void reconnect();
    });
    await client.query('select pg_advisory_lock_shared($1, $2)', [processLocks, process]);
    await client.query(`listen ${jobChannel}`);
    onJobs();
  }

  async function reconnect(): Promise<void> {
    for (let pause = 100; !closing; pause = Math.min(pause * 2, 5_000)) {
      try {
        client = await connect(url);
        await client.query('select pg_advisory_lock_shared($1)', [presenceLock]);
        if (closing) return await client.end();
        await watch();
        settledAt = Date.now() + settleMs;
        return;
      } catch (error) {
        log('The queue has no connection to the database.', { error: (error as Error).message });
        await wait(pause, undefined, { ref: false });
      }
    }
  }

  return {
    isSettled: () => Date.now() >= settledAt,
    async close() {
      closing = true;
      await client.end().catch(() => {}); // the server may have closed it
    },
  };
}

/** Retries for a moment: the database notices that a killed process's connection is closed only when it next uses it. */
async function tryLockExclusively(client: pg.Client): Promise<boolean> {
  for (let tries = 0; ; tries++) {
    const { rows } = await client.query<{ alone: boolean }>('select pg_try_advisory_lock($1) as alone', [
      presenceLock,
    ]);
    if (rows[0]?.alone) return true;
    if (tries === 10) return false;
    await wait(20);
  }
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'docloom queue presence',
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  });
  client.on('error', () => {}); // 'end' follows
  await client.connect();
  return client;
}
