import { randomBytes } from 'node:crypto';
import { chmod } from 'node:fs/promises';
import pg from 'pg';
import { openQueue } from '../../src/queue/index.ts';
import { startEmbedded } from '../../src/store/embedded/embedded-postgres.ts';
import { openStore } from '../../src/store/index.ts';

export interface TestServer {
  readonly urls: {
    /** For making and dropping databases. */
    readonly server: string;
    /** Name of the database with all tables, to clone from. */
    readonly template: string;
    /** How it is copied the fastest: by files where they are in memory, and page by page otherwise. */
    readonly strategy: 'file_copy' | 'wal_log';
    /** Whether the server ends with the run, with all databases in it. */
    readonly isOurs: boolean;
  };
  close(): Promise<void>;
}

/** Starts or finds the server, and makes a migrated database in it that tests clone. */
export async function startTestServer(folder: string, isInMemory: boolean): Promise<TestServer> {
  const given = process.env['TEST_DATABASE_URL'] || process.env['DATABASE_URL'];
  await chmod(folder, 0o755); // as root, the server runs as another user
  // Tests lose nothing when the machine crashes; those of the embedded server itself run with its real settings.
  // Nor do databases that live for seconds need to be tidied up.
  const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', autovacuum: 'off' };
  const embedded = given ? undefined : await startEmbedded({ dataDir: folder, log: () => {}, settings });
  const server = given ?? (embedded?.url as string);

  const template = `docloom_template_${randomBytes(6).toString('hex')}`;
  await onServer(server, `create database ${template}`);
  const store = await openStore({ dataDir: folder, databaseUrl: databaseUrl(server, template) });
  await (await openQueue(store)).stop(); // the queue's tables too
  await store.close();

  return {
    urls: {
      server,
      template,
      strategy: embedded && isInMemory ? 'file_copy' : 'wal_log',
      isOurs: embedded !== undefined,
    },
    async close() {
      await onServer(server, `drop database if exists ${template} with (force)`);
      await embedded?.close();
    },
  };
}

/** The same server, another database. */
export function databaseUrl(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

/** Runs one statement outside of any test's database. */
export async function onServer(server: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
