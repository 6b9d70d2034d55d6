import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { openQueue } from '../../src/queue/index.ts';
import { currentRelease } from '../../src/store/compatibility.ts';
import { openStore, tables } from '../../src/store/index.ts';
import { migrateDatabase } from '../../src/store/migrate.ts';
import { createDatabase, createMigratedDatabase, openPool } from '../support/database.ts';
import { testAtLength } from '../support/describe-at-length.ts';
import { waitFor } from '../support/wait-for.ts';

const migrationsFolder = fileURLToPath(new URL('../../src/store/migrations', import.meta.url));

testAtLength('stores and queues that open an empty database at once migrate it once', async () => {
  const { url, drop } = await createDatabase();
  const stores = await Promise.all(
    [1, 2, 3, 4, 5].map(() => openStore({ dataDir: tmpdir(), databaseUrl: url, poolSize: 2 })),
  );
  const queues = await Promise.all(stores.map((store) => openQueue(store)));

  const applied = await stores[0]?.pool.query('select 1 from drizzle.__drizzle_migrations');
  const files = readdirSync(migrationsFolder).filter((name) => name.endsWith('.sql'));
  expect(applied?.rowCount).toBe(files.length);
  for (const store of stores) expect(await store.db.select().from(tables.spaces)).toEqual([]);
  for (const queue of queues) expect(await queue.failed()).toEqual([]);

  await Promise.all(queues.map((queue) => queue.stop()));
  await Promise.all(stores.map((store) => store.close()));
  await drop();
});

test('a user without the necessary privileges is refused, with what to do', async () => {
  const { url, drop } = await createDatabase();
  const pool = openPool(url);
  const weak = `weak_${process.pid}`;
  await pool.query(`create role ${weak}`);
  const address = new URL(url);
  address.searchParams.set('options', `-c role=${weak}`);
  await expect(openStore({ dataDir: tmpdir(), databaseUrl: address.href })).rejects.toThrow(
    /permission denied for database [^.]+\. Allow the user of DATABASE_URL to create schemas and tables there: .+ OWNER TO …\.$/,
  );
  await pool.query(`drop role ${weak}`);
  await pool.end();
  await drop();
});

test('existing tables of another program are reported in one sentence', async () => {
  const { url, drop } = await createDatabase();
  const pool = openPool(url);
  await pool.query('create table spaces (id text)');
  await pool.end();
  await expect(openStore({ dataDir: tmpdir(), databaseUrl: url })).rejects.toThrow(
    'The database\'s tables cannot be migrated: relation "spaces" already exists. If another version of Docloom created it, run that version, or use an empty database.',
  );
  await drop();
});

