import { setTimeout as pause } from 'node:timers/promises';
import { Octokit as RestOctokit } from '@octokit/rest';
import { createProbotAuth } from 'octokit-auth-probot';
import { type CallQueue, type CallQueueLimits, type CallQueues, Postponed } from '../../queue/index.ts';
import { type CallRate, countCalls, type Db } from '../../store/index.ts';
import { createBoundedFetch } from './bounded-fetch.ts';
import { responseStatus } from './errors.ts';
import type { HourlyLimits } from './rate-limits.ts';
import { readRetryPlan } from './retry-plan.ts';

export type Octokit = RestOctokit;

/** Where queries are sent as well as changes. Here only queries are. */
const GRAPHQL_PATH = /\/graphql$/;

/** The work that calls are made for. */
export interface CallScope {
  /** Aborting it stops the calls. */
  readonly signal: AbortSignal;
  /** The webhook delivery behind the work; GitHub's support can find the calls by it. */
  readonly delivery?: string;
}

const READ_LIMITS: CallQueueLimits = { concurrency: 8 };

/**
 * GitHub asks clients to make calls that create content one at a time, and allows 80 a minute. Slightly fewer are made,
 * since some take longer to arrive than others.
 * https://docs.github.com/rest/using-the-rest-api/best-practices-for-using-the-rest-api
 */
export const WRITE_RATE: CallRate = { count: 75, ms: 60_000 };
const WRITE_LIMITS: CallQueueLimits = { concurrency: 1 };

/**
 * GitHub accepts 500 calls an hour that notify people (pull requests, reviews, issues, commits and branches for them); a few
 * are left to other clients of the same account. It does not list the requests. Statuses and check runs are not counted:
 * apps that report on commits make more of them, and where GitHub refuses one, its response is respected.
 */
export const CONTENT_RATE: CallRate = { count: 480, ms: 60 * 60_000 };
const REPORTS = /\/(statuses|check-runs)(\/|$)/;

/** What all calls of one process share. */
export interface CallLimits {
  readonly callQueues: CallQueues;
  readonly limits?: HourlyLimits;
  /** Called with the status of each response; null where none came. */
  readonly onResponse?: (status: number | null) => void;
  readonly acquireCall?: AcquireCall;
}

/** Claims one of the calls that a rate allows all processes together; returns 0, or how many milliseconds to wait. */
export type AcquireCall = (key: string, rate: CallRate) => Promise<number>;

/** Writes that create no content. */
const TOKEN_PATH = /\/access_tokens$/;

/**
 * `@octokit/rest` with Probot's authentication and our limits: every call runs in its installation's rate-limited queue
 * with a limit of time and size, is retried a bounded number of times where that is safe, and waits as long as GitHub
 * asks. A token that was revoked early is renewed once. When an installation has nearly used its hourly limit, the rest is
 * spread over the remaining time; when GitHub refuses calls for a long time, the calling job is postponed (`Postponed`).
 * `@octokit/plugin-throttling` and `-retry`, which Probot's own Octokit has, are left out: a wait in them does not stop
 * with the job that waits.
 */
export function createOctokitClass({
  callQueues,
  limits,
  onResponse,
  acquireCall,
}: CallLimits): typeof RestOctokit {
  const refusals = new Map<string, Postponed>();
  return RestOctokit.plugin((octokit, options: Options) => {
    const { scope } = options;
    const signal = scope?.signal;
    const installationId: unknown = options.auth?.installationId;
    const key = typeof installationId === 'number' ? `github:${installationId}` : 'github:app';
    const reads = callQueues.queue(key, READ_LIMITS);
    const writes = callQueues.queue(
      `${key}:writes`,
      acquireCall === undefined ? { ...WRITE_LIMITS, rate: WRITE_RATE } : WRITE_LIMITS,
    );
    octokit.hook.wrap('request', (request, parameters) => {
      const { method, url } = parameters;
      if (scope?.delivery !== undefined) parameters.headers['x-github-delivery'] = scope.delivery;
      const isRead = method === 'GET' || method === 'HEAD' || TOKEN_PATH.test(url) || GRAPHQL_PATH.test(url);
      const isWrite = !isRead;
      const isContent = isWrite && typeof installationId === 'number' && !REPORTS.test(url);
      const queue = isWrite ? writes : reads;
      const pauseAll = (moment: Date) => {
        reads.pauseUntil(moment);
        writes.pauseUntil(moment);
      };
      const renew =
        typeof installationId === 'number' && !TOKEN_PATH.test(url)
          ? () => octokit.auth({ type: 'installation', installationId, refresh: true })
          : null;
      const recordLimits = (headers: unknown) => {
        const id = typeof installationId === 'number' && !TOKEN_PATH.test(url) ? installationId : null;
        const pauseMs = limits?.record(id, (headers ?? {}) as Record<string, unknown>) ?? 0;
        if (pauseMs > 0) pauseAll(new Date(Date.now() + pauseMs));
      };
      const refuse = (until: Date) => {
        const refusal = new Postponed(until, describeRefusal(until));
        refusals.set(key, refusal);
        return refusal;
      };
      return callWithRetries({ queue, pauseAll, refuse, renew, signal }, { method, url }, async () => {
        const refused = refusals.get(key);
        if (refused !== undefined && refused.until > new Date())
          throw new Postponed(refused.until, refused.message);
        refusals.delete(key);
        if (isWrite && acquireCall !== undefined)
          await waitForTurn(() => acquireCall(`${key}:writes`, WRITE_RATE), signal);
        if (isContent && acquireCall !== undefined) {
          const wait = await acquireCall(contentKey(installationId), CONTENT_RATE);
          if (wait > 0) throw postponeContent(wait);
        }
        try {
          const response = await request(parameters);
          recordLimits(response.headers);
          onResponse?.(response.status);
          return response;
        } catch (error) {
          onResponse?.(responseStatus(error));
          recordLimits((error as { response?: { headers?: unknown } }).response?.headers);
          throw error;
        }
      });
    });
  }).defaults((options: Options) => {
    const fetch = createBoundedFetch(options.scope?.signal);
    return {
      userAgent: 'docloom',
      authStrategy: createProbotAuth,
      ...options,
      auth: withAddress(options, fetch),
      request: { fetch },
      log: lowerLevels(options.log),
    };
  });
}

