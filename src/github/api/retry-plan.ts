/**
 * When a failed call is retried, and what waits until then: the call alone, all calls of its queue, or the whole job,
 * which frees its worker.
 */
export interface RetryPlan {
  readonly delayMs: number;
  readonly delays: 'call' | 'queue' | 'work';
}

interface FailedCall {
  /** 1 for the first attempt. */
  readonly attempt: number;
  readonly method: string;
  readonly url: string;
}

const MAX_ATTEMPTS = 4;
/** For a longer wait the job itself is postponed, so that it occupies no worker. */
const MAX_WAIT_MS = 60_000;
/** GitHub's advice for a secondary limit without a stated time. https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api */
const SECONDARY_LIMIT_MS = 60_000;

/** Calls that may be made twice although they are POST: the same status again, one more token, a query. */
const REPEATABLE_POSTS = /\/(statuses\/|access_tokens$|graphql$)/;

/** Null when the call must not be retried. Decides alone what is worth a retry. */
export function readRetryPlan(error: unknown, call: FailedCall): RetryPlan | null {
  if (call.attempt >= MAX_ATTEMPTS) return null;
  const { status, headers } = readFailure(error);
  if (isLimited(error)) {
    const delayMs = readWait(headers) ?? SECONDARY_LIMIT_MS;
    return { delayMs, delays: delayMs > MAX_WAIT_MS ? 'work' : 'queue' };
  }
  if (status === null || status < 500 || !isRepeatable(call)) return null;
  const backoff = 250 * 4 ** (call.attempt - 1);
  return { delayMs: backoff * (0.75 + Math.random() / 2), delays: 'call' };
}

/** Whether GitHub rate-limits the call; a 403 may be that, or a permanent refusal. */
export function isLimited(error: unknown): boolean {
  const { status, headers, message } = readFailure(error);
  if (status !== 403) return status === 429;
  return (
    headers['retry-after'] !== undefined ||
    headers['x-ratelimit-remaining'] === '0' ||
    /secondary rate limit/i.test(message)
  );
}

function isRepeatable({ method, url }: FailedCall): boolean {
  return ['GET', 'HEAD', 'PUT', 'DELETE'].includes(method) || REPEATABLE_POSTS.test(url);
}

/** How long GitHub asks to wait, in milliseconds; null when it does not say. */
function readWait(headers: Readonly<Record<string, unknown>>): number | null {
  const after = Number(headers['retry-after']);
  if (headers['retry-after'] !== undefined && Number.isFinite(after)) return Math.max(0, after * 1000);
  const reset = Number(headers['x-ratelimit-reset']);
  if (headers['x-ratelimit-remaining'] === '0' && Number.isFinite(reset)) {
    // One second more: the limit is lifted after that second, not at its start.
    return Math.max(0, reset * 1000 - Date.now()) + 1000;
  }
  return null;
}

function readFailure(error: unknown) {
  const nothing: Readonly<Record<string, unknown>> = {};
  if (!(error instanceof Error)) return { status: null, headers: nothing, message: '' };
  const status = 'status' in error && typeof error.status === 'number' ? error.status : null;
  const response =
    'response' in error ? (error.response as { headers?: typeof nothing } | undefined) : undefined;
  return { status, headers: response?.headers ?? nothing, message: error.message };
}
