import { unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '../log.ts';
import { type ClusterLocation, prepareClusterLocation } from './cluster-location.ts';
import { account, createCluster } from './create-cluster.ts';
import { connectionOptions, joinServer, leaveServer } from './join-server.ts';
import { readPostmaster, servesFolder, stopPostmaster } from './postmaster.ts';
import { type Programs, provideBinaries } from './provide-binaries.ts';
import { restrictAccess } from './restrict-access.ts';
import { readLogTail, runServer, type Settings, trimLog } from './run-server.ts';

/** How often the size of the server's log is checked. */
const LOG_INTERVAL_MS = 10 * 60_000;

/** This process's use of the embedded PostgreSQL of a data folder. */
export interface EmbeddedPostgres {
  /** The connection URL, over the unix socket. It stays the same when the server is restarted. */
  readonly url: string;
  /** Why the server is not available at the moment; undefined while it is. */
  trouble(): string | undefined;
  /** Stops using the server; the last process that does so stops it. */
  close(): Promise<void>;
}

export interface EmbeddedOptions {
  readonly dataDir: string;
  readonly log: Log;
  readonly settings?: Settings;
}

/**
 * Starts the PostgreSQL of a data folder, or joins one that is running there already: started by another process, or left
 * by a process that was killed. When several processes start it at once, PostgreSQL's own lock file decides which one does.
 * A server that crashes is started again.
 *
 * @throws Error with the last lines of the server's log when it cannot be started.
 */
export async function startEmbedded({ dataDir, log, settings }: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const location = prepareClusterLocation(dataDir);
  if (!location.inside) {
    log('The user of the PostgreSQL server cannot reach the data folder; the database is stored elsewhere.', {
      dataDir,
      database: location.base,
    });
  }
  const programs = await provideBinaries(location);
  await createCluster(location, programs);
  const isRestricted = restrictAccess(location);
  let trouble: string | undefined;
  let closing = false;
  let session = await ensureServer({ location, programs, settings, log });
  try {
    // The server may have been started by an earlier release, whose process goes on using it.
    if (isRestricted) await session.query('select pg_reload_conf()');
    await createDatabase(location);
  } catch (error) {
    await session.end();
    throw error;
  }
  watch(session);
  const trimming = setInterval(trim, LOG_INTERVAL_MS).unref();
  trim();

  function trim(): void {
    try {
      trimLog(location);
    } catch (error) {
      log('The log of the embedded PostgreSQL could not be made smaller.', {
        error: (error as Error).message,
      });
    }
  }

  function watch(client: pg.Client): void {
    client.once('end', () => {
      if (closing) return;
      trouble = 'the embedded PostgreSQL stopped and is being started again';
      log('The embedded PostgreSQL stopped; starting it again.');
      void recover();
    });
  }

  async function recover(): Promise<void> {
    for (let pause = 100; !closing; pause = Math.min(pause * 2, 10_000)) {
      try {
        session = await ensureServer({ location, programs, settings, log });
        trouble = undefined;
        if (closing) await leave(location, session, log);
        else watch(session);
        return;
      } catch (error) {
        trouble = (error as Error).message;
        log('The embedded PostgreSQL could not be started again.', { error: trouble });
        await wait(pause, undefined, { ref: false });
      }
    }
  }

  return {
    url: `postgresql://${account}@localhost/${account}?host=${encodeURIComponent(location.socket)}`,
    trouble: () => trouble,
    async close() {
      if (closing) return;
      closing = true;
      clearInterval(trimming);
      if (trouble === undefined) await leave(location, session, log); // otherwise `recover` does
    },
  };
}

/** Releases our presence lock, and stops the server when no other process is present. */
async function leave(location: ClusterLocation, session: pg.Client, log: Log): Promise<void> {
  try {
    const alone = await leaveServer(session);
    const server = readPostmaster(location.data);
    if (alone && server && servesFolder(server.pid, location.data)) {
      await stopPostmaster(server.pid, location.data);
      log('The embedded PostgreSQL has stopped.');
    }
  } catch (error) {
    log('Leaving the embedded PostgreSQL failed.', { error: (error as Error).message });
  }
  await session.end().catch(() => {}); // the server may have closed it
}

interface ServerOptions {
  readonly location: ClusterLocation;
  readonly programs: Programs;
  readonly settings: Settings | undefined;
  readonly log: Log;
}

/** A server that crashed replays its write-ahead log before it answers, which may take long. */
const startTimeoutMs = 120_000;
const maxStartAttempts = 3;

/** Joins the server of the location, starting it if there is none. */
async function ensureServer({ location, programs, settings, log }: ServerOptions): Promise<pg.Client> {
  const deadline = Date.now() + startTimeoutMs;
  const child = { starts: 0, isRunning: false };
  for (;;) {
    const session = await joinServer(location);
    if (session) {
      log(child.isRunning ? 'The embedded PostgreSQL has started.' : 'Joined the running PostgreSQL.');
      return session;
    }
    const server = readPostmaster(location.data);
    const isRunning = server !== undefined && servesFolder(server.pid, location.data);
    if (isRunning && server.socket !== undefined && server.socket !== location.socket) {
      // A process with another temporary folder started it: it cannot be shared, so it is replaced.
      log('Replacing a PostgreSQL that listens on another socket.', { socket: server.socket });
      await stopPostmaster(server.pid, location.data);
    } else if (!isRunning && !child.isRunning) {
      if (++child.starts > maxStartAttempts) {
        throw new Error(
          `The embedded PostgreSQL in ${location.base} does not start: ${readLogTail(location)}`,
        );
      }
      if (server) removeStaleLock(location);
      child.isRunning = true;
      const postgres = runServer(location, programs, settings);
      postgres.once('exit', () => {
        child.isRunning = false;
      });
      postgres.once('error', (error) => {
        child.isRunning = false;
        log('The program of PostgreSQL cannot be run.', { error: error.message });
      });
    }
    if (Date.now() > deadline) {
      throw new Error(
        `The embedded PostgreSQL in ${location.base} does not answer: ${readLogTail(location)}`,
      );
    }
    await wait(10);
  }
}

function removeStaleLock({ data }: ClusterLocation): void {
  try {
    unlinkSync(join(data, 'postmaster.pid'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

async function createDatabase(location: ClusterLocation): Promise<void> {
  const client = new pg.Client(connectionOptions(location.socket, 'postgres'));
  client.on('error', () => {}); // the query fails, too, and reports it
  await client.connect();
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [account]);
    if (rowCount === 0) await client.query(`create database ${account}`).catch(ignoreDuplicate);
  } finally {
    await client.end();
  }
}

/** Another process created the database at the same moment: duplicate_database, or a unique_violation in pg_database. */
function ignoreDuplicate(error: { code?: string }): void {
  if (error.code !== '42P04' && error.code !== '23505') throw error;
}
