import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import {
  jobChannel,
  KEEP_ALIVE,
  keepServerAlert,
  type Log,
  processLocks,
  reclaimLostJobs,
} from '../store/index.ts';

/** The advisory lock that every process with an open queue holds, shared. Processes of 0.1.0 hold it too. */
const presenceLock = 0x71756575;

export interface Presence {
  /** Whether all other running processes would have reconnected by now, also after all lost the database. */
  isSettled(): boolean;
  close(): Promise<void>;
}

interface PresenceOptions {
  readonly url: string;
  /** The number that identifies this process. */
  readonly process: number;
  readonly log: Log;
  /** How long the database may leave a question unanswered. */
  readonly silenceMs: number;
  /** Notes what the other connections of the process have received, and returns how to end those that received nothing since. */
  readonly watchSilence: () => () => void;
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
  { url, process, log, silenceMs, watchSilence }: PresenceOptions,
  onJobs: () => void,
): Promise<Presence> {
  let closing = false;
  let settledAt = 0;
  /** Ends the connections that were silent for as long as ours, once there is another one. */
  let endSilent: (() => void) | null = null;
  let session = await connect(url);
  try {
    const { client } = session;
    if (await tryLockExclusively(client)) {
      const anyLost = await reclaimLostJobs(client, { alone: true });
      if (anyLost) log('Jobs of a process that stopped run again.');
      await client.query('select pg_advisory_lock_shared($1)', [presenceLock]);
      await client.query('select pg_advisory_unlock($1)', [presenceLock]);
    } else {
      await client.query('select pg_advisory_lock_shared($1)', [presenceLock]);
    }
    await listen(client);
  } catch (error) {
    await end(session);
    throw error;
  }
  keep();

  async function listen(client: pg.Client): Promise<void> {
    client.on('notification', onJobs);
    await client.query('select pg_advisory_lock_shared($1, $2)', [processLocks, process]);
    await client.query(`listen ${jobChannel}`);
  }

  function keep(): void {
    const { client, ended } = session;
    const stopAsking = askRegularly(client);
    void ended.then(() => {
      stopAsking();
      settledAt = Number.POSITIVE_INFINITY;
      if (!closing) void reconnect();
    });
    onJobs();
  }

  /** Ends the connection when it is not answered in time, as where the network drops what is sent. */
  function askRegularly(client: pg.Client): () => void {
    let timeout: NodeJS.Timeout | undefined;
    const interval = setInterval(() => {
      if (timeout !== undefined) return;
      const endOthers = watchSilence();
      timeout = setTimeout(() => {
        log('The database does not answer on a connection that is open; opening another one.');
        endSilent = endOthers;
        client.end().catch(() => {});
      }, silenceMs);
      const answered = () => {
        clearTimeout(timeout);
        timeout = undefined;
      };
      client.query('select 1').then(answered, answered);
    }, silenceMs / 2);
    interval.unref();
    return () => {
      clearInterval(interval);
      clearTimeout(timeout);
    };
  }

  async function reconnect(): Promise<void> {
    for (let pause = 100; !closing; pause = Math.min(pause * 2, 5_000)) {
      let opened: Session | undefined;
      try {
        opened = await connect(url);
        await opened.client.query('select pg_advisory_lock_shared($1)', [presenceLock]);
        await listen(opened.client);
        if (closing) return await end(opened);
        session = opened;
        settledAt = Date.now() + settleMs;
        endSilent?.();
        endSilent = null;
        return keep();
      } catch (error) {
        // Otherwise one that failed only in part would stay open beside the next one.
        if (opened !== undefined) await end(opened);
        log('The queue has no connection to the database.', { error: (error as Error).message });
        await wait(pause, undefined, { ref: false });
      }
    }
  }

  return {
    isSettled: () => Date.now() >= settledAt,
    async close() {
      closing = true;
      await end(session);
    },
  };
}

interface Session {
  readonly client: pg.Client;
  readonly ended: Promise<void>;
}

/** The server may have closed it. */
async function end({ client }: Session): Promise<void> {
  await client.end().catch(() => {});
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

async function connect(url: string): Promise<Session> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'docloom queue presence',
    connectionTimeoutMillis: 10_000,
    ...KEEP_ALIVE,
  });
  client.on('error', () => {}); // 'end' follows
  const ended = new Promise<void>((resolve) => client.once('end', resolve));
  await client.connect();
  await keepServerAlert(client);
  return { client, ended };
}
