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
import { readLogTail, runServer, type Settings } from './run-server.ts';

/** Our part in the embedded PostgreSQL of a data folder. */
export interface EmbeddedPostgres {
  /** How to connect, as a URL over the unix socket. It stays the same over restarts of the server. */
  readonly url: string;
  /** The reason why the server is not there at the moment. */
  trouble(): string | undefined;
  /** Leaves; the last one to leave stops the server. */
  close(): Promise<void>;
}

export interface EmbeddedOptions {
  readonly dataDir: string;
  readonly log: Log;
  readonly settings?: Settings;
}

/**
 * Starts the PostgreSQL of a data folder, or joins the one that runs there already: that of another process, or one
 * that outlived a process that was killed. PostgreSQL's own lock file decides who starts it when several want to.
 * A server that dies is started again.
 *
 * @throws with the server's own words when it cannot be started.
 */
export async function startEmbedded({ dataDir, log, settings }: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const location = prepareClusterLocation(dataDir);
  if (!location.inside) {
    log('The user of the PostgreSQL server cannot reach the data folder; the database is kept elsewhere.', {
      dataDir,
      database: location.base,
    });
  }
  const programs = await provideBinaries(location);
  await createCluster(location, programs);
  let trouble: string | undefined;
  let closing = false;
  let session = await ensureServer({ location, programs, settings, log });
  try {
    await createDatabase(location);
  } catch (error) {
    await session.end();
    throw error;
  }
  watch(session);

  function watch(client: pg.Client): void {
    client.once('end', () => {
      if (closing) return;
      trouble = 'the embedded PostgreSQL ended and is being started again';
      log('The embedded PostgreSQL ended; starting it again.');
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
      if (trouble === undefined) await leave(location, session, log); // otherwise whoever mends it does
    },
  };
}

/** Gives up our presence, and stops the server when nobody else is present. */
async function leave(location: ClusterLocation, session: pg.Client, log: Log): Promise<void> {
  try {
    const alone = await leaveServer(session);
    const server = readPostmaster(location.data);
    if (alone && server && servesFolder(server.pid, location.data)) {
      await stopPostmaster(server.pid, location.data);
      log('The embedded PostgreSQL has stopped.');
    }
  } catch (error) {
    log('The embedded PostgreSQL could not be left in good order.', { error: (error as Error).message });
  }
  await session.end().catch(() => {}); // the server may have ended it
}

interface ServerOptions {
  readonly location: ClusterLocation;
  readonly programs: Programs;
  readonly settings: Settings | undefined;
  readonly log: Log;
}

/** A server after a crash reads its journal before it answers; that takes as long as it takes, within reason. */
const startTimeoutMs = 120_000;
const maxStartAttempts = 3;

/** Joins the server of the location, starting it if there is none. */
async function ensureServer({ location, programs, settings, log }: ServerOptions): Promise<pg.Client> {
  const deadline = Date.now() + startTimeoutMs;
  const own = { tries: 0, running: false };
  for (;;) {
    const session = await joinServer(location);
    if (session) {
      log(own.running ? 'The embedded PostgreSQL is up.' : 'Joined the running PostgreSQL.');
      return session;
    }
    const server = readPostmaster(location.data);
    const runs = server !== undefined && servesFolder(server.pid, location.data);
    if (runs && server.socket !== undefined && server.socket !== location.socket) {
      // Started by a process with another idea of the temporary folder: nobody can share it, so it is replaced.
      log('Replacing a PostgreSQL that listens elsewhere.', { socket: server.socket });
      await stopPostmaster(server.pid, location.data);
    } else if (!runs && !own.running) {
      if (++own.tries > maxStartAttempts) {
        throw new Error(
          `The embedded PostgreSQL in ${location.base} does not start: ${readLogTail(location)}`,
        );
      }
      if (server) removeStaleLock(location);
      own.running = true;
      const child = runServer(location, programs, settings);
      child.once('exit', () => {
        own.running = false;
      });
      child.once('error', (error) => {
        own.running = false;
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
  client.on('error', () => {}); // the query fails too, and tells
  await client.connect();
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [account]);
    if (rowCount === 0) await client.query(`create database ${account}`).catch(ignoreDuplicate);
  } finally {
    await client.end();
  }
}

/** Another process made the database in the same moment: duplicate_database, or a unique_violation in its list. */
function ignoreDuplicate(error: { code?: string }): void {
  if (error.code !== '42P04' && error.code !== '23505') throw error;
}
