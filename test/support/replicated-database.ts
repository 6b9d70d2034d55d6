/** A PostgreSQL and its standby, to which each commit is copied before it is answered. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { vi } from 'vitest';
import { freePort } from '../../src/cli/demo/free-port.ts';
import { prepareClusterLocation } from '../../src/store/embedded/cluster-location.ts';
import { serverEnvironment } from '../../src/store/embedded/create-cluster.ts';
import { provideBinaries } from '../../src/store/embedded/provide-binaries.ts';
import { spawnAs } from '../../src/store/embedded/server-user.ts';
import { PATIENCE_MS } from './patience.ts';

export interface ReplicatedDatabase {
  /** An address that follows the primary. */
  readonly url: string;
  /** Kills the primary, promotes its standby, and leads the address there. Only once. */
  failOver(): Promise<void>;
  close(): Promise<void>;
}

export async function startReplicatedDatabase(): Promise<ReplicatedDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'docloom-replicated-'));
  const location = prepareClusterLocation(folder);
  const { uid, gid } = location.user;
  const options = { ...spawnAs(location.user), cwd: location.base, env: serverEnvironment };
  const { folder: programs } = await provideBinaries(location);
  const passwordFile = join(location.base, 'password');
  writeFileSync(passwordFile, 'password');
  chownSync(passwordFile, uid, gid);
  await promisify(execFile)(
    join(programs, 'bin/initdb'),
    ['-D', location.data, '-U', 'docs', '--auth', 'scram-sha-256', '--pwfile', passwordFile, '--no-sync'],
    options,
  );
  const ports = { primary: await freePort(0), standby: await freePort(0) };
  const start = (data: string, port: number, settings: readonly string[] = []) =>
    spawn(
      join(programs, 'bin/postgres'),
      ['-D', data, '-p', String(port)].concat(
        ['listen_addresses=127.0.0.1', 'unix_socket_directories=', ...settings].flatMap((one) => ['-c', one]),
      ),
      { ...options, stdio: 'ignore' },
    );
  const withClient = async <T>(
    port: number,
    database: string,
    work: (client: pg.Client) => Promise<T>,
  ): Promise<T> => {
    const client = new pg.Client({ host: '127.0.0.1', port, user: 'docs', password: 'password', database });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  };
  const patient = { timeout: PATIENCE_MS, interval: 50 };

  const primary = start(location.data, ports.primary);
  await vi.waitFor(
    () => withClient(ports.primary, 'postgres', (client) => client.query('create database docs')),
    patient,
  );
  // A copy of the files while it runs, as pg_basebackup makes one, which is not among the binaries.
  const copy = join(location.base, 'standby');
  await withClient(ports.primary, 'postgres', async (client) => {
    await client.query("select pg_backup_start('standby', true)");
    cpSync(location.data, copy, { recursive: true });
    const { rows } = await client.query('select labelfile from pg_backup_stop()');
    writeFileSync(join(copy, 'backup_label'), rows[0].labelfile);
  });
  rmSync(join(copy, 'postmaster.pid'));
  writeFileSync(join(copy, 'standby.signal'), '');
  for (const name of ['', ...readdirSync(copy, { recursive: true, encoding: 'utf8' })])
    chownSync(join(copy, name), uid, gid);
  await promisify(execFile)('chmod', ['0700', copy]);
  const standby = start(copy, ports.standby, [
    `primary_conninfo=host=127.0.0.1 port=${ports.primary} user=docs password=password application_name=standby`,
  ]);
  await vi.waitFor(
    () =>
      withClient(ports.primary, 'postgres', async (client) => {
        const { rows } = await client.query("select 1 from pg_stat_replication where state = 'streaming'");
        if (rows.length === 0) throw new Error('The standby does not follow yet.');
        await client.query("alter system set synchronous_standby_names = 'standby'");
        await client.query('select pg_reload_conf()');
      }),
    patient,
  );

  let target = ports.primary;
  const sockets = new Set<Socket>();
  const front = createServer((incoming) => {
    const outgoing = connect(target, '127.0.0.1');
    for (const socket of [incoming, outgoing]) {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
    }
    incoming.on('error', () => outgoing.destroy()).on('close', () => outgoing.destroy());
    outgoing.on('error', () => incoming.destroy()).on('close', () => incoming.destroy());
    incoming.pipe(outgoing).pipe(incoming);
  }).listen(0, '127.0.0.1');
  await once(front, 'listening');
  const { port } = front.address() as { readonly port: number };

  const end = async (child: ReturnType<typeof start>, signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill(signal);
    await exit;
  };
  return {
    url: `postgresql://docs:password@127.0.0.1:${port}/docs`,
    async failOver() {
      // Its children notice that it is gone, and end.
      await end(primary, 'SIGKILL');
      target = ports.standby;
      for (const socket of sockets) socket.destroy();
      await withClient(ports.standby, 'postgres', (client) => client.query('select pg_promote()'));
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      front.close();
      await Promise.all([end(standby, 'SIGINT'), end(primary, 'SIGINT')]);
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
      rmSync(location.base, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
}
