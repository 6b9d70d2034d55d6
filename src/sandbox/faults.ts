import type { ApiRequest } from './api/api-request.ts';

/** A webhook delivery about to be sent, as it is passed to a fault's `match`. */
export interface FaultDelivery {
  readonly guid: string;
  readonly event: string;
  readonly action: string | null;
  readonly payload: unknown;
}

interface Counted {
  /** How many times the fault strikes; absent: until it is cleared. */
  readonly times?: number;
}

/** A fault in the delivery of webhooks. `match` chooses deliveries; absent: all. */
export type WebhookFault = Counted & {
  readonly on: 'webhook';
  readonly match?: (delivery: FaultDelivery) => boolean;
} & (
    | { readonly kind: 'duplicate' }
    | { readonly kind: 'delay'; readonly delayMs: number }
    /** Delays deliveries until there are this many, then sends them in reverse. Strikes once for the whole group. */
    | { readonly kind: 'reorder'; readonly count: number }
    /** Never sends it. It is listed as a failed delivery, so the App can find it and request it again. */
    | { readonly kind: 'drop' }
  );

/** A fault in a REST call (`api`) or a call of a git client (`git`). */
export type RequestFault = Counted & {
  readonly on: 'api' | 'git';
  readonly method?: string;
  /** Tested against the path without `/api/v3` and without the query; absent: every path. */
  readonly path?: RegExp;
  /** Chooses among matching requests by their kind of credential; absent: all. For git it is always `other`. */
  readonly match?: (credential: ApiRequest['credential']) => boolean;
} & (
    | { readonly kind: 'status'; readonly status: 500 | 502 | 503 | 504 }
    /** 403 with `retry-after`, the response to GitHub's secondary limits. */
    | { readonly kind: 'secondary-limit'; readonly retryAfterSeconds: number }
    /** 429 with `retry-after`. */
    | { readonly kind: 'too-many-requests'; readonly retryAfterSeconds: number }
    /** Responds normally, but only after this time, or `until` resolves. */
    | { readonly kind: 'slow'; readonly slowMs: number; readonly until?: Promise<unknown> }
    /** Does what is requested, and answers a REST call with 502 all the same. */
    | { readonly kind: 'lost-answer' }
  );

export type Fault = WebhookFault | RequestFault;

/** A fault that was switched on. */
export interface ActiveFault {
  /** How many times it has struck so far. */
  readonly struck: number;
  /** Switches it off; deliveries that it delays are sent. */
  clear(): void;
}

class Entry implements ActiveFault {
  readonly fault: Fault;
  struck = 0;
  readonly clear: () => void;

  constructor(fault: Fault, remove: (entry: Entry) => void) {
    this.fault = fault;
    this.clear = () => remove(this);
  }
}

/** The faults that are switched on, oldest first. */
export class Faults {
  #entries: Entry[] = [];
  readonly #onClear: () => void;

  /** `onClear` runs after faults were switched off. */
  constructor(onClear: () => void) {
    this.#onClear = onClear;
  }

  set(fault: Fault): ActiveFault {
    const entry = new Entry(fault, (removed) => {
      this.#entries = this.#entries.filter((candidate) => candidate !== removed);
      this.#onClear();
    });
    this.#entries.push(entry);
    return entry;
  }

  /** Switches all off; delayed deliveries are sent. */
  clear(): void {
    this.#entries = [];
    this.#onClear();
  }

  /** Finds the first fault that strikes this request, and counts it. */
  strikeRequest(
    on: RequestFault['on'],
    method: string,
    path: string,
    credential: ApiRequest['credential'] = 'other',
  ): RequestFault | null {
    return this.#strike(
      (fault): fault is RequestFault =>
        fault.on === on &&
        (fault.method === undefined || fault.method === method) &&
        (fault.path === undefined || fault.path.test(path)) &&
        (fault.match?.(credential) ?? true),
    );
  }

  /** Finds the first fault that strikes this delivery, and counts it. */
  strikeDelivery(delivery: FaultDelivery): WebhookFault | null {
    return this.#strike(
      (fault): fault is WebhookFault => fault.on === 'webhook' && (fault.match?.(delivery) ?? true),
    );
  }

  #strike<F extends Fault>(matches: (fault: Fault) => fault is F): F | null {
    for (const entry of this.#entries) {
      if (entry.struck < (entry.fault.times ?? Number.POSITIVE_INFINITY) && matches(entry.fault)) {
        entry.struck += 1;
        return entry.fault;
      }
    }
    return null;
  }
}
