import type { ApiRequest } from './api/api-request.ts';

/** A webhook delivery about to be sent, as a fault's `match` sees it. */
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

/** What may go wrong on a delivery's way. `match` chooses deliveries; absent: all. */
export type WebhookFault = Counted & {
  readonly on: 'webhook';
  readonly match?: (delivery: FaultDelivery) => boolean;
} & (
    | { readonly kind: 'duplicate' }
    | { readonly kind: 'delay'; readonly delayMs: number }
    /** Holds this many deliveries back, then sends them in reverse. Strikes once for the whole group. */
    | { readonly kind: 'reorder'; readonly hold: number }
    /** Never sent. It shows as a failed delivery, so the App can find it and ask for it again. */
    | { readonly kind: 'drop' }
  );

/** What may go wrong with a REST call (`api`) or a call of a git client (`git`). */
export type RequestFault = Counted & {
  readonly on: 'api' | 'git';
  readonly method?: string;
  /** Tested against the path without `/api/v3` and without the query; absent: every path. */
  readonly path?: RegExp;
  /** Chooses among the requests that fit so far, by who makes them; absent: all. Of git, everyone is `other`. */
  readonly match?: (by: ApiRequest['by']) => boolean;
} & (
    | { readonly kind: 'status'; readonly status: 500 | 502 | 503 | 504 }
    /** 403 with `retry-after`, as GitHub's secondary limits answer. */
    | { readonly kind: 'secondary-limit'; readonly retryAfterSeconds: number }
    /** 429 with `retry-after`. */
    | { readonly kind: 'too-many-requests'; readonly retryAfterSeconds: number }
    /** Answers rightly, but only after this time. */
    | { readonly kind: 'slow'; readonly slowMs: number }
  );

export type Fault = WebhookFault | RequestFault;

/** A fault that was switched on. */
export interface ActiveFault {
  /** How many times it has struck so far. */
  readonly struck: number;
  /** Switches it off; deliveries that it holds back go out. */
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
    const entry = new Entry(fault, (gone) => {
      this.#entries = this.#entries.filter((candidate) => candidate !== gone);
      this.#onClear();
    });
    this.#entries.push(entry);
    return entry;
  }

  /** Switches all off; deliveries that were held back go out. */
  clear(): void {
    this.#entries = [];
    this.#onClear();
  }

  /** The first fault that strikes this request, counted. */
  strikeRequest(
    on: RequestFault['on'],
    method: string,
    path: string,
    by: ApiRequest['by'] = 'other',
  ): RequestFault | null {
    return this.#strike(
      (fault): fault is RequestFault =>
        fault.on === on &&
        (fault.method === undefined || fault.method === method) &&
        (fault.path === undefined || fault.path.test(path)) &&
        (fault.match?.(by) ?? true),
    );
  }

  /** The first fault that strikes this delivery, counted. */
  strikeDelivery(delivery: FaultDelivery): WebhookFault | null {
    return this.#strike(
      (fault): fault is WebhookFault => fault.on === 'webhook' && (fault.match?.(delivery) ?? true),
    );
  }

  #strike<F extends Fault>(fits: (fault: Fault) => fault is F): F | null {
    for (const entry of this.#entries) {
      if (entry.struck < (entry.fault.times ?? Number.POSITIVE_INFINITY) && fits(entry.fault)) {
        entry.struck += 1;
        return entry.fault;
      }
    }
    return null;
  }
}
