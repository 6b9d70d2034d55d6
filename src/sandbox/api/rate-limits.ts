import { ForgeApiError } from './api-error.ts';

const HOUR_SECONDS = 3600;

interface Window {
  used: number;
  /** Seconds since 1970. */
  readonly reset: number;
}

/** Counts the requests of each caller per hour. https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api */
export class RequestQuota {
  readonly #limit: number;
  readonly #windows = new Map<string, Window>();

  /** `limit` is the number of requests an hour that each caller has. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  #window(caller: string, now: Date): Window {
    const seconds = Math.floor(now.getTime() / 1000);
    const known = this.#windows.get(caller);
    if (known && known.reset > seconds) return known;
    const fresh = { used: 0, reset: seconds + HOUR_SECONDS };
    this.#windows.set(caller, fresh);
    return fresh;
  }

  /** Counts one request. Throws GitHub's 403 when there are none left. */
  spend(caller: string, now: Date): void {
    const window = this.#window(caller, now);
    if (window.used >= this.#limit) throw new ForgeApiError(403, `API rate limit exceeded for ${caller}.`);
    window.used += 1;
  }

  /** Refunds a request: a 304 is free. */
  refund(caller: string, now: Date): void {
    const window = this.#window(caller, now);
    window.used = Math.max(0, window.used - 1);
  }

  headers(caller: string, now: Date): Record<string, string> {
    const { limit, remaining, reset, used } = this.describe(caller, now);
    return {
      'x-ratelimit-limit': String(limit),
      'x-ratelimit-remaining': String(remaining),
      'x-ratelimit-reset': String(reset),
      'x-ratelimit-used': String(used),
      'x-ratelimit-resource': 'core',
    };
  }

  describe(caller: string, now: Date) {
    const { used, reset } = this.#window(caller, now);
    return { limit: this.#limit, remaining: this.#limit - used, reset, used };
  }
}
