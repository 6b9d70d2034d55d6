import { createGzip } from 'node:zlib';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { BlobMissing, type BlobStore } from '../blobs/index.ts';
import { currentRelease } from '../compatibility.ts';
import { knownMigrations } from '../migrate.ts';
import { ArchiveWriter } from './archive.ts';
import type { BackupManifest, BlobRecord, SequencesRecord, TableRecord } from './backup-records.ts';
import { listMigrations, listTables, quoteName } from './tables.ts';

const OIDS_AT_ONCE = 5_000;

export interface BackupSummary {
  readonly takenAt: string;
  readonly tables: number;
  readonly files: number;
  /** Files of revisions whose bytes are not stored, such as those above the limit. */
  readonly withoutBytes: number;
}

export interface BackupOptions {
  readonly signal: AbortSignal;
  readonly onProgress?: (files: number) => void;
}

/**
 * Writes everything that Docloom has, as it was at one moment, while processes work on it: all rows are read in one
 * transaction that sees no later ones, and the bytes of files are kept for a day after the last row that names them is
 * gone.
 *
 * @throws Error with one sentence when a later release has changed the tables
 */
export async function writeBackup(
  { pool, blobs }: { readonly pool: pg.Pool; readonly blobs: BlobStore },
  write: (bytes: Uint8Array) => Promise<void>,
  { signal, onProgress = () => {} }: BackupOptions,
): Promise<BackupSummary> {
  const archive = new ArchiveWriter(write);
  const client = await pool.connect();
  let failed = true;
  try {
    await client.query('begin isolation level repeatable read, read only');
    const manifest = await readManifest(client);
    await archive.add(manifest);
    const files = await addBlobs(client, blobs, archive, { signal, onProgress });
    const tables = await listTables(client);
    for (const { name, columns } of tables) {
      signal.throwIfAborted();
      const header: TableRecord = { kind: 'table', name, columns };
      const list = columns.map(quoteName).join(', ');
      const rows = client.query(copyTo(`copy public.${quoteName(name)} (${list}) to stdout`));
      const packed = createGzip({ level: 1 });
      rows.on('error', (error) => packed.destroy(error));
      await archive.add(header, rows.pipe(packed));
    }
    await archive.add(await readSequences(client));
    await client.query('commit');
    await archive.end();
    failed = false;
    return { takenAt: manifest.takenAt, tables: tables.length, ...files };
  } finally {
    client.release(failed);
  }
}

async function readManifest(client: pg.ClientBase): Promise<BackupManifest> {
  const migrations = await listMigrations(client);
  const known = new Set(knownMigrations().map(({ hash }) => hash));
  if (migrations.some((hash) => !known.has(hash)))
    throw new Error(
      `The database was updated by a later release than ${currentRelease.release}, which does not know all of its tables: run docloom backup of that release.`,
    );
  const { rows } = await client.query<{ now: Date; key: string | null }>(
    `select now() as now, (select value from server_identity where name = 'secret-key') as key`,
  );
  return {
    kind: 'manifest',
    release: currentRelease.release,
    takenAt: (rows[0]?.now ?? new Date()).toISOString(),
    keyId: rows[0]?.key ?? null,
    migrations,
  };
}

async function addBlobs(
  client: pg.ClientBase,
  blobs: BlobStore,
  archive: ArchiveWriter,
  { signal, onProgress }: Required<BackupOptions>,
): Promise<{ readonly files: number; readonly withoutBytes: number }> {
  let files = 0;
  let withoutBytes = 0;
  for (let after = ''; ; ) {
    const { rows } = await client.query<{ oid: string }>(
      `select distinct git_oid as oid from files where git_oid > $1 order by git_oid limit ${OIDS_AT_ONCE}`,
      [after],
    );
    for (const { oid } of rows) {
      signal.throwIfAborted();
      const bytes = await blobs.read(oid).catch((error: unknown) => {
        if (error instanceof BlobMissing) return null;
        throw error;
      });
      if (bytes === null) {
        withoutBytes += 1;
        continue;
      }
      const header: BlobRecord = { kind: 'blob', oid };
      await archive.add(header, [bytes]);
      files += 1;
      onProgress(files);
    }
    const last = rows.at(-1);
    if (last === undefined) return { files, withoutBytes };
    after = last.oid;
  }
}

async function readSequences(client: pg.ClientBase): Promise<SequencesRecord> {
  const { rows } = await client.query<{ name: string; value: string }>(
    `select sequencename as name, last_value::text as value from pg_sequences
     where schemaname = 'public' and last_value is not null`,
  );
  return { kind: 'sequences', values: Object.fromEntries(rows.map(({ name, value }) => [name, value])) };
}
