import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { vi } from 'vitest';
import { prepareClusterLocation } from '../../src/store/embedded/cluster-location.ts';
import { serverEnvironment } from '../../src/store/embedded/create-cluster.ts';
import { provideBinaries } from '../../src/store/embedded/provide-binaries.ts';
import { spawnAs } from '../../src/store/embedded/server-user.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { pickPort } from '../support/pick-port.ts';

const run = promisify(execFile);

/** A typical external PostgreSQL: reached over TCP, with a password. */
export async function startPasswordServer(
  password: string,
): Promise<{ port: number; close(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'docloom-tcp-'));
  const location = prepareClusterLocation(folder);
  const options = { ...spawnAs(location.user), cwd: location.base, env: serverEnvironment };
  const { folder: programs } = await provideBinaries(location);
  const passwordFile = join(location.base, 'password');
  writeFileSync(passwordFile, password);
  chownSync(passwordFile, location.user.uid, location.user.gid);
  await run(
    join(programs, 'bin/initdb'),
    ['-D', location.data, '-U', 'docs', '--auth', 'scram-sha-256', '--pwfile', passwordFile, '--no-sync'],
    options,
  );
  const port = await pickPort();
  const child = spawn(
    join(programs, 'bin/postgres'),
    [
      '-D',
      location.data,
      '-p',
      String(port),
      '-c',
      'listen_addresses=127.0.0.1',
      '-c',
      'unix_socket_directories=',
    ],
    { ...options, stdio: 'ignore' },
  );
  await vi.waitFor(async () => {
    const client = new pg.Client({ host: '127.0.0.1', port, user: 'docs', password, database: 'postgres' });
    await client.connect();
    await client.query('create database docs');
    await client.end();
  }, PATIENCE_MS);
  return {
    port,
    async close() {
      const exit = once(child, 'exit');
      child.kill('SIGINT');
      await exit;
      rmSync(folder, { recursive: true, force: true });
      rmSync(location.base, { recursive: true, force: true });
    },
  };
}
