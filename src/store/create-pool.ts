import type { Socket } from 'node:net';
import pg from 'pg';
import { READ_ONLY } from './find-outage.ts';
import type { Log } from './log.ts';

/**
 * For every connection to PostgreSQL: one that is not used, and whose server is gone without a word, ends within half a
 * minute. For one whose question was never answered, see {@link watchSilence}.
 */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const;

/**
 * The same from the side of the server, which otherwise keeps what a machine that lost its power had locked for two hours:
 * a space that it was importing, for example. Not for connections through a pooler, who shares them.
 */
export async function keepServerAlert(client: pg.ClientBase): Promise<void> {
  await client.query(
    'set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 4',
  );
}

const connectionsOf = new WeakMap<pg.Pool, Set<pg.PoolClient>>();

/** A pool whose process outlives whatever becomes of its connections. */
export function createPool(config: pg.PoolConfig, log: Log): pg.Pool {
  const pool = new pg.Pool({ connectionTimeoutMillis: 10_000, ...KEEP_ALIVE, ...config });
  const connections = new Set<pg.PoolClient>();
  connectionsOf.set(pool, connections);
  const standbys = new WeakSet<pg.PoolClient>();
  // Idle connections close when the server stops; the next query opens a new one.
  pool.on('error', (error) => log('A database connection was closed.', { error: error.message }));
  pool.on('connect', (client) => {
    connections.add(client);
    client.once('end', () => connections.delete(client));
    // A connection in use, as by a transaction, must not crash the process either: its query fails and reports the error.
    client.on('error', () => {});
    client.connection.on('errorMessage', ({ code }: pg.DatabaseError) => {
      if (code === READ_ONLY) standbys.add(client);
    });
  });
  // A primary that became a standby keeps its connections, and this one would stay in the pool for as long as it is used.
  pool.on('release', (_error, client) => {
    if (standbys.has(client)) client.end().catch(() => {});
  });
  return pool;
}

/**
 * Notes what each connection of the pools has received. The returned function ends those that received nothing since: after
 * a server was silent for too long and another connection has reached it, or its successor, their answers are not coming.
 * The system alone would go on asking for a quarter of an hour.
 */
export function watchSilence(pools: readonly pg.Pool[]): () => void {
  const received = new Map<Socket, number>();
  for (const pool of pools)
    for (const { connection } of connectionsOf.get(pool) ?? []) {
      // A socket, also with TLS, though pg's types say less.
      const stream = connection.stream as Socket;
      received.set(stream, stream.bytesRead);
    }
  return () => {
    for (const [stream, bytes] of received) if (stream.bytesRead === bytes) stream.destroy();
  };
}
