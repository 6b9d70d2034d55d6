/** The last known state of an installation's hourly limit. */
export interface RateLimit {
  /** Null for the App's own calls, which have a limit of their own. */
  readonly installationId: number | null;
  readonly limit: number;
  readonly remaining: number;
  /** When the whole limit is available again. */
  readonly resetsAt: Date;
  readonly seenAt: Date;
}

/** The limits as this process saw them last. */
export interface HourlyLimits {
  /** Records a response's headers. Returns how long to wait before the next call, in milliseconds. */
  record(installationId: number | null, headers: Readonly<Record<string, unknown>>): number;
  list(): readonly RateLimit[];
}

/** When less than this share of the hour's calls is left, they are spread over the time until the limit resets. */
const SCARCE = 0.1;
/** Longer waits would keep jobs of other installations from running; a limit that is used up ends the attempt instead. */
const MAX_PAUSE_MS = 15_000;
/** Limits of installations that made no call for an hour are dropped. */
const RETENTION_MS = 60 * 60_000;

/** https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api */
export function createHourlyLimits(now: () => Date = () => new Date()): HourlyLimits {
  const seen = new Map<number | null, RateLimit>();
  return {
    record(installationId, headers) {
      // Other resources, such as searches, have limits of their own.
      if ((headers['x-ratelimit-resource'] ?? 'core') !== 'core') return 0;
      const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) =>
        readNumber(headers[`x-ratelimit-${name}`]),
      );
      if (limit == null || remaining == null || reset == null) return 0;
      const at = now();
      for (const [id, { seenAt }] of seen)
        if (at.getTime() - seenAt.getTime() > RETENTION_MS) seen.delete(id);
      const resetsAt = new Date(reset * 1000);
      seen.set(installationId, { installationId, limit, remaining, resetsAt, seenAt: at });
      if (remaining > limit * SCARCE) return 0;
      const left = Math.max(0, resetsAt.getTime() - at.getTime());
      return Math.min(MAX_PAUSE_MS, Math.ceil(left / (remaining + 1)));
    },
    list: () => [...seen.values()],
  };
}

function readNumber(value: unknown): number | null {
  const number = typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN;
  return Number.isFinite(number) && value !== '' ? number : null;
}
