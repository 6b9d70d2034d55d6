import { setTimeout as wait } from 'node:timers/promises';
import type { RequestFault } from '../faults.ts';
import { ForgeApiError } from './api-error.ts';
import type { RouteResult } from './route.ts';

/** Applies a fault to a request. Returns its response, or null when the request continues (after the wait of a slow fault). */
export async function applyRequestFault(fault: RequestFault | null, now: Date): Promise<RouteResult | null> {
  if (!fault) return null;
  switch (fault.kind) {
    case 'slow':
      await Promise.race([
        wait(fault.slowMs, undefined, { ref: false }),
        ...(fault.until ? [fault.until] : []),
      ]);
      return null;
    case 'lost-answer':
      return null;
    case 'status':
      return refuse(fault.status, 'Server Error', {});
    case 'secondary-limit':
      return refuse(
        403,
        'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.',
        limitHeaders(fault.retryAfterSeconds, now),
      );
    case 'too-many-requests':
      return refuse(429, 'Too many requests', limitHeaders(fault.retryAfterSeconds, now));
  }
}

/** The response in place of that of a request that was carried out. */
export const lostAnswer: RouteResult = refuse(502, 'Server Error', {});

function limitHeaders(retryAfterSeconds: number, now: Date): Record<string, string> {
  return {
    'retry-after': String(retryAfterSeconds),
    'x-ratelimit-reset': String(Math.floor(now.getTime() / 1000) + retryAfterSeconds),
  };
}

function refuse(status: number, message: string, headers: Record<string, string>): RouteResult {
  return { status, body: new ForgeApiError(status, message).body, headers };
}
