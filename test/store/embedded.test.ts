import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { prepareClusterLocation } from '../../src/store/embedded/cluster-location.ts';
import { findFailureReason } from '../../src/store/embedded/create-cluster.ts';
import { readPostmaster, servesFolder, stopPostmaster } from '../../src/store/embedded/postmaster.ts';
import { openStore } from '../../src/store/index.ts';
import { testAtLength } from '../support/describe-at-length.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { killProcesses, openProcess } from './open-process.ts';

const isRoot = process.getuid?.() === 0;
const patient = { timeout: PATIENCE_MS, interval: 20 };
let dataDir: string;
let folders: string[];

/** A data folder with a database that was shut down cleanly: initializing one takes longer than the tests. */
let template: string;

beforeAll(async () => {
  template = mkdtempSync(join(tmpdir(), 'docloom-template-'));
  chmodSync(template, 0o755);
  await (await openStore({ dataDir: template })).close();
});
afterAll(() => rmSync(template, { recursive: true, force: true }));

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'docloom-embedded-'));
  chmodSync(dataDir, 0o755);
  folders = [dataDir];
});

afterEach(async () => {
  killProcesses();
  for (const folder of folders) {
    const pid = runningServer(folder);
    if (pid !== undefined) await stopPostmaster(pid, prepareClusterLocation(folder).data);
  }
  const places = folders.map((folder) => prepareClusterLocation(folder));
  for (const { base, socket } of places) {
    for (const path of [base, socket]) rmSync(path, { recursive: true, force: true });
  }
  rmSync(dataDir, { recursive: true, force: true });
});

/** Puts a copy of the template into the data folder. */
function useTemplate(): void {
  execFileSync('cp', ['-a', join(template, 'postgres'), dataDir]);
}

/** The process id of the server of a data folder, if it runs. */
function runningServer(folder = dataDir): number | undefined {
  const { data } = prepareClusterLocation(folder);
  const pid = readPostmaster(data)?.pid;
  return pid !== undefined && servesFolder(pid, data) ? pid : undefined;
}

testAtLength(
  'a server that survives its killed process is joined by the next process, and stops with that',
  async () => {
    useTemplate();
    const first = await openProcess(dataDir);
    const pid = runningServer();
    expect(pid).toBeDefined();
    await first.kill();
    expect(runningServer()).toBe(pid);

    const second = await openProcess(dataDir);
    expect(second.answer.url).toBe(first.answer.url);
    expect(runningServer()).toBe(pid);
    await second.close();
    expect(runningServer()).toBeUndefined();
  },
);

testAtLength(
  'processes that start at once on an empty folder share one server; the last to close it stops it',
  async () => {
    const processes = await Promise.all([1, 2, 3].map(() => openProcess(dataDir)));
    expect(processes.map(({ answer }) => answer.error)).toEqual(Array(3).fill(undefined));
    expect(new Set(processes.map(({ answer }) => `${answer.url} ${answer.tables}`)).size).toBe(1);
    expect(processes[0]?.answer.tables).toBeGreaterThan(10);
    const [last, ...others] = processes;
    await Promise.all(others.map((other) => other.close()));
    expect(runningServer()).toBeDefined();
    await last?.close();
    expect(runningServer()).toBeUndefined();
  },
);

test('a server that crashes is started again with the same address and all committed data', async () => {
  useTemplate();
  const store = await openStore({ dataDir });
  expect(await store.health()).toEqual({ ok: true, detail: 'The database answers.' });
  await store.pool.query('create table kept as select 1 as n');
  const pid = runningServer() as number;
  process.kill(pid, 'SIGKILL');
  await vi.waitFor(async () => expect((await store.health()).ok).toBe(false), patient);
  await vi.waitFor(async () => expect((await store.health()).ok).toBe(true), patient);
  expect(runningServer()).not.toBe(pid);
  expect((await store.pool.query('select n from kept')).rows).toEqual([{ n: 1 }]);
  await store.close();
  expect(runningServer()).toBeUndefined();
});

test('a stale lock file whose process id belongs to another program now is removed', async () => {
  useTemplate();
  const { data } = prepareClusterLocation(dataDir);
  // Our own id, alive and no server: what a container that starts again finds.
  writeFileSync(join(data, 'postmaster.pid'), `${process.pid}\n${data}\n1700000000\n5432\n/nowhere\n\n`);
  const store = await openStore({ dataDir });
  expect((await store.health()).ok).toBe(true);
  await store.close();
});

/** What PostgreSQL's first answer to another user of the system is: `R` when it lets that user in without a word. */
function connectAs(uid: number, socket: string): string {
  const program = `
    const fields = Buffer.from('user\\0docloom\\0database\\0docloom\\0\\0');
    const start = Buffer.alloc(8);
    start.writeInt32BE(8 + fields.length);
    start.writeInt32BE(196608, 4);
    const client = require('node:net').connect(process.argv[1]);
    client.on('error', (error) => console.log(error.code));
    client.on('connect', () => client.write(Buffer.concat([start, fields])));
    client.once('data', (answer) => { console.log(String.fromCharCode(answer[0])); client.destroy(); });`;
  const options = { uid, gid: uid, cwd: '/', encoding: 'utf8' } as const;
  return execFileSync(process.execPath, ['-e', program, join(socket, '.s.PGSQL.5432')], options).trim();
}

