/** Commands on a database that a newer release updated: what they print and how they end. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildProgram } from '../../src/cli/program.ts';
import { createMigratedDatabase } from '../support/database.ts';
import { casesAtLength } from '../support/describe-at-length.ts';
import { PATIENCE_MS } from '../support/patience.ts';

const main = join(process.cwd(), 'src/cli/main.ts');
let folder: string;
let database: Awaited<ReturnType<typeof createMigratedDatabase>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docloom-newer-'));
  database = await createMigratedDatabase();
  const client = new pg.Client(database.url);
  await client.connect();
  await client.query(
    `insert into drizzle.__drizzle_migrations (hash, created_at) values ('of a newer release', 32503680000000)`,
  );
  await client.query(`insert into schema_releases (release, compatible_from) values ('99.0.0', '98.0.0')`);
  await client.end();
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

it('a command says which release to start', async () => {
  const { stdout, stderr } = process;
  const env = { DATA_DIR: folder, DATABASE_URL: database.url };
  const io = { stdout, stderr, env, cwd: folder, signal: AbortSignal.timeout(PATIENCE_MS) };
  const program = buildProgram(io, () => {});
  await expect(program.parseAsync(['token', 'list'], { from: 'user' })).rejects.toThrow(
    /^The database was updated by Docloom 99\.0\.0.*start 99\.0\.0 or newer/,
  );
});

const commands = casesAtLength<readonly [readonly string[], number]>(
  'every command, as a process, refuses a newer schema',
  [],
  [
    [['token', 'list'], 2],
    [['serve'], 2],
    [['jobs'], 2],
    [['doctor'], 1],
  ],
);

it.each(commands)('%j ends with %i and says which release to start', async (args, code) => {
  const { PATH, NODE_COMPILE_CACHE, NODE_OPTIONS } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, NODE_OPTIONS, DATA_DIR: folder, DATABASE_URL: database.url };
  const ended = Promise.withResolvers<{ status: number | null; output: string }>();
  const child = execFile(process.execPath, [main, ...args], { cwd: folder, env }, (_, stdout, stderr) =>
    ended.resolve({ status: child.exitCode, output: stdout + stderr }),
  );
  const { status, output } = await ended.promise;
  expect(output).toContain('The database was updated by Docloom 99.0.0');
  expect(output).toContain('start 99.0.0 or newer');
  expect(status).toBe(code);
});
