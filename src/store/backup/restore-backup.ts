import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { hashBytes } from '../blobs/hash-blob.ts';
import type { BlobStore } from '../blobs/index.ts';
import { currentRelease } from '../compatibility.ts';
import { knownMigrations, migrateDatabase, migrateUpTo } from '../migrate.ts';
import { ArchiveDamaged, readArchive } from './archive.ts';
import type { BackupManifest, BackupRecord, TableRecord } from './backup-records.ts';
import { listMigrations, listTables, quoteName, TABLES } from './tables.ts';

/** What a process may write that looks at an empty database. */
const OF_STARTS: ReadonlySet<string> = new Set(['schema_releases', 'server_identity']);

export interface RestoreSummary {
  readonly manifest: BackupManifest;
  readonly tables: number;
  readonly files: number;
}

/** The archive cannot be restored here. The message is one sentence. */
export class RestoreRefused extends Error {
  override readonly name = 'RestoreRefused';
}

/**
 * Reads the whole archive without changing anything.
 *
 * @throws ArchiveDamaged, or RestoreRefused when a later release or another build made it
 */
export async function verifyBackup(open: () => Readable): Promise<BackupManifest> {
  let manifest: BackupManifest | null = null;
  for await (const { header, content } of readArchive(open())) {
    for await (const _ of content); // its end compares the digest
    const record = header as BackupRecord;
    if (manifest === null) {
      if (record.kind !== 'manifest') throw new ArchiveDamaged('is damaged or incomplete');
      manifest = record;
      requireKnown(manifest);
    }
    if (record.kind === 'table' && !TABLES.includes(record.name))
      throw new RestoreRefused(`The backup has a table ${record.name}, which this release does not know.`);
  }
  if (manifest === null) throw new ArchiveDamaged('is damaged or incomplete');
  return manifest;
}

function requireKnown({ release, migrations }: BackupManifest): void {
  const known = knownMigrations();
  if (migrations.every((hash, at) => known[at]?.hash === hash) && migrations.length > 0) return;
  throw new RestoreRefused(
    `The backup was made by Docloom ${release}, and ${currentRelease.release} does not know all of its tables: restore it with ${release} or the release after.`,
  );
}

/**
 * Fills a database that has nothing yet, and a store of blobs, with what a verified archive has: its tables are made as
 * they were there, filled in one transaction, and then updated to this release.
 *
 * @param openBlobs opens the store of blobs of this database, once it has tables
 * @throws RestoreRefused when there is something already
 */
export async function restoreBackup(
  { pool, openBlobs }: { readonly pool: pg.Pool; readonly openBlobs: () => Promise<BlobStore> },
  manifest: BackupManifest,
  open: () => Readable,
  {
    signal,
    onProgress = () => {},
  }: { readonly signal: AbortSignal; readonly onProgress?: (files: number) => void },
): Promise<RestoreSummary> {
  await requireEmpty(pool, manifest);
  await migrateUpTo(pool, manifest.migrations.length);
  const blobs = await openBlobs();
  const client = await pool.connect();
  let failed = true;
  let files = 0;
  let tables = 0;
  try {
    await client.query('begin');
    const prefix = await readPrefixId(client);
    const references = await dropReferences(client);
    for await (const { header, content } of readArchive(open())) {
      signal.throwIfAborted();
      const record = header as BackupRecord;
      if (record.kind === 'blob') {
        const bytes = Buffer.concat(await Array.fromAsync(content));
        if (hashBytes(bytes, record.oid) !== record.oid)
          throw new ArchiveDamaged('has wrong bytes of a file');
        await blobs.write(record.oid, bytes);
        files += 1;
        onProgress(files);
      } else if (record.kind === 'table') {
        await fillTable(client, record, content);
        tables += 1;
      } else if (record.kind === 'sequences') {
        for (const [name, value] of Object.entries(record.values))
          await client.query('select setval($1::text::regclass, $2)', [`public.${quoteName(name)}`, value]);
      }
    }
    for (const statement of references) await client.query(statement);
    await keepPrefixId(client, prefix);
    await client.query('commit');
    failed = false;
  } finally {
    client.release(failed);
  }
  await migrateDatabase(pool, () => {});
  return { manifest, tables, files };
}

async function requireEmpty(pool: pg.Pool, manifest: BackupManifest): Promise<void> {
  const client = await pool.connect();
  try {
    const applied = await listMigrations(client);
    if (!applied.every((hash, at) => manifest.migrations[at] === hash))
      throw new RestoreRefused(
        'The tables of the database are of another release than the backup: restore into a new, empty database.',
      );
    for (const { name } of await listTables(client)) {
      if (OF_STARTS.has(name)) continue;
      const { rows } = await client.query<{ some: boolean }>(
        `select exists (select from public.${quoteName(name)}) as some`,
      );
      if (rows[0]?.some === true)
        throw new RestoreRefused(
          `The database is not empty (there are rows in ${name}): restore into a new, empty one, before docloom serve starts on it.`,
        );
    }
  } finally {
    client.release();
  }
}

/** Drops the references between tables, which are filled in any order; returns the statements that make and check them again. */
async function dropReferences(client: pg.ClientBase): Promise<readonly string[]> {
  const { rows } = await client.query<{ drop: string; add: string }>(
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
            format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as add
     from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace
       and conrelid::regclass::text = any($1) order by conrelid::regclass::text, conname`,
    [TABLES.map((name) => (/^[a-z_][a-z0-9_]*$/.test(name) ? name : quoteName(name)))],
  );
  for (const { drop } of rows) await client.query(drop);
  return rows.map(({ add }) => add);
}

async function fillTable(
  client: pg.ClientBase,
  { name, columns }: TableRecord,
  content: AsyncIterable<Buffer>,
): Promise<void> {
  const table = `public.${quoteName(name)}`;
  // Migrations and the first look at an empty database write rows that the backup has, too.
  await client.query(`delete from ${table}`);
  const into = client.query(copyFrom(`copy ${table} (${columns.map(quoteName).join(', ')}) from stdin`));
  await pipeline(content, createGunzip(), into);
}

/** The store of blobs belongs to this database, not to the one of the backup, which may still run. */
async function readPrefixId(client: pg.ClientBase): Promise<string | null> {
  const { rows } = await client.query<{ value: string }>(
    `select value from server_identity where name = 'blobs'`,
  );
  return rows[0]?.value ?? null;
}

async function keepPrefixId(client: pg.ClientBase, id: string | null): Promise<void> {
  await client.query(`delete from server_identity where name = 'blobs'`);
  if (id !== null) await client.query(`insert into server_identity (name, value) values ('blobs', $1)`, [id]);
}
