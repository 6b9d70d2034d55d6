import PQueue from 'p-queue';

export interface CallQueueLimits {
  /** How many calls run at once. */
  readonly concurrency: number;
  /** At most `count` calls start in any `ms` milliseconds. */
  readonly rate?: { readonly count: number; readonly ms: number };
  /** How many calls may wait (10,000); further ones are rejected with {@link CallQueueFull}. */
  readonly waiting?: number;
}

export interface RunOptions {
  /** Higher goes first; 0 when absent. */
  readonly priority?: number;
  /** Removes a waiting call from the queue; a running one gets the signal. */
  readonly signal?: AbortSignal;
}

export interface CallQueue {
  /** Runs a call when it is its turn, and returns its result or throws its error. */
  run<T>(call: (signal: AbortSignal | undefined) => Promise<T>, options?: RunOptions): Promise<T>;
  /** Starts nothing before this moment, such as that of a `Retry-After`; running calls continue. At most a day ahead. */
  pauseUntil(moment: Date): void;
}

export interface CallQueues {
  /** The queue of a key, such as a host or an installation. The limits apply for as long as the queue is in use. */
  queue(key: string, limits: CallQueueLimits): CallQueue;
  /** How many queues there are now. */
  readonly size: number;
  /** Rejects the waiting calls with an AbortError and drops all queues. */
  close(): void;
}

/** Too many calls are waiting in the queue. */
export class CallQueueFull extends Error {
  override readonly name = 'CallQueueFull';
}

interface Track {
  readonly calls: PQueue;
  readonly waiting: number;
  /** How long the queue must exist after its last call, so that its rate is respected. */
  readonly memoryMs: number;
  resume?: NodeJS.Timeout;
  resumesAt: number;
  drop?: NodeJS.Timeout;
}

const dayMs = 24 * 60 * 60 * 1000;
const waitingLimit = 10_000;
const idleMs = 1_000;

/**
 * Opens queues for outgoing calls: each key has limits and an order of its own. They exist in this process only; a queue that
 * is idle and whose rate counts no call any more is dropped.
 */
export function openCallQueues(): CallQueues {
  const tracks = new Map<string, Track>();

  function findTrack(key: string, limits: CallQueueLimits): Track {
    let track = tracks.get(key);
    if (!track) {
      track = openTrack(limits);
      tracks.set(key, track);
      track.calls.addEventListener('idle', () => dropLater(key));
    }
    clearTimeout(track.drop);
    return track;
  }

  function dropLater(key: string): void {
    const track = tracks.get(key);
    if (!track) return;
    clearTimeout(track.drop);
    const ms = Math.max(track.memoryMs, track.resumesAt - Date.now());
    track.drop = setTimeout(() => {
      const { size, pending } = track.calls;
      if (size === 0 && pending === 0) tracks.delete(key);
    }, ms).unref();
  }

  return {
    queue: (key, limits) => ({
      async run(call, { priority = 0, signal } = {}) {
        const track = findTrack(key, limits);
        if (track.calls.size >= track.waiting) {
          throw new CallQueueFull(
            `More than ${track.waiting} calls are waiting for ${key}; try again later.`,
          );
        }
        return track.calls.add(({ signal }) => call(signal), { priority, ...(signal && { signal }) });
      },
      pauseUntil(moment) {
        const track = findTrack(key, limits);
        pause(track, moment.getTime());
        if (track.calls.size === 0 && track.calls.pending === 0) dropLater(key);
      },
    }),
    get size() {
      return tracks.size;
    },
    close() {
      for (const { calls, resume, drop } of tracks.values()) {
        clearTimeout(resume);
        clearTimeout(drop);
        calls.clear();
      }
      tracks.clear();
    },
  };
}

function openTrack({ concurrency, rate, waiting = waitingLimit }: CallQueueLimits): Track {
  // `strict`: a forge's limit applies to every window of that length, not only to ours.
  const calls = new PQueue({
    concurrency,
    ...(rate && { interval: rate.ms, intervalCap: rate.count, strict: true }),
  });
  return { calls, waiting, memoryMs: Math.max(rate?.ms ?? 0, idleMs), resumesAt: 0 };
}

function pause(track: Track, until: number): void {
  const moment = Math.min(until, Date.now() + dayMs);
  if (moment <= Math.max(Date.now(), track.resumesAt)) return; // an earlier response requested a longer pause
  track.resumesAt = moment;
  track.calls.pause();
  clearTimeout(track.resume);
  track.resume = setTimeout(() => track.calls.start(), moment - Date.now());
}
