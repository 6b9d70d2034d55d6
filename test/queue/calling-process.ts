/** A process that works on calls until it is killed. Run with DATABASE_URL and CALL_URL, the address of the hosts. */
import { openQueue } from '../../src/queue/index.ts';
import { openStore } from '../../src/store/index.ts';
import { calling } from './calling.ts';

const store = await openStore({ dataDir: '/nonexistent', databaseUrl: process.env['DATABASE_URL'] });
const queue = await openQueue(store);
await queue.work(calling, async ({ n, host }) => {
  const answer = await fetch(`${process.env['CALL_URL']}/${host}/${n}`);
  if (answer.status !== 204) throw new Error(`${host} answers ${answer.status}.`);
});
process.stdout.write('ready\n');
