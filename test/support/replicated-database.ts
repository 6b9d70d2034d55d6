/** A PostgreSQL and a hot standby that follows it by streaming replication. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { vi } from 'vitest';
import { prepareClusterLocation } from '../../src/store/embedded/cluster-location.ts';
import { serverEnvironment } from '../../src/store/embedded/create-cluster.ts';
import { provideBinaries } from '../../src/store/embedded/provide-binaries.ts';
import { spawnAs } from '../../src/store/embedded/server-user.ts';
import { PATIENCE_MS } from './patience.ts';
import { pickPort } from './pick-port.ts';

export interface ReplicatedDatabase {
  /** An address that follows the primary. */
  readonly url: string;
  readonly standbyUrl: string;
  /** Runs a statement on the standby, such as one that keeps it from replaying. */
  onStandby(statement: string): Promise<void>;
  stopStandby(): Promise<void>;
  startStandby(): Promise<void>;
  /** Kills the primary, promotes its standby, and leads the address there. Only once. */
  failOver(): Promise<void>;
  close(): Promise<void>;
}

/** @param options.synchronous whether each commit is copied to the standby before it is answered */
export async function startReplicatedDatabase(
  { synchronous }: { readonly synchronous: boolean } = { synchronous: false },
): Promise<ReplicatedDatabase> {
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
  const ports = { primary: await pickPort(), standby: await pickPort() };
  const urlAt = (port: number, database = 'docs') =>
    `postgresql://docs:password@127.0.0.1:${port}/${database}`;
  const query = async (url: string, statement: string) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return await client.query(statement);
    } finally {
      await client.end();
    }
  };
  const patient = { timeout: PATIENCE_MS, interval: 50 };
  const start = (data: string, port: number, settings: readonly string[] = []): ChildProcess =>
    spawn(
      join(programs, 'bin/postgres'),
      ['-D', data, '-p', String(port)].concat(
        ['listen_addresses=127.0.0.1', 'unix_socket_directories=', ...settings].flatMap((one) => ['-c', one]),
      ),
      { ...options, stdio: 'ignore' },
    );
  const end = async (child: ChildProcess, signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill(signal);
    await exit;
  };

  // Copied before it first runs, so that both have the same past.
  const copy = join(location.base, 'standby');
  cpSync(location.data, copy, { recursive: true, preserveTimestamps: true });
  writeFileSync(join(copy, 'standby.signal'), '');
  for (const name of ['', ...readdirSync(copy, { recursive: true, encoding: 'utf8' })])
    chownSync(join(copy, name), uid, gid);
  chmodSync(copy, 0o700);
  const primary = start(location.data, ports.primary);
  await vi.waitFor(() => query(urlAt(ports.primary, 'postgres'), 'create database docs'), patient);
  const startStandby = async (): Promise<ChildProcess> => {
    const child = start(copy, ports.standby, [
      `primary_conninfo=host=127.0.0.1 port=${ports.primary} user=docs password=password application_name=standby`,
    ]);
    await vi.waitFor(() => query(urlAt(ports.standby), 'select'), patient);
    return child;
  };
  let standby = await startStandby();
  if (synchronous) {
    await vi.waitFor(async () => {
      const { rows } = await query(
        urlAt(ports.primary),
        "select 1 from pg_stat_replication where state = 'streaming'",
      );
      if (rows.length === 0) throw new Error('The standby does not follow yet.');
    }, patient);
    await query(urlAt(ports.primary), "alter system set synchronous_standby_names = 'standby'");
    await query(urlAt(ports.primary), 'select pg_reload_conf()');
  }

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

  return {
    url: urlAt(port),
    standbyUrl: urlAt(ports.standby),
    onStandby: async (statement) => void (await query(urlAt(ports.standby), statement)),
    stopStandby: () => end(standby, 'SIGQUIT'),
    async startStandby() {
      standby = await startStandby();
    },
    async failOver() {
      // Its children notice that it is gone, and end.
      await end(primary, 'SIGKILL');
      target = ports.standby;
      for (const socket of sockets) socket.destroy();
      await query(urlAt(ports.standby), 'select pg_promote()');
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      front.close();
      await end(standby, 'SIGQUIT');
      await end(primary, 'SIGQUIT');
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
      rmSync(location.base, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
}
