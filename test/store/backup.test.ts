import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CommandIo } from '../../src/cli/command.ts';
import { runBackup } from '../../src/cli/commands/backup.ts';
import { runRestore } from '../../src/cli/commands/restore.ts';
import { createHttp } from '../../src/net/http.ts';
import { ArchiveWriter } from '../../src/store/backup/archive.ts';
import { TABLES } from '../../src/store/backup/tables.ts';
import { openBlobs, openStore, restoreBackup, verifyBackup, writeBackup } from '../../src/store/index.ts';
import { knownMigrations, migrateUpTo } from '../../src/store/migrate.ts';
import { startPlatform, type TestPlatform } from '../platform/start-platform.ts';
import { createDatabase, openPool } from '../support/database.ts';
import { testAtLength } from '../support/describe-at-length.ts';
import { type ObjectServer, startObjectServer } from '../support/object-server.ts';
import { propertyRuns } from '../support/property-runs.ts';

const { signal } = new AbortController();
let platform: TestPlatform;
let folder: string;
let objects: ObjectServer;
let archive: Buffer;
let digests: Readonly<Record<string, string>>;
let spaceId: string;

/** A digest of the rows of each table. */
async function digestTables(pool: TestPlatform['database']['store']['pool']) {
  const parts = TABLES.map(
    (name) =>
      `select '${name}' as name, md5(coalesce(string_agg(t::text, chr(10) order by t::text), '')) as digest from ${name} t`,
  );
  const { rows } = await pool.query<{ name: string; digest: string }>(parts.join(' union all '));
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]));
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docloom-backup-'));
  objects = await startObjectServer(folder);
  platform = await startPlatform();
  const { repo, url } = await platform.createRepo('kept');
  await repo.commit({
    'README.md': '# Kept\n\n![dot](dot.svg)\n\n\\N and\ttabs\n',
    'dot.svg': '<svg id="kept"/>',
  });
  spaceId = await platform.createSpace('Kept');
  await platform.importBranch(spaceId, { url });
  await platform.deps.queue.stop();
  digests = await digestTables(platform.database.store.pool);

  const parts: Uint8Array[] = [];
  let isChanged = false;
  await writeBackup(
    { pool: platform.database.store.pool, blobs: platform.deps.blobs },
    async (bytes) => {
      parts.push(Buffer.from(bytes));
      if (isChanged || parts.length < 4) return;
      isChanged = true;
      // Somebody works on while the backup is written.
      await platform.createSpace('Later');
      await platform.api('PATCH', `/spaces/${spaceId}`, { body: { title: 'Renamed' } });
    },
    { signal },
  );
  archive = Buffer.concat(parts);
});
afterAll(async () => {
  await platform?.close();
  await objects?.close();
  await rm(folder, { recursive: true, force: true });
});

async function run(
  command: (file: string, io: CommandIo) => Promise<number>,
  file: string,
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const stdout = new PassThrough().setEncoding('utf8');
  const stderr = new PassThrough();
  const io = { stdout, stderr, env, cwd: folder, signal } as unknown as CommandIo;
  expect(await command(file, io)).toBe(0);
  return String(stdout.read());
}

it('a backup taken during changes is restored elsewhere as it was at one moment, once', async () => {
  await writeFile(join(folder, 'one'), archive);
  const { url, drop } = await createDatabase();
  const env = {
    DATA_DIR: join(folder, 'elsewhere'),
    DATABASE_URL: url,
    BLOBS_URL: 's3://docs/restored',
    BLOBS_ENDPOINT: objects.settings.endpoint,
    BLOBS_ACCESS_KEY_ID: 'S3RVER',
    BLOBS_SECRET_ACCESS_KEY: 'S3RVER',
  };
  const http = createHttp({ userAgent: 'test' });
  try {
    const said = await run(runRestore, 'one', env);
    expect(said).toMatch(
      /^The state of [\d-]+T[\d:.]+Z, of Docloom [\d.]+, is restored: \d+ tables and 1 files\.\n/,
    );
    const store = await openStore({ dataDir: folder, databaseUrl: url });
    const { server_identity: _, ...restored } = await digestTables(store.pool);
    const { server_identity: __, ...before } = digests;
    expect(restored).toEqual(before);
    const settings = { objects: { ...objects.settings, prefix: 'restored/' }, cacheBytes: 1e6 };
    const blobs = await openBlobs({ dataDir: join(folder, 'third'), settings, db: store.db, http });
    const { rows } = await store.pool.query<{ oid: string }>(
      `select git_oid as oid from files where name = 'dot.svg'`,
    );
    expect(String(await blobs.read(rows[0]?.oid ?? ''))).toBe('<svg id="kept"/>');
    // What comes next gets numbers that nothing has.
    await store.pool.query(`select nextval(pg_get_serial_sequence('git_operations', 'sequence'))`);
    const { rows: taken } = await store.pool.query(
      `select from git_operations where sequence >= (select last_value from git_operations_sequence_seq)`,
    );
    expect(taken).toEqual([]);
    await store.close();
    await expect(run(runRestore, 'one', env)).rejects.toThrow(
      /^The database is not empty \(there are rows in \w+\)/,
    );
  } finally {
    await http.close();
    await drop();
  }
});

