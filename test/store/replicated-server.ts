import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
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
import { PATIENCE_MS } from '../support/patience.ts';

const run = promisify(execFile);

export interface ReplicatedServer {
  readonly primaryUrl: string;
  readonly standbyUrl: string;
  stopStandby(): Promise<void>;
  startStandby(): Promise<void>;
  close(): Promise<void>;
}

/** A PostgreSQL with a hot standby that follows it by streaming replication. */
export async function startReplicatedServer(): Promise<ReplicatedServer> {
  const folder = mkdtempSync(join(tmpdir(), 'docloom-replica-'));
  const location = prepareClusterLocation(folder);
  const options = { ...spawnAs(location.user), cwd: location.base, env: serverEnvironment };
  const { folder: programs } = await provideBinaries(location);
  const program = (name: string) => join(programs, 'bin', name);
  await run(program('initdb'), ['-D', location.data, '-U', 'docs', '--auth', 'trust', '--no-sync'], options);
  const [port, standbyPort] = [await freePort(0), await freePort(0)];
  const urlAt = (at: number) => `postgresql://docs@127.0.0.1:${at}/postgres`;
  // Copied before it first runs, so that both have the same past.
  const copy = `${location.data}-standby`;
  cpSync(location.data, copy, { recursive: true, preserveTimestamps: true });
  writeFileSync(join(copy, 'standby.signal'), '');
  appendFileSync(
    join(copy, 'postgresql.auto.conf'),
    `primary_conninfo = 'host=127.0.0.1 port=${port} user=docs'\n`,
  );
  const { uid, gid } = location.user;
  chownSync(copy, uid, gid);
  chmodSync(copy, 0o700);
  for (const name of readdirSync(copy, { recursive: true })) chownSync(join(copy, String(name)), uid, gid);

  const start = async (data: string, at: number): Promise<ChildProcess> => {
    const child = spawn(
      program('postgres'),
      ['-D', data, '-p', String(at), '-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
      { ...options, stdio: 'ignore' },
    );
    await vi.waitFor(
      async () => {
        const client = new pg.Client({ connectionString: urlAt(at) });
        await client.connect();
        await client.end();
      },
      { timeout: PATIENCE_MS, interval: 100 },
    );
    return child;
  };
  const stop = async (child: ChildProcess, signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill(signal);
    await exit;
  };
  const primary = await start(location.data, port);
  let standby = await start(copy, standbyPort);
  return {
    primaryUrl: urlAt(port),
    standbyUrl: urlAt(standbyPort),
    stopStandby: () => stop(standby, 'SIGQUIT'),
    async startStandby() {
      standby = await start(copy, standbyPort);
    },
    async close() {
      await stop(standby, 'SIGQUIT');
      await stop(primary, 'SIGQUIT');
      rmSync(folder, { recursive: true, force: true });
      rmSync(copy, { recursive: true, force: true });
    },
  };
}
