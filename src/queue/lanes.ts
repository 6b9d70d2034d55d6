import PQueue from 'p-queue';

export interface LaneLimits {
  /** How many calls run at once. */
  readonly concurrency: number;
  /** At most `count` calls start in any `ms` milliseconds. */
  readonly rate?: { readonly count: number; readonly ms: number };
  /** How many calls may wait (10,000); more are refused with {@link LaneFull}. */
  readonly waiting?: number;
}

export interface RunOptions {
  /** Higher goes first; 0 where it is absent. */
  readonly priority?: number;
  /** Takes a waiting call out of the lane; a running one gets the signal. */
  readonly signal?: AbortSignal;
}

export interface Lane {
  /** Runs a call when its turn comes, and gives its result or its error. */
  run<T>(call: (signal: AbortSignal | undefined) => Promise<T>, options?: RunOptions): Promise<T>;
  /** Starts nothing before this moment, such as that of a `Retry-After`; running calls go on. At most a day ahead. */
  pauseUntil(moment: Date): void;
}

export interface Lanes {
  /** The lane of a key, such as a host or an installation. The limits count for as long as the lane is in use. */
  lane(key: string, limits: LaneLimits): Lane;
  /** How many lanes are remembered now. */
  readonly size: number;
  /** Ends the waiting calls with an AbortError and forgets all lanes. */
  close(): void;
}

/** So many calls wait for a lane that it takes no more. */
export class LaneFull extends Error {
  override readonly name = 'LaneFull';
}

interface Track {
  readonly calls: PQueue;
  readonly waiting: number;
  /** How long the lane must be remembered after its last call, so that its rate holds. */
  readonly memoryMs: number;
  resume?: NodeJS.Timeout;
  resumesAt: number;
  forget?: NodeJS.Timeout;
}

const dayMs = 24 * 60 * 60 * 1000;
const waitingLimit = 10_000;
const idleMs = 1_000;

/**
 * Lanes for outgoing calls: each key has a limit of its own and keeps its order. They live in this process; a lane
 * that is idle and whose rate has nothing left to remember is dropped.
 */
export function openLanes(): Lanes {
  const tracks = new Map<string, Track>();

  function findTrack(key: string, limits: LaneLimits): Track {
    let track = tracks.get(key);
    if (!track) {
      track = openTrack(limits);
      tracks.set(key, track);
      track.calls.addEventListener('idle', () => forgetLater(key));
    }
    clearTimeout(track.forget);
    return track;
  }

  function forgetLater(key: string): void {
    const track = tracks.get(key);
    if (!track) return;
    clearTimeout(track.forget);
    const ms = Math.max(track.memoryMs, track.resumesAt - Date.now());
    track.forget = setTimeout(() => {
      const { size, pending } = track.calls;
      if (size === 0 && pending === 0) tracks.delete(key);
    }, ms).unref();
  }

  return {
    lane: (key, limits) => ({
      async run(call, { priority = 0, signal } = {}) {
        const track = findTrack(key, limits);
        if (track.calls.size >= track.waiting) {
          throw new LaneFull(`More than ${track.waiting} calls wait for ${key}; try again later.`);
        }
        return track.calls.add(({ signal }) => call(signal), { priority, ...(signal && { signal }) });
      },
      pauseUntil(moment) {
        const track = findTrack(key, limits);
        pause(track, moment.getTime());
        if (track.calls.size === 0 && track.calls.pending === 0) forgetLater(key);
      },
    }),
    get size() {
      return tracks.size;
    },
    close() {
      for (const { calls, resume, forget } of tracks.values()) {
        clearTimeout(resume);
        clearTimeout(forget);
        calls.clear();
      }
      tracks.clear();
    },
  };
}

function openTrack({ concurrency, rate, waiting = waitingLimit }: LaneLimits): Track {
  // `strict`: the limit of a forge counts any window of that length, not ours.
  const calls = new PQueue({
    concurrency,
    ...(rate && { interval: rate.ms, intervalCap: rate.count, strict: true }),
  });
  return { calls, waiting, memoryMs: Math.max(rate?.ms ?? 0, idleMs), resumesAt: 0 };
}

function pause(track: Track, until: number): void {
  const moment = Math.min(until, Date.now() + dayMs);
  if (moment <= Math.max(Date.now(), track.resumesAt)) return; // an earlier answer asked for a longer pause
  track.resumesAt = moment;
  track.calls.pause();
  clearTimeout(track.resume);
  track.resume = setTimeout(() => track.calls.start(), moment - Date.now());
}
