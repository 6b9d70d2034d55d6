import pg from 'pg';
import type { ClusterLocation } from './cluster-location.ts';
import { account } from './create-cluster.ts';

/**
 * Every process that uses the server holds this advisory lock, shared, on one connection. A process that leaves and can
 * acquire it exclusively was the last one, and stops the server.
 */
const presenceLock = 0x646f636c;

/** Codes of a server that is starting, stopping or was just stopped (PostgreSQL's appendix A, class 57), and of no server. */
const unavailableCodes = new Set([
  '57P03',
  '57P01',
  '57P02',
  'ENOENT',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
]);

/** The connection options of a database of the cluster. */
export function connectionOptions(socket: string, database: string): pg.ClientConfig {
  return { host: socket, port: 5432, user: account, database, connectionTimeoutMillis: 5_000 };
}

/**
 * Connects to the server at `socket`, checks that it serves our data folder, and acquires the presence lock. Undefined when
 * no server answers there now.
 */
export async function joinServer(
  location: ClusterLocation,
  socket = location.socket,
): Promise<pg.Client | undefined> {
  const client = new pg.Client({
    ...connectionOptions(socket, 'postgres'),
    application_name: 'docloom presence',
  });
  client.on('error', () => {}); // 'end' follows, which `startEmbedded` listens to
  try {
    await client.connect();
    const { rows } = await client.query<{ data_directory: string }>('show data_directory');
    if (rows[0]?.data_directory !== location.data) {
      throw new Error(`The socket in ${socket} belongs to the database in ${rows[0]?.data_directory}.`);
    }
    await client.query('select pg_advisory_lock_shared($1)', [presenceLock]);
    return client;
  } catch (error) {
    await client.end().catch(() => {});
    if (isUnavailable(error)) return undefined;
    throw error;
  }
}

/** Returns whether no other process uses the server. If so, new processes wait until it has stopped, and start it again. */
export async function leaveServer(client: pg.Client): Promise<boolean> {
  await client.query('select pg_advisory_unlock_shared($1)', [presenceLock]);
  const { rows } = await client.query<{ alone: boolean }>('select pg_try_advisory_lock($1) as alone', [
    presenceLock,
  ]);
  return rows[0]?.alone === true;
}

function isUnavailable(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string };
  return (
    (code !== undefined && unavailableCodes.has(code)) ||
    /Connection terminated|timeout expired/.test(message ?? '')
  );
}