test.runIf(isRoot)(
  'other users are refused, also by a cluster that trusted everybody, and nobody is cut',
  async () => {
    useTemplate();
    const store = await openStore({ dataDir });
    const { base, data, socket } = prepareClusterLocation(dataDir);
    const open = () => {
      for (const folder of [base, socket]) chmodSync(folder, 0o755);
      chmodSync(join(socket, '.s.PGSQL.5432'), 0o777);
    };
    open();
    expect(connectAs(1, socket)).toBe('E');

    // As the release before left it, with a process that uses it.
    writeFileSync(join(data, 'pg_hba.conf'), 'local all all trust\n');
    writeFileSync(join(data, 'pg_ident.conf'), '');
    await store.pool.query('select pg_reload_conf()');
    await vi.waitFor(() => expect(connectAs(1, socket)).toBe('R'), patient);
    const earlier = await store.pool.connect();
    const pid = runningServer();

    const next = await openProcess(dataDir);
    open();
    await vi.waitFor(() => expect(connectAs(1, socket)).toBe('E'), patient);
    expect((await earlier.query('select 1 as n')).rows).toEqual([{ n: 1 }]);
    earlier.release(true);
    expect((await store.pool.query('select 1 as n')).rows).toEqual([{ n: 1 }]);
    expect(runningServer()).toBe(pid);
    await next.close();
    await store.close();
  },
);

testAtLength('a data folder too deep for a unix socket has its socket elsewhere', async () => {
  const deep = join(dataDir, 'a folder, with a long name and "quotes"'.repeat(3));
  useTemplate();
  mkdirSync(deep);
  renameSync(join(dataDir, 'postgres'), join(deep, 'postgres'));
  folders.push(deep);
  const store = await openStore({ dataDir: deep });
  expect((await store.health()).ok).toBe(true);
  await store.close();
  expect(runningServer(deep)).toBeUndefined();
});

test('a folder of another PostgreSQL version stays unchanged', async () => {
  useTemplate();
  writeFileSync(join(prepareClusterLocation(dataDir).data, 'PG_VERSION'), '15\n');
  await expect(openStore({ dataDir })).rejects.toThrow(
    /was created by PostgreSQL 15, and this is \d+: start version 15/,
  );
});

describe.runIf(isRoot)('users', () => {
  const nobody = 65534;

  testAtLength('an ordinary user runs the server itself', async () => {
    chownSync(dataDir, nobody, nobody);
    useTemplate();
    const first = await openProcess(dataDir, nobody);
    expect(first.answer.error).toBeUndefined();
    expect(first.answer.uid).toBe(nobody);
    // Root joins the server that the user started, and does not prevent the user's next start.
    const root = await openProcess(dataDir);
    expect(root.answer.url).toBe(first.answer.url);
    await first.close();
    await root.close();
    expect(runningServer()).toBeUndefined();
  });

  test('a data folder that only root can enter contains the database, and stays unreadable for others', async () => {
    useTemplate();
    chmodSync(dataDir, 0o700);
    const store = await openStore({ dataDir });
    expect((await store.health()).ok).toBe(true);
    expect(prepareClusterLocation(dataDir)).toMatchObject({ base: join(dataDir, 'postgres'), inside: true });
    expect(statSync(dataDir)).toMatchObject({ uid: 0, gid: nobody });
    expect(statSync(dataDir).mode & 0o777).toBe(0o710);
    await store.close();
  });

  testAtLength('the database of a data folder that the server cannot reach is stored elsewhere', async () => {
    const locked = join(dataDir, 'locked');
    mkdirSync(join(locked, 'data'), { recursive: true });
    chmodSync(locked, 0o700);
    folders.push(join(locked, 'data'));
    const store = await openStore({ dataDir: join(locked, 'data') });
    expect((await store.health()).ok).toBe(true);
    expect(prepareClusterLocation(join(locked, 'data')).base).toMatch(
      /^\/var\/lib\/docloom\/postgres-[0-9a-f]{16}$/,
    );
    await store.close();
  });

  test('a folder of another user is refused, with what to do', async () => {
    useTemplate();
    const bin = 2;
    const first = await openProcess(dataDir, bin);
    expect(first.answer.error).toMatch(
      /belongs to user id 65534, and the embedded PostgreSQL would run as 2: run as that user or as root/,
    );
  });
});

test.each([
  [
    'creating directory x ... ok\ninitdb: error: could not write to file "x": No space left on device\ninitdb: removing data directory "x"',
    'the disk is full. Free space, or choose another folder with DATA_DIR.',
  ],
  [
    'initdb: error: invalid locale name "C"\ninitdb: removing data directory "x"',
    'initdb: error: invalid locale name "C"',
  ],
  ['one\ntwo', 'two'],
  ['', null],
])('the reason of the failure is found in the output of initdb: %j', (stderr, reason) => {
  expect(findFailureReason(stderr)).toBe(reason);
});
