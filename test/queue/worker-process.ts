/** A process that claims one job, prints so, and never completes it. Run with DATABASE_URL. */
import { openQueue } from '../../src/queue/index.ts';
import { openStore } from '../../src/store/index.ts';
import { crashing } from './crashing.ts';

const store = await openStore({ dataDir: '/nonexistent', databaseUrl: process.env['DATABASE_URL'] });
const queue = await openQueue(store);
await queue.work(crashing, async ({ n }) => {
  process.stdout.write(`begun ${n}\n`);
  await new Promise(() => setInterval(() => {}, 1000));
});
