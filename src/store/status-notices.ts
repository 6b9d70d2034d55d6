import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { KEEP_ALIVE } from './create-pool.ts';
import type { Log } from './log.ts';

/** The channel on which triggers notify of changes of what the status of repositories shows. */
const statusChannel = 'docloom_status';

/** Listeners to changes of the status of repositories, all on one connection of this process. */
export interface StatusNotices {
  /** Calls the listener whenever something may have changed, in whatever process. Returns how to stop that. */
  subscribe(listener: () => void): () => void;
  close(): Promise<void>;
}

/** The longest pause before the next attempt to connect. */
const MAX_PAUSE_MS = 5_000;

/**
 * Listens while anybody wants to know. After a lost connection, everybody is told once: what changed meanwhile is not known.
 *
 * @param url of the database itself: a pooler in transaction mode hands no notifications on
 */
export function openStatusNotices({ url, log }: { readonly url: string; readonly log: Log }): StatusNotices {
  const listeners = new Set<() => void>();
  let connection: Promise<void> | null = null;
  let client: pg.Client | null = null;
  let isClosing = false;

  const tellAll = () => {
    for (const listener of listeners) listener();
  };
  const isWanted = () => !isClosing && listeners.size > 0;

  async function listen(): Promise<void> {
    let wasConnected = false;
    for (let pause = 100; isWanted(); pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
      try {
        const opened = await connect(url);
        const ended = new Promise<void>((resolve) => opened.once('end', resolve));
        opened.on('notification', tellAll);
        client = opened;
        await opened.query(`listen ${statusChannel}`);
        if (!isWanted()) await opened.end();
        if (wasConnected) tellAll();
        wasConnected = true;
        pause = 100;
        await ended;
      } catch (error) {
        log('Changes of the status are not noticed: there is no connection to the database.', {
          error: (error as Error).message,
        });
      }
      client = null;
      if (isWanted()) await wait(pause, undefined, { ref: false });
    }
  }

  function start(): void {
    connection ??= listen().finally(() => {
      connection = null;
      if (isWanted()) start();
    });
  }

  async function stop(): Promise<void> {
    await client?.end().catch(() => {}); // the server may have closed it
  }

  return {
    subscribe(listener) {
      // A function of its own, so that the same listener can be there twice.
      const own = () => listener();
      listeners.add(own);
      start();
      return () => {
        listeners.delete(own);
        if (listeners.size === 0) void stop();
      };
    },
    async close() {
      isClosing = true;
      listeners.clear();
      await stop();
      await connection;
    },
  };
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'docloom status',
    connectionTimeoutMillis: 10_000,
    ...KEEP_ALIVE,
  });
  client.on('error', () => {}); // 'end' follows
  await client.connect();
  return client;
}
