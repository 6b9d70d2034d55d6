import { createHash } from 'node:crypto';
import { CronExpressionParser } from 'cron-parser';
import {
  advanceSchedule,
  type Database,
  type Db,
  type JobSchedule,
  type Log,
  listSchedules,
  lockDueSchedules,
  upsertSchedule,
} from '../store/index.ts';
import type { JobDefinition } from './job.ts';
import type { Schedule } from './queue.ts';

/** The number of due schedules that one transaction processes. */
const dueAtOnce = 50;

/**
 * Stores a schedule. Schedules with the same time are spread over `spreadSeconds`, each always with the same delay.
 *
 * @throws Error with one sentence about what is wrong with the key, the expression or the time zone.
 */
export async function writeSchedule(
  db: Db,
  job: JobDefinition,
  { key, cron, timeZone = 'UTC', spreadSeconds = 0 }: Schedule,
  payload: unknown,
): Promise<void> {
  if (!/^[\w./-]{1,200}$/.test(key)) {
    throw new Error(`The key of a schedule may contain A-Z a-z 0-9 _ - . / only, not "${key}".`);
  }
  if (cron.trim().split(/\s+/).length !== 5) {
    throw new Error(
      `The schedule "${cron}" needs five fields: minute, hour, day of month, month, day of week.`,
    );
  }
  let nextAt: Date;
  try {
    nextAt = nextTime(cron, timeZone);
  } catch (error) {
    throw new Error(`The schedule "${cron}" in ${timeZone} cannot be read: ${(error as Error).message}`);
  }
  const hash = createHash('sha256').update(`${job.name} ${key}`).digest().readUInt32BE();
  const delaySeconds = spreadSeconds > 0 ? hash % spreadSeconds : 0;
  await upsertSchedule(db, { name: job.name, key, cron, timeZone, payload, delaySeconds, nextAt });
}

/** The schedules of a kind, or only that of a key, in order of key, each with its next time. */
export async function readSchedules(
  db: Db,
  name: string,
  key?: string,
): Promise<(Schedule & { readonly next: Date })[]> {
  const found = await listSchedules(db, name, key);
  return found.map(({ key, cron, timeZone }) => ({ key, cron, timeZone, next: nextTime(cron, timeZone) }));
}

/**
 * Enqueues a job of each schedule that is due, only one when several of its times have passed. Concurrent processes lock
 * different schedules.
 */
export async function enqueueDue(
  db: Database,
  kinds: ReadonlyMap<string, JobDefinition>,
  enqueue: (
    db: Db,
    job: JobDefinition,
    payload: never,
    options: { readonly startAfter: number; readonly unlessWaiting: boolean },
  ) => Promise<void>,
  log: Log,
): Promise<void> {
  if (kinds.size === 0) return;
  await db.transaction(async (tx) => {
    for (const schedule of await lockDueSchedules(tx, [...kinds.keys()], dueAtOnce)) {
      const job = kinds.get(schedule.name) as JobDefinition;
      if (isDue(schedule)) {
        try {
          // The delay may be longer than the schedule's interval.
          await enqueue(tx, job, schedule.payload as never, {
            startAfter: schedule.delaySeconds,
            unlessWaiting: true,
          });
        } catch (error) {
          if (!(error instanceof TypeError)) throw error;
          // Its payload was written by an older version; the owner of the schedule replaces it.
          log('The job of a schedule could not be enqueued.', { key: schedule.key, error: error.message });
        }
      }
      await advanceSchedule(tx, schedule, nextTime(schedule.cron, schedule.timeZone));
    }
  });
}

/** The next time of a schedule that came from 0.1.0 is not known yet. */
function isDue({ cron, timeZone, doneUntil, nextAt }: JobSchedule): boolean {
  return nextAt !== null || nextTime(cron, timeZone, doneUntil) <= new Date();
}

function nextTime(cron: string, timeZone: string, after = new Date()): Date {
  return CronExpressionParser.parse(cron, { tz: timeZone, currentDate: after }).next().toDate();
}
