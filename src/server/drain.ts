import { setTimeout as sleep } from 'node:timers/promises';
import type { Queue } from '../queue/index.ts';
import type { Readiness } from './health.ts';
import type { ProcessRole } from './roles.ts';

/**
 * Prepares the end: the process says that it is not ready, answers what still comes until balancers know, and meanwhile
 * hands back its jobs.
 */
export async function drain({
  readiness,
  queue,
  role,
  seconds,
}: {
  readonly readiness: Readiness;
  readonly queue: Queue;
  readonly role: ProcessRole;
  readonly seconds: number;
}): Promise<void> {
  readiness.stop();
  await Promise.all([queue.stop({ graceMs: jobGraceMs(role) }), sleep(seconds * 1000)]);
}

/** Other workers take over what a worker hands back; the only process had better finish what it has begun. */
export function jobGraceMs(role: ProcessRole): number {
  return role === 'all' ? 20_000 : 1_000;
}
