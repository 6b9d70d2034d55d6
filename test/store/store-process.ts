/**
 * A process with an open store: prints a line of JSON when it is open, and closes it when its input is closed.
 * Arguments: the data folder, and the user id to run as, for root.
 */
import { text } from 'node:stream/consumers';
import { openStore } from '../../src/store/index.ts';

const [dataDir, uid] = process.argv.slice(2) as [string, string | undefined];
if (uid !== undefined) {
  process.setgid?.(Number(uid));
  process.setuid?.(Number(uid));
}
try {
  const store = await openStore({ dataDir });
  const { rows } = await store.pool.query<{ tables: number }>(
    `select count(*)::int as tables from pg_tables where schemaname = 'public'`,
  );
  console.log(JSON.stringify({ url: store.url, tables: rows[0]?.tables, uid: process.getuid?.() }));
  await text(process.stdin);
  await store.close();
} catch (error) {
  console.log(JSON.stringify({ error: (error as Error).message }));
}
