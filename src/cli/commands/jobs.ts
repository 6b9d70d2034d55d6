import { openQueue, type Queue } from '../../queue/index.ts';
import { loadStoreConfig } from '../../server/config.ts';
import { openStore } from '../../store/index.ts';
import { type CommandIo, type ExitCode, UsageError } from '../command.ts';

/** Failed jobs that are listed at most, the newest first. */
const LISTED = 100;

/** `docloom jobs`: what waits, what runs, and what failed and why; `--lanes` the lanes; `docloom jobs retry` runs a failed one again. */
export async function runJobs(
  action:
    | { readonly kind: 'list' }
    | { readonly kind: 'lanes' }
    | { readonly kind: 'retry'; readonly id: string },
  io: CommandIo,
): Promise<ExitCode> {
  const { dataDir, databaseUrl } = loadStoreConfig(io.env);
  const store = await openStore({ dataDir, databaseUrl: databaseUrl ?? undefined, poolSize: 2 });
  try {
    const queue = await openQueue(store);
    try {
      if (action.kind === 'list') await list(queue, io);
      else if (action.kind === 'lanes') await listLanes(queue, io);
      else await retry(queue, action.id, io);
    } finally {
      await queue.stop({ graceMs: 0 });
    }
  } finally {
    await store.close();
  }
  return 0;
}

async function list(queue: Queue, io: CommandIo): Promise<void> {
  const counts = await queue.counts();
  if (counts.length === 0) io.stdout.write('There are no jobs.\n');
  for (const { name, waiting, active, failed } of counts) {
    io.stdout.write(`${name}: ${waiting} waiting, ${active} running, ${failed} failed\n`);
  }
  for (const job of await queue.failed({ limit: LISTED })) {
    const tries = job.attempts === 1 ? '1 try' : `${job.attempts} tries`;
    io.stdout.write(
      `\n${job.id}  ${job.name} ${JSON.stringify(job.payload)}\n  failed ${job.failedAt.toISOString()} after ${tries}: ${job.error}\n`,
    );
  }
}

async function listLanes(queue: Queue, io: CommandIo): Promise<void> {
  const lanes = await queue.lanes();
  if (lanes.length === 0) io.stdout.write('Nothing waits to go out, and no lane is paused.\n');
  for (const { key, concurrency, rates, waiting, running, pausedUntil, lastStart } of lanes) {
    const limits = [
      `${concurrency} at once`,
      ...rates.map(({ count, ms }) => `${count} in ${ms < 1000 ? `${ms} ms` : `${ms / 1000} s`}`),
    ];
    const paused = pausedUntil === null ? '' : `, paused until ${pausedUntil.toISOString()}`;
    const last = lastStart === null ? '' : `, last start ${lastStart.toISOString()}`;
    io.stdout.write(
      `${key} (${limits.join(', ')}): ${waiting} waiting, ${running} running${paused}${last}\n`,
    );
  }
}

async function retry(queue: Queue, id: string, io: CommandIo): Promise<void> {
  if (!(await queue.retry(id))) {
    throw new UsageError(`There is no failed job ${id}; \`docloom jobs\` lists those that there are.`);
  }
  io.stdout.write(`${id} waits to run again.\n`);
}
