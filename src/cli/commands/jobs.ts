import { listFailingJobs, openQueue, type Queue } from '../../queue/index.ts';
import { nameJobs } from '../../server/index.ts';
import type { Store } from '../../store/index.ts';
import { type CommandIo, type ExitCode, UsageError } from '../command.ts';
import { openExistingStore } from '../open-existing-store.ts';
import { printTable } from '../print-table.ts';

/** The largest number of listed failed jobs, newest first, and of those that are being retried. */
const LISTED = 100;

/** The largest number of failed jobs that one command retries. */
const RETRIED = 1_000;

export type JobsAction =
  | { readonly kind: 'list'; readonly json?: boolean }
  | { readonly kind: 'rate-limits'; readonly json?: boolean }
  /** One failed job, or all of them, or all of one kind. */
  | { readonly kind: 'retry'; readonly id?: string; readonly all?: boolean; readonly of?: string };

interface Parts {
  readonly store: Store;
  readonly queue: Queue;
  readonly io: CommandIo;
}

/** `docloom jobs`: what waits, what runs, and what failed and why; `--rate-limits` the rate limits; `docloom jobs retry` runs failed ones again. */
export async function runJobs(action: JobsAction, io: CommandIo): Promise<ExitCode> {
  if (action.kind === 'retry') checkRetry(action);
  const store = await openExistingStore(io);
  try {
    const queue = await openQueue(store);
    try {
      const parts = { store, queue, io };
      if (action.kind === 'list') await list(parts, action.json === true);
      else if (action.kind === 'rate-limits') await printRateLimits(parts, action.json === true);
      else await retry(parts, action);
    } finally {
      await queue.stop({ graceMs: 0 });
    }
  } finally {
    await store.close();
  }
  return 0;
}

async function list({ store, queue, io: { stdout } }: Parts, json: boolean): Promise<void> {
  const [counts, failing, failed] = await Promise.all([
    queue.counts(),
    listFailingJobs(store.pool, LISTED),
    queue.failed({ limit: LISTED }),
  ]);
  if (json) {
    stdout.write(`${JSON.stringify({ counts, failing, failed })}\n`);
    return;
  }
  const busy = counts.filter(({ waiting, active, failed }) => waiting + active + failed > 0);
  if (busy.length === 0) {
    stdout.write('Nothing waits, runs or has failed.\n');
    return;
  }
  printTable(stdout, [
    ['JOBS', 'WAITING', 'RUNNING', 'FAILED'],
    ...busy.map(({ name, waiting, active, failed }) => [name, waiting, active, failed]),
  ]);
  const listed = [...failing, ...failed];
  const about = await nameJobs(
    store.db,
    listed.map(({ payload }) => payload),
  );
  const write = (job: (typeof listed)[number], when: string) => {
    const what = about[listed.indexOf(job)] || JSON.stringify(job.payload);
    stdout.write(`\n${job.id}  ${job.name}  ${what}\n  ${when}: ${job.error}\n`);
  };
  if (failing.length > 0) stdout.write('\nTried again by themselves:\n');
  for (const job of failing) {
    write(job, `${tries(job.attempts)} so far, the next at ${job.nextAt.toISOString()}`);
  }
  if (failed.length > 0) {
    stdout.write(
      '\nFailed; `docloom jobs retry <id>` runs one again, `docloom jobs retry --all` all of them:\n',
    );
  }
  for (const job of failed) write(job, `${tries(job.attempts)}, the last at ${job.failedAt.toISOString()}`);
  const more = counts.reduce((sum, { failed }) => sum + failed, 0) - failed.length;
  if (more > 0) stdout.write(`\nAnd ${more} more that failed before these.\n`);
}

const tries = (count: number) => (count === 1 ? '1 try' : `${count} tries`);

async function printRateLimits({ queue, io: { stdout } }: Parts, json: boolean): Promise<void> {
  const rateLimits = await queue.rateLimits();
  if (json) stdout.write(`${JSON.stringify({ rateLimits })}\n`);
  else if (rateLimits.length === 0)
    stdout.write('Nothing waits for a rate limit, and no rate-limited queue is paused.\n');
  else {
    printTable(stdout, [
      ['GROUP', 'LIMITS', 'LAST START', 'PAUSED UNTIL', 'WAITING', 'RUNNING'],
      ...rateLimits.map(({ key, concurrency, rates, waiting, running, pausedUntil, lastStart }) => {
        const limits = [`${concurrency} at once`, ...rates.map(({ count, ms }) => `${count} in ${span(ms)}`)];
        const [last, paused] = [lastStart, pausedUntil].map((moment) => moment?.toISOString() ?? '-');
        return [key, limits.join(', '), last ?? '-', paused ?? '-', waiting, running];
      }),
    ]);
  }
}

function span(ms: number): string {
  if (ms % 3_600_000 === 0) return `${ms / 3_600_000} h`;
  if (ms % 60_000 === 0) return `${ms / 60_000} min`;
  return ms < 1_000 ? `${ms} ms` : `${ms / 1_000} s`;
}

type RetryRequest = Extract<JobsAction, { readonly kind: 'retry' }>;

function checkRetry({ id, all, of }: RetryRequest): void {
  const selectors = [id, all === true || undefined, of].filter((selector) => selector !== undefined);
  if (selectors.length !== 1) {
    throw new UsageError(
      'Say which: the id of one failed job, as `docloom jobs` shows it, `--kind <name>`, or `--all`.',
    );
  }
}

async function retry({ queue, io: { stdout } }: Parts, { id, of }: RetryRequest): Promise<void> {
  if (id !== undefined) {
    if (!(await queue.retry(id))) {
      throw new UsageError(`There is no failed job ${id}; \`docloom jobs\` lists those that there are.`);
    }
    stdout.write(`${id} waits to run again.\n`);
    return;
  }
  // Read before any of them can fail again.
  const failed = await queue.failed({ limit: RETRIED, ...(of !== undefined && { name: of }) });
  const kind = of === undefined ? '' : ` ${of}`;
  if (failed.length === 0) {
    stdout.write(`No${kind} job has failed.\n`);
    return;
  }
  let again = 0;
  // The oldest first, in their original order.
  for (const job of failed.toReversed()) if (await queue.retry(job.id)) again += 1;
  stdout.write(`${again}${kind} ${again === 1 ? 'job waits' : 'jobs wait'} to run again.\n`);
  if (failed.length === RETRIED) stdout.write('There may be more: run it once more for those.\n');
}