it('a damaged archive is refused, wherever the damage is', async () => {
  const verify = (bytes: Buffer) => verifyBackup(() => Readable.from([bytes]));
  expect(await verify(archive)).toMatchObject({ kind: 'manifest' });
  await fc.assert(
    fc.asyncProperty(
      fc.nat(archive.length - 1),
      fc.constantFrom('changed', 'cut', 'longer', 'without'),
      async (at, how) => {
        const bytes = Buffer.from(archive);
        if (how === 'changed') bytes[at] = (bytes[at] ?? 0) ^ 0x20;
        const broken = {
          changed: bytes,
          cut: bytes.subarray(0, at),
          longer: Buffer.concat([bytes, Buffer.from([at % 256])]),
          without: Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]),
        }[how];
        await expect(verify(broken)).rejects.toThrow(
          /^is (damaged or incomplete|no backup of Docloom, or one of a later format)$/,
        );
      },
    ),
    propertyRuns(60),
  );
});

it.each<[string, () => Promise<Buffer>, RegExp]>([
  [
    'another file',
    async () => Buffer.from('PGDMP'),
    /^wrong is no backup of Docloom, or one of a later format, so nothing was restored\.$/,
  ],
  [
    'half of one',
    async () => archive.subarray(0, archive.length >> 1),
    /^wrong is damaged or incomplete, so nothing was restored\.$/,
  ],
  [
    'one of a later release',
    () => makeArchive({ migrations: [...knownMigrations().map(({ hash }) => hash), 'new'] }),
    /^The backup was made by Docloom 9\.9\.9, and /,
  ],
  [
    'one of another build',
    () => makeArchive({ migrations: ['other'] }),
    /^The backup was made by Docloom 9\.9\.9, and /,
  ],
])('%s is refused in a sentence, before anything is made', async (_name, make, message) => {
  await writeFile(join(folder, 'wrong'), await make());
  const { url, drop } = await createDatabase();
  try {
    const env = { DATA_DIR: join(folder, 'unused'), DATABASE_URL: url };
    await expect(run(runRestore, 'wrong', env)).rejects.toThrow(message);
    const pool = openPool(url);
    const { rows } = await pool.query(`select from pg_tables where schemaname in ('public', 'drizzle')`);
    await pool.end();
    expect(rows).toEqual([]);
  } finally {
    await drop();
  }
});

async function makeArchive(manifest: { readonly migrations: readonly string[] }): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  const writer = new ArchiveWriter(async (bytes) => void parts.push(Buffer.from(bytes)));
  await writer.add({ kind: 'manifest', release: '9.9.9', takenAt: '', keyId: null, ...manifest } as {
    kind: string;
  });
  await writer.end();
  return Buffer.concat(parts);
}

testAtLength('a backup of an earlier release is restored and updated', async () => {
  const [source, target] = [await createDatabase(), await createDatabase()];
  const [from, to] = [openPool(source.url), openPool(target.url)];
  try {
    // The first that docloom backup knows: 0.2.0 in the making.
    await migrateUpTo(from, 27);
    await from.query(`insert into server_secrets (name, sealed) values ('old', 'text')`);
    const parts: Uint8Array[] = [];
    await writeBackup(
      { pool: from, blobs: platform.deps.blobs },
      async (bytes) => void parts.push(Buffer.from(bytes)),
      { signal },
    );
    const read = () => Readable.from([Buffer.concat(parts)]);
    const place = { pool: to, openBlobs: async () => platform.deps.blobs };
    await restoreBackup(place, await verifyBackup(read), read, { signal });
    expect((await to.query('select name, sealed from server_secrets')).rows).toEqual([
      { name: 'old', sealed: 'text' },
    ]);
    const { rows } = await to.query('select count(*)::int as count from drizzle.__drizzle_migrations');
    expect(rows).toEqual([{ count: knownMigrations().length }]);
  } finally {
    await Promise.all([from.end(), to.end()]);
    await Promise.all([source.drop(), target.drop()]);
  }
});

it('a backup is a file that only its owner reads, and never replaces another', async () => {
  const env = { DATA_DIR: join(folder, 'own'), DATABASE_URL: platform.database.url };
  expect(await run(runBackup, 'new', env)).toMatch(
    /^new has the state of .* tables and 0 files; the bytes of 1 further files are not stored\.\nIt has no key: /,
  );
  expect((await readFile(join(folder, 'new'))).subarray(0, 8).toString()).toBe('docloom ');
  await expect(run(runBackup, 'new', env)).rejects.toThrow('new exists already: choose another name.');
  await expect(run(runBackup, 'no/where', env)).rejects.toThrow(
    'no/where cannot be written: its folder does not exist.',
  );
});
