import PQueue from 'p-queue';
import type pg from 'pg';
import type { JobWithMetadata } from 'pg-boss';
import { heartbeatSeconds, touchClaims } from './job-table.ts';
import { type JobDefinition, type JobHandler, LaneBusy } from './queue.ts';
import type { Claims } from './run-claims.ts';
import { claimTurns, completeTurn, type LaneClaim, pauseLane, retryTurn } from './shared-lanes.ts';

type Log = (line: string, fields?: Record<string, unknown>) => void;

/** How long we look away at most: jobs that others put in are heard of, and lost ones are found, without us. */
const lookMs = 2_000;

/** We rest after a look as long as it took, but no longer than this: what ends meanwhile is seen together. */
const restMs = 20;

/** Takes turns in the lanes for the kinds of jobs that this process works on, and runs their jobs. */
export interface Dispatcher {
  work(job: JobDefinition, handler: JobHandler<never>): void;
  /** Something changed: looks for turns at once. */
  wake(): void;
  /** Claims nothing more of these kinds. Resolves when their jobs of this process have ended. */
  rest(kinds: readonly string[]): Promise<void>;
  /** Claims nothing any more. Resolves when all jobs of this process have ended. */
  stop(): Promise<void>;
}

interface Kind {
  readonly job: JobDefinition;
  readonly handler: JobHandler<never>;
  readonly runs: PQueue;
}

/** `process`: the number that this process is known by. */
export function openDispatcher(pool: pg.Pool, claims: Claims, process: number, log: Log): Dispatcher {
  const kinds = new Map<string, Kind>();
  const resting = new Set<string>();
  const running = new Map<string, LaneClaim>();
  let stopping = false;
  let looking: Promise<void> | undefined;
  let again = false;
  let restUntil = 0;
  /** Where the round through the lanes goes on; null before and after it. */
  let cursor: string | null = null;
  /** When something is to be done that the looks of this round found. */
  let nextAt = Number.POSITIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  const beat = setInterval(() => void keepAlive(), (heartbeatSeconds / 4) * 1000);
  beat.unref();

  /** One look at a time; whoever wakes us meanwhile gets another round after it. */
  function wake(): void {
    if (stopping || kinds.size === 0) return;
    if (looking || cursor !== null) again = true;
    if (!looking) lookIn(restUntil - performance.now());
  }

  function lookIn(ms: number): void {
    clearTimeout(timer);
    if (ms > 0) timer = setTimeout(lookNow, ms).unref();
    else lookNow();
  }

  function lookNow(): void {
    const begun = performance.now();
    looking = look().then((found) => {
      looking = undefined;
      const ended = performance.now();
      restUntil = ended + Math.min(ended - begun, restMs);
      if (stopping) return;
      if (found) {
        cursor = found.cursor;
        nextAt = Math.min(nextAt, ended + (found.nextMs ?? lookMs));
        if (cursor !== null) return lookIn(restUntil - ended);
      }
      const pauseMs = Math.min(nextAt - ended, lookMs);
      const isWoken = again;
      nextAt = Number.POSITIVE_INFINITY;
      again = false;
      if (isWoken) wake();
      else lookIn(Math.max(pauseMs, restUntil - ended, 1));
    });
  }

  /** Null when there is no room, or no database. */
  async function look(): Promise<{ readonly nextMs: number | null; readonly cursor: string | null } | null> {
    const room = new Map<string, number>();
    for (const [name, { job, runs }] of kinds) {
      if (resting.has(name)) continue;
      const free = job.concurrency - runs.size - runs.pending;
      if (free > 0) room.set(name, free);
    }
    if (room.size === 0) return null; // the end of a run wakes us
    try {
      const { claims, ...found } = await claimTurns(pool, { room, process, cursor });
      for (const claim of claims) start(claim);
      return found;
    } catch (error) {
      log('The lanes could not be looked at; tried again soon.', { error: (error as Error).message });
      return null;
    }
  }

  function start(claim: LaneClaim): void {
    const kind = kinds.get(claim.name) as Kind;
    running.set(claim.id, claim);
    void kind.runs
      .add(() => run(kind, claim))
      .catch((error: unknown) => {
        // The job stays claimed and is taken back when its heartbeat has run out.
        log('How a job ended could not be noted.', { job: claim.name, error: (error as Error).message });
      })
      .finally(() => {
        running.delete(claim.id);
        wake();
      });
  }

  async function run({ job, handler }: Kind, claim: LaneClaim): Promise<void> {
    const expiry = new AbortController();
    const timer = setTimeout(
      () => expiry.abort(new Error(`It took longer than ${claim.expireInSeconds} s.`)),
      claim.expireInSeconds * 1000,
    );
    try {
      // What a run needs of pg-boss's row.
      const claimed = { ...claim, signal: expiry.signal } as unknown as JobWithMetadata;
      await claims.run(job, handler as JobHandler<never>, claimed);
      await completeTurn(pool, claim);
    } catch (error) {
      const until = error instanceof LaneBusy ? error.until : null;
      if (until) await pauseLane(pool, claim.lane, until);
      await retryTurn(pool, claim, { message: (error as Error).message, at: until });
    } finally {
      clearTimeout(timer);
    }
  }

  async function keepAlive(): Promise<void> {
    if (running.size === 0) return;
    try {
      await touchClaims(pool, [...running.values()]);
    } catch (error) {
      log('Running jobs could not say that they live.', { error: (error as Error).message });
    }
  }

  return {
    work(job, handler) {
      resting.delete(job.name);
      kinds.set(job.name, { job, handler, runs: new PQueue({ concurrency: job.concurrency }) });
      wake();
    },
    wake,
    async rest(names) {
      for (const name of names) resting.add(name);
      await looking;
      await Promise.all(names.map((name) => kinds.get(name)?.runs.onIdle()));
    },
    async stop() {
      stopping = true;
      clearTimeout(timer);
      await looking;
      await Promise.all([...kinds.values()].map(({ runs }) => runs.onIdle()));
      clearInterval(beat);
    },
  };
}
