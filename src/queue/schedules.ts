import { createHash } from 'node:crypto';
import type { PgBoss, ScheduleOptions } from 'pg-boss';
import type { JobDefinition, Schedule } from './queue.ts';

/**
 * Keeps a schedule with the options that each of its jobs is sent with. What many schedules have for midnight is
 * spread over `spreadSeconds`, each at its own place every time.
 */
export async function writeSchedule(
  boss: PgBoss,
  job: JobDefinition,
  { key, cron, timeZone, spreadSeconds = 0 }: Schedule,
  data: object,
  options: ScheduleOptions,
): Promise<void> {
  if (!/^[\w./-]{1,200}$/.test(key)) {
    throw new Error(`The key of a schedule may hold A-Z a-z 0-9 _ - . / only, not "${key}".`);
  }
  if (cron.trim().split(/\s+/).length !== 5) {
    throw new Error(
      `The schedule "${cron}" needs five fields: minute, hour, day of month, month, day of week.`,
    );
  }
  const place = createHash('sha256').update(`${job.name} ${key}`).digest().readUInt32BE();
  try {
    await boss.schedule(job.name, cron, data, {
      ...options,
      tz: timeZone ?? 'UTC',
      key,
      missed: 'once',
      startAfter: spreadSeconds > 0 ? place % spreadSeconds : 0,
    });
  } catch (error) {
    throw new Error(
      `The schedule "${cron}" in ${timeZone ?? 'UTC'} cannot be read: ${(error as Error).message}`,
    );
  }
}

export async function readSchedules(
  boss: PgBoss,
  job: JobDefinition,
  key?: string,
): Promise<(Schedule & { readonly next: Date })[]> {
  const kept = await boss.getSchedules(job.name, key);
  return kept
    .map(({ key, cron, timezone }) => {
      const [next] = boss.previewSchedule(cron, { tz: timezone, count: 1 });
      return { key, cron, timeZone: timezone, next: next as Date };
    })
    .sort((a, b) => (a.key < b.key ? -1 : 1));
}
