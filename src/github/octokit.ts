import { setTimeout as pause } from 'node:timers/promises';
import { type Context, ProbotOctokit } from 'probot';
import type { Lane, LaneLimits, Lanes } from '../queue/index.ts';
import { boundedFetch } from './bounded-fetch.ts';
import { currentSignal } from './delivery-run.ts';
import { readRetryPlan } from './retry-plan.ts';

export type Octokit = Context['octokit'];

const READ_LIMITS: LaneLimits = { concurrency: 8 };

/**
 * GitHub asks for calls that make content to be made one after the other, and allows 80 a minute.
 * https://docs.github.com/rest/using-the-rest-api/best-practices-for-using-the-rest-api
 */
const WRITE_LIMITS: LaneLimits = { concurrency: 1, rate: { count: 80, ms: 60_000 } };

/** Of the writes, those that make no content. */
const TOKEN_PATH = /\/access_tokens$/;

/**
 * Probot's Octokit with our own patience: every call runs in its installation's lane with a limit of time and
 * size, is tried again a bounded number of times where that is safe, and waits as long as GitHub asks. A token that
 * was revoked before its time is made anew once.
 * Probot's own throttling is off: it knows nothing of the jobs' signals, and a wait in it cannot be ended.
 */
export function createOctokitClass(lanes: Lanes): typeof ProbotOctokit {
  return ProbotOctokit.plugin((octokit, options) => {
    const installationId: unknown = options['auth']?.installationId;
    const key = typeof installationId === 'number' ? `github:${installationId}` : 'github:app';
    const reads = lanes.lane(key, READ_LIMITS);
    const writes = lanes.lane(`${key}:writes`, WRITE_LIMITS);
    octokit.hook.wrap('request', (request, parameters) => {
      const { method, url } = parameters;
      const lane = method === 'GET' || method === 'HEAD' || TOKEN_PATH.test(url) ? reads : writes;
      const holdAll = (moment: Date) => {
        reads.pauseUntil(moment);
        writes.pauseUntil(moment);
      };
      const renew =
        typeof installationId === 'number' && !TOKEN_PATH.test(url)
          ? () => octokit.auth({ type: 'installation', installationId, refresh: true })
          : null;
      return callPatiently({ lane, holdAll, renew }, { method, url }, async () => request(parameters));
    });
  }).defaults((options: Options) => ({
    ...options,
    auth: withAddress(options),
    request: { fetch: boundedFetch },
    throttle: { enabled: false },
    retry: { enabled: false },
  })) as typeof ProbotOctokit;
}

interface Options {
  readonly baseUrl?: string;
  readonly auth?: { readonly request?: Octokit['request'] };
}

/** Probot's way to make a token outside of a call knows neither an enterprise server's address nor our limits. */
function withAddress({ auth, baseUrl }: Options): Options['auth'] {
  if (auth?.request === undefined) return auth;
  const address = baseUrl === undefined ? {} : { baseUrl };
  return { ...auth, request: auth.request.defaults({ ...address, request: { fetch: boundedFetch } }) };
}

interface Means {
  readonly lane: Lane;
  readonly holdAll: (moment: Date) => void;
  /** Makes a new token in place of the one that is kept for an hour; null where calls are signed otherwise. */
  readonly renew: (() => Promise<unknown>) | null;
}

async function callPatiently<T>(
  { lane, holdAll, renew }: Means,
  call: { readonly method: string; readonly url: string },
  work: () => Promise<T>,
): Promise<T> {
  const signal = currentSignal();
  const stop = signal === undefined ? {} : { signal };
  let renewed = renew === null;
  for (let attempt = 1; ; attempt++) {
    try {
      return await lane.run(work, stop);
    } catch (error) {
      if (!renewed && !signal?.aborted && isUnauthorized(error)) {
        renewed = true;
        // Outside the lane: the call for the token takes a place in it.
        await renew?.();
        continue;
      }
      const plan = readRetryPlan(error, { attempt, ...call });
      if (plan === null || signal?.aborted) throw error;
      // The pause of the lane is the wait; the call itself goes to the end of its line.
      if (plan.holdsLane) holdAll(new Date(Date.now() + plan.delayMs));
      else await pause(plan.delayMs, undefined, stop);
    }
  }
}

/** The token was revoked before its time, for example because the App's installation was changed. */
function isUnauthorized(error: unknown): boolean {
  return error instanceof Error && 'status' in error && error.status === 401;
}