/** The client logs every call, and failed calls as errors; whether a failed call is an error is for our callers to decide. */
function lowerLevels(log: Options['log']): Options['log'] {
  if (log === undefined) return log;
  const debug = log.debug.bind(log);
  return { debug, info: debug, warn: log.warn.bind(log), error: debug };
}

/** The key under which an installation's calls that create content are counted. */
export function contentKey(installationId: number): string {
  return `github:${installationId}:content`;
}

/** How many calls that create content each installation made within the rate's hour. */
export async function countContent(
  db: Db,
): Promise<readonly { readonly installationId: number; readonly count: number }[]> {
  const rows = await countCalls(db, 'github:%:content', CONTENT_RATE.ms);
  return rows.map(({ key, count }) => ({ installationId: Number(key.split(':')[1]), count }));
}

function postponeContent(wait: number): Postponed {
  const until = new Date(Date.now() + wait);
  const { count } = CONTENT_RATE;
  return new Postponed(
    until,
    `Docloom created ${count} pull requests, commits and the like within an hour, and GitHub accepts no more: work continues at ${timeOf(until)}.`,
  );
}

function describeRefusal(until: Date): string {
  return `GitHub accepts no more calls of this installation for now: work continues at ${timeOf(until)}.`;
}

function timeOf(moment: Date): string {
  return `${moment.toISOString().slice(11, 16)} UTC`;
}

/** Waits inside the call queue, so that the calls stay in order. */
async function waitForTurn(acquire: () => Promise<number>, signal: AbortSignal | undefined): Promise<void> {
  for (let wait = await acquire(); wait > 0; wait = await acquire()) {
    await pause(Math.min(wait, 5_000), undefined, signal === undefined ? {} : { signal });
  }
}

interface Options {
  readonly baseUrl?: string;
  readonly auth?: { readonly request?: Octokit['request']; readonly installationId?: unknown };
  readonly log?: Octokit['log'];
  readonly scope?: CallScope;
}

/** Probot also creates tokens outside of calls, where it knows neither an enterprise server's address nor our limits. */
function withAddress({ auth, baseUrl }: Options, fetch: typeof globalThis.fetch): Options['auth'] {
  if (auth?.request === undefined) return auth;
  const address = baseUrl === undefined ? {} : { baseUrl };
  return { ...auth, request: auth.request.defaults({ ...address, request: { fetch } }) };
}

interface CallContext {
  readonly queue: CallQueue;
  readonly pauseAll: (moment: Date) => void;
  /** Refuses all calls until then; returns the error to throw. */
  readonly refuse: (until: Date) => Postponed;
  /** Replaces the token that is cached for an hour; null where calls are authenticated otherwise. */
  readonly renew: (() => Promise<unknown>) | null;
  readonly signal: AbortSignal | undefined;
}

async function callWithRetries<T>(
  { queue, pauseAll, refuse, renew, signal }: CallContext,
  call: { readonly method: string; readonly url: string },
  work: () => Promise<T>,
): Promise<T> {
  const stop = signal === undefined ? {} : { signal };
  let renewed = renew === null;
  for (let attempt = 1; ; attempt++) {
    try {
      return await queue.run(work, stop);
    } catch (error) {
      if (!renewed && !signal?.aborted && isUnauthorized(error)) {
        renewed = true;
        // Outside the queue: the call for the token needs a slot in it.
        await renew?.();
        continue;
      }
      const plan = readRetryPlan(error, { attempt, ...call });
      if (plan === null || signal?.aborted) throw error;
      // The queue's pause is the wait; the call itself goes to the end of the queue.
      const until = new Date(Date.now() + plan.delayMs);
      if (plan.delays === 'work') throw refuse(until);
      if (plan.delays === 'queue') pauseAll(until);
      else await pause(plan.delayMs, undefined, stop);
    }
  }
}

/** The token was revoked before its time, for example because the App's installation was changed. */
function isUnauthorized(error: unknown): boolean {
  return error instanceof Error && 'status' in error && error.status === 401;
}