describe('a database that a newer release updated', () => {
  /** A migration that this release does not know, and what the release that has it says of older ones. */
  async function openUpdated(newer: { release: string; compatibleFrom: string } | null) {
    const { url, drop } = await createMigratedDatabase();
    const pool = openPool(url);
    await pool.query(
      `insert into drizzle.__drizzle_migrations (hash, created_at) values ('of a newer release', 32503680000000)`,
    );
    if (newer !== null) {
      await pool.query('insert into schema_releases (release, compatible_from) values ($1, $2)', [
        newer.release,
        newer.compatibleFrom,
      ]);
    }
    await pool.end();
    const lines: string[] = [];
    const opening = openStore({ dataDir: tmpdir(), databaseUrl: url, log: (line) => lines.push(line) });
    return { opening, lines, drop };
  }
  const { release } = currentRelease;

  test('is used while that release is compatible with this one, with a warning', async () => {
    const { opening, lines, drop } = await openUpdated({ release: '99.0.0', compatibleFrom: release });
    const store = await opening;
    expect(await store.db.select().from(tables.spaces)).toEqual([]);
    expect(lines).toContain('The database was updated by Docloom 99.0.0: update this process, too.');
    await store.close();
    await drop();
  });

  test('is refused in one sentence where that release is not compatible', async () => {
    const { opening, drop } = await openUpdated({ release: '99.10.0', compatibleFrom: '99.9.0' });
    await expect(opening).rejects.toThrow(
      `The database was updated by Docloom 99.10.0, and ${release} cannot run on its schema: start 99.10.0 or newer, or restore a backup that was made before the update.`,
    );
    await drop();
  });

  test('is refused where no release says that it is compatible', async () => {
    const { opening, drop } = await openUpdated(null);
    await expect(opening).rejects.toThrow(
      `The database was updated by another build of Docloom ${release}, whose migrations this one does not know: start that build.`,
    );
    await drop();
  });

  test('stays unchanged when an older process starts while the newer one runs', async () => {
    const { url, drop } = await createDatabase();
    const folder = await copyMigrations(1);
    const pool = openPool(url);
    const older = { release: '0.1.5', compatibleFrom: '0.1.0', migrationsFolder: folder };
    const newer = await openStore({ dataDir: tmpdir(), databaseUrl: url });
    const before = await newer.pool.query('select * from drizzle.__drizzle_migrations');
    const lines: string[] = [];
    await migrateDatabase(pool, (line) => lines.push(line), older);
    expect(lines).toEqual([`The database was updated by Docloom ${release}: update this process, too.`]);
    expect((await newer.pool.query('select * from drizzle.__drizzle_migrations')).rows).toEqual(before.rows);
    const tooOld = { ...older, release: '0.0.9' };
    await expect(migrateDatabase(pool, () => {}, tooOld)).rejects.toThrow(
      `The database was updated by Docloom ${release}, and 0.0.9 cannot run on its schema`,
    );
    await pool.end();
    await newer.close();
    await drop();
    await rm(folder, { recursive: true });
  });
});

describe('while another process works on the tables', () => {
  /** A program whose next migration changes table `one`, waits for advisory lock 1, and changes table `two`. */
  async function openBusy(setting: string) {
    const { url, drop } = await createDatabase();
    const folder = await copyMigrations(1);
    const journal = join(folder, 'meta/_journal.json');
    const { entries, ...rest } = JSON.parse(await readFile(journal, 'utf8'));
    const [initial] = entries;
    const next = { ...initial, idx: 1, when: initial.when + 1, tag: '0001_next' };
    await writeFile(journal, JSON.stringify({ ...rest, entries: [initial, next] }));
    await writeFile(
      join(folder, '0001_next.sql'),
      `${setting}; alter table one add column more text; select pg_advisory_xact_lock(1); alter table two add column more text`,
    );
    const pool = openPool(url, { max: 1 });
    const connect = async () => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      return client;
    };
    const [other, gate] = [await connect(), await connect()];
    await other.query(`create table one (id int); create table two (id int);
      create table schema_releases (release text primary key, compatible_from text, recorded_at timestamptz default now())`);
    const errors: unknown[] = [];
    return {
      other,
      gate,
      errors,
      migrate: (attempts: number) =>
        migrateDatabase(
          pool,
          (_, fields) => void errors.push(fields?.['error']),
          { ...currentRelease, migrationsFolder: folder },
          attempts,
        ),
      /** Waits until somebody waits for a lock of this kind. */
      untilWaiting: (kind: 'relation' | 'advisory') =>
        waitFor(async () => {
          const waiting = `select from pg_locks where not granted and locktype = $1
            and database = (select oid from pg_database where datname = current_database())`;
          return ((await gate.query(waiting, [kind])).rowCount ?? 0) > 0;
        }),
      async changed(): Promise<readonly string[]> {
        const { rows } = await gate.query(
          `select table_name from information_schema.columns where column_name = 'more' order by 1`,
        );
        return rows.map(({ table_name }) => table_name);
      },
      lockTimeout: async () => (await pool.query('show lock_timeout')).rows[0].lock_timeout,
      async close() {
        await Promise.all([other.end(), gate.end(), pool.end()]);
        await drop();
        await rm(folder, { recursive: true });
      },
    };
  }

  testAtLength(
    'a deadlock is resolved: the other process completes its work, and the migrations run again',
    async () => {
      const busy = await openBusy(`set local lock_timeout = 0; set local deadlock_timeout = '10ms'`);
      const { other, gate } = busy;
      await gate.query('select pg_advisory_lock(1)');
      await other.query(`set deadlock_timeout = '1h'`);
      await other.query('begin; insert into two values (1)');
      const migrating = busy.migrate(2);
      migrating.catch(() => {}); // asserted below
      await busy.untilWaiting('advisory');
      const inserting = other.query('insert into one values (1)');
      await busy.untilWaiting('relation');
      // Now the migration goes on, and waits for the table that the other process has.
      await gate.query('select pg_advisory_unlock(1)');
      await inserting;
      await other.query('commit');
      await migrating;
      expect(busy.errors).toEqual(['deadlock detected']);
      expect(await busy.changed()).toEqual(['one', 'two']);
      expect((await gate.query('select from one, two')).rowCount).toBe(1);
      expect(await busy.lockTimeout()).toBe('0');
      await busy.close();
    },
  );

  test('tables that stay in use are reported in one sentence, and nothing is changed', async () => {
    const busy = await openBusy('select 1');
    await busy.other.query('begin; insert into two values (1)');
    await expect(busy.migrate(2)).rejects.toThrow(
      "The database's tables cannot be migrated: canceling statement due to lock timeout. Other connections kept the tables in use at every attempt, so nothing was changed: stop the other processes of Docloom and whatever else uses this database, such as a backup, then start again.",
    );
    expect(busy.errors).toEqual(['canceling statement due to lock timeout']);
    expect(await busy.changed()).toEqual([]);
    await busy.other.query('commit');
    await busy.close();
  });
});

