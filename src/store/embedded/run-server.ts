import { type ChildProcess, spawn } from 'node:child_process';
import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  lstatSync,
  readFileSync,
  readSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type ClusterLocation, openOwned } from './cluster-location.ts';
import { serverEnvironment } from './create-cluster.ts';
import type { Programs } from './provide-binaries.ts';
import { spawnAs } from './server-user.ts';

/** Settings of postgresql.conf. They are passed on the command line, so that existing clusters get new settings. */
export type Settings = Readonly<Record<string, string>>;

const settings: Settings = {
  listen_addresses: '', // connections come through the socket only
  unix_socket_permissions: '0700',
  max_connections: '200',
  shared_buffers: '64MB',
  max_wal_size: '512MB',
  // There are no replicas; less is written.
  wal_level: 'minimal',
  max_wal_senders: '0',
  fsync: 'on',
  synchronous_commit: 'on',
  jit: 'off', // our statements are short, so compiling them costs more than it saves
  idle_in_transaction_session_timeout: '5min',
  // Errors go to the client, which reports them; values of rows must not be logged.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
};

/** The size of the server's log, and of the one before it, in bytes. */
const LOG_BYTES = 4 * 1024 * 1024;

/**
 * Starts the server in a session of its own, so that Ctrl-C in our terminal does not stop it before our work is done. It
 * survives when this process is killed, and the next process joins it.
 */
export function runServer(
  location: ClusterLocation,
  programs: Programs,
  overrides: Settings = {},
): ChildProcess {
  const log = openLog(location);
  const all = { ...settings, ...overrides, unix_socket_directories: quote(location.socket) };
  const options = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawn(join(programs.folder, 'bin/postgres'), ['-D', location.data, ...options], {
    ...spawnAs(location.user),
    cwd: location.base,
    env: serverEnvironment,
    detached: true,
    stdio: ['ignore', log, log],
  });
  child.unref();
  closeSync(log);
  return child;
}

/** The last lines of the server's log, for the message when it does not start. */
export function readLogTail(location: ClusterLocation, lines = 5): string {
  return readFileSync(location.log, 'utf8').trimEnd().split('\n').slice(-lines).join(' | ');
}

const { O_RDWR, O_WRONLY, O_APPEND, O_CREAT, O_TRUNC } = constants;

function openLog(location: ClusterLocation): number {
  return openOwned(location, location.log, O_WRONLY | O_APPEND | O_CREAT);
}

/**
 * Empties the server's log when it is larger than `maxBytes`, and stores its end, of up to that size, as `server.log.1`.
 * The server goes on writing to the same file, which it opened for appending.
 */
export function trimLog(location: ClusterLocation, maxBytes = LOG_BYTES): void {
  const { log } = location;
  if ((lstatSync(log, { throwIfNoEntry: false })?.size ?? 0) <= maxBytes) return;
  const file = openOwned(location, log, O_RDWR);
  try {
    const { size } = fstatSync(file);
    // Another process may have trimmed it just now.
    if (size <= maxBytes) return;
    const end = Buffer.alloc(Math.min(size, maxBytes));
    readSync(file, end, 0, end.length, size - end.length);
    const earlier = openOwned(location, `${log}.1`, O_WRONLY | O_CREAT | O_TRUNC);
    try {
      writeFileSync(earlier, end);
    } finally {
      closeSync(earlier);
    }
    ftruncateSync(file, 0);
  } finally {
    closeSync(file);
  }
}

/** The setting is a list; a quoted element may contain commas and spaces. */
const quote = (folder: string) => `"${folder.replaceAll('"', '""')}"`;
