import { setTimeout as pause } from 'node:timers/promises';
import { Octokit as RestOctokit } from '@octokit/rest';
import { createProbotAuth } from 'octokit-auth-probot';
import { type CallQueue, type CallQueueLimits, type CallQueues, Postponed } from '../../queue/index.ts';
import { type CallRate, countCalls, type Db } from '../../store/index.ts';
import { createBoundedFetch } from './bounded-fetch.ts';
import { answeredStatus } from './errors.ts';
import type { HourlyLimits } from './rate-limits.ts';
import { readRetryPlan } from './retry-plan.ts';

export type Octokit = RestOctokit;

/** The work that calls are made for. */
export interface CallScope {
  /** The calls stop with it. */
  readonly signal: AbortSignal;
  /** The webhook delivery behind the work; GitHub's support finds calls by it. */
  readonly delivery?: string;
}

const READ_LIMITS: CallQueueLimits = { concurrency: 8 };

/**
 * GitHub asks for calls that make content to be made one after the other, and allows 80 a minute. A few less are begun,
 * since some are longer on their way than others.
 * https://docs.github.com/rest/using-the-rest-api/best-practices-for-using-the-rest-api
 */
export const WRITE_RATE: CallRate = { count: 75, ms: 60_000 };
const WRITE_LIMITS: CallQueueLimits = { concurrency: 1 };

/**
 * Of what people are told of (pull requests, reviews, issues, commits and branches made for them) GitHub takes 500 an
 * hour; a few are left to others who act for the same account. It does not name the requests. Statuses and check runs are
 * left out: whoever reports on commits makes more of them, and where GitHub does mind, its answer is heeded.
 */
export const CONTENT_RATE: CallRate = { count: 480, ms: 60 * 60_000 };
const REPORTS = /\/(statuses|check-runs)(\/|$)/;

/** What all calls of one process share. */
export interface CallLimits {
  readonly callQueues: CallQueues;
  readonly limits?: HourlyLimits;
  /** Hears the status of each answer; null where none came. */
  readonly onAnswer?: (status: number | null) => void;
  readonly acquireCall?: AcquireCall;
}

/** Takes one of the calls that a rate allows in all processes together; else answers how many milliseconds to wait. */
export type AcquireCall = (key: string, rate: CallRate) => Promise<number>;

/** Of the writes, those that make no content. */
const TOKEN_PATH = /\/access_tokens$/;

/**
 * `@octokit/rest` with Probot's authentication and our limits: every call runs in its installation's rate-limited queue
 * with a limit of time and size, is retried a bounded number of times where that is safe, and waits as long as GitHub
 * asks. A token that was revoked early is renewed once. When an installation has nearly used its hourly limit, the rest is
 * spread over the remaining time; when GitHub refuses calls for long, the calling work is put off (`Postponed`).
 * `@octokit/plugin-throttling` and `-retry`, which Probot's own Octokit has, are left out: a wait in them does not stop
 * with the job that waits.
 */
export function createOctokitClass({
  callQueues,
  limits,
  onAnswer,
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
      const isWrite = method !== 'GET' && method !== 'HEAD' && !TOKEN_PATH.test(url);
      const isContent = isWrite && typeof installationId === 'number' && !REPORTS.test(url);
      const lane = isWrite ? writes : reads;
      const holdAll = (moment: Date) => {
        reads.pauseUntil(moment);
        writes.pauseUntil(moment);
      };
      const renew =
        typeof installationId === 'number' && !TOKEN_PATH.test(url)
          ? () => octokit.auth({ type: 'installation', installationId, refresh: true })
          : null;
      const note = (headers: unknown) => {
        const id = typeof installationId === 'number' && !TOKEN_PATH.test(url) ? installationId : null;
        const pauseMs = limits?.record(id, (headers ?? {}) as Record<string, unknown>) ?? 0;
        if (pauseMs > 0) holdAll(new Date(Date.now() + pauseMs));
      };
      const refuse = (until: Date) => {
        const refusal = new Postponed(until, sayWhen(until));
        refusals.set(key, refusal);
        return refusal;
      };
      return callPatiently({ lane, holdAll, refuse, renew, signal }, { method, url }, async () => {
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
          note(response.headers);
          onAnswer?.(response.status);
          return response;
        } catch (error) {
          onAnswer?.(answeredStatus(error));
          note((error as { response?: { headers?: unknown } }).response?.headers);
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

/** The client logs a line for each call, and the failed ones as errors; what a failed call means is ours to say. */
function lowerLevels(log: Options['log']): Options['log'] {
  if (log === undefined) return log;
  const debug = log.debug.bind(log);
  return { debug, info: debug, warn: log.warn.bind(log), error: debug };
}

/** Under which an installation's calls that make content are counted. */
export function contentKey(installationId: number): string {
  return `github:${installationId}:content`;
}

/** How many calls that make content each installation made within the rate's hour. */
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
    `Docloom made ${count} pull requests, commits and the like within an hour, and GitHub takes no more: it goes on at ${timeOf(until)}.`,
  );
}

function sayWhen(until: Date): string {
  return `GitHub takes no more calls of this installation for now: it goes on at ${timeOf(until)}.`;
}

function timeOf(moment: Date): string {
  return `${moment.toISOString().slice(11, 16)} UTC`;
}

/** Waits in the lane, so that what came first goes first. */
async function waitForTurn(take: () => Promise<number>, signal: AbortSignal | undefined): Promise<void> {
  for (let wait = await take(); wait > 0; wait = await take()) {
    await pause(Math.min(wait, 5_000), undefined, signal === undefined ? {} : { signal });
  }
}

interface Options {
  readonly baseUrl?: string;
  readonly auth?: { readonly request?: Octokit['request']; readonly installationId?: unknown };
  readonly log?: Octokit['log'];
  readonly scope?: CallScope;
}

/** Probot's way to make a token outside of a call knows neither an enterprise server's address nor our limits. */
function withAddress({ auth, baseUrl }: Options, fetch: typeof globalThis.fetch): Options['auth'] {
  if (auth?.request === undefined) return auth;
  const address = baseUrl === undefined ? {} : { baseUrl };
  return { ...auth, request: auth.request.defaults({ ...address, request: { fetch } }) };
}

interface Means {
  readonly lane: CallQueue;
  readonly holdAll: (moment: Date) => void;
  /** Lets no call be made before a moment; the error that says so. */
  readonly refuse: (until: Date) => Postponed;
  /** Makes a new token in place of the one that is kept for an hour; null where calls are signed otherwise. */
  readonly renew: (() => Promise<unknown>) | null;
  readonly signal: AbortSignal | undefined;
}

async function callPatiently<T>(
  { lane, holdAll, refuse, renew, signal }: Means,
  call: { readonly method: string; readonly url: string },
  work: () => Promise<T>,
): Promise<T> {
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
      const until = new Date(Date.now() + plan.delayMs);
      if (plan.holds === 'work') throw refuse(until);
      if (plan.holds === 'lane') holdAll(until);
      else await pause(plan.delayMs, undefined, stop);
    }
  }
}

/** The token was revoked before its time, for example because the App's installation was changed. */
function isUnauthorized(error: unknown): boolean {
  return error instanceof Error && 'status' in error && error.status === 401;
}