/** The migrations that a program with only the first `count` of them has. */
async function copyMigrations(count: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'docloom-migrations-'));
  await cp(migrationsFolder, folder, { recursive: true });
  const journal = join(folder, 'meta/_journal.json');
  const { entries, ...rest } = JSON.parse(await readFile(journal, 'utf8'));
  await writeFile(journal, JSON.stringify({ ...rest, entries: entries.slice(0, count) }));
  return folder;
}

describe('the migrations', () => {
  /** SHA-256 of each released file: a database that has run one would differ from a new one if it changed. */
  const released: Readonly<Record<string, string>> = {
    '0000_initial': 'f3a007cff4857793006b80399fbeb1457ce674a513e6fb8be6a2900a9c8986d8',
  };
  const { entries } = JSON.parse(readFileSync(join(migrationsFolder, 'meta/_journal.json'), 'utf8')) as {
    entries: readonly { readonly idx: number; readonly when: number; readonly tag: string }[];
  };

  test('of releases are what they were, and come first', () => {
    const tags = Object.keys(released);
    expect(entries.slice(0, tags.length).map(({ tag }) => tag)).toEqual(tags);
    for (const [tag, digest] of Object.entries(released)) {
      const file = readFileSync(join(migrationsFolder, `${tag}.sql`));
      expect(createHash('sha256').update(file).digest('hex'), tag).toBe(digest);
    }
  });

  test('are listed in the order of their dates, since an older one would be passed over', () => {
    const files = readdirSync(migrationsFolder).filter((name) => name.endsWith('.sql'));
    expect(entries.map(({ tag }) => `${tag}.sql`)).toEqual(files.sort());
    expect(entries.map(({ idx }) => idx)).toEqual(entries.map((_, index) => index));
    const dates = entries.map(({ when }) => when);
    expect(new Set(dates).size).toBe(dates.length);
    expect(dates.toSorted((a, b) => a - b)).toEqual(dates);
  });
});
