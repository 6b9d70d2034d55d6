import type { CapacityFigures, MeasuredOperation } from './figures.ts';

/** What is assumed rather than measured; `docs/scale.md` lists all of it. */
export const ASSUMPTIONS = {
  /** A day of one repository. Its busiest hour has three times the average. */
  perDay: { push: 2, pull: 0.5, export: 0.1, firstView: 20, view: 200, search: 5 },
  peak: 3,
  /** How many repositories the installations have: the n-th largest has a share of 1 / n^0.8. */
  skew: 0.8,
  installations: { 100: 1, 10000: 20, 1000000: 2_000 } as Readonly<Record<number, number>>,
  /** How long a call to GitHub takes, in seconds. */
  callSeconds: 0.15,
  /** How long a query for a hundred branches takes, in seconds. */
  querySeconds: 1,
  /** The share of the processors that is used at most, so that people do not wait behind each other. */
  busy: 0.6,
  /** A push is live within this many seconds for 95 of 100. */
  liveSeconds: 30,
  /** Of history, 50 revisions of each space stay; so do as many pushes. */
  keptPushes: 50,
  /** What one PostgreSQL on a large machine carries. */
  database: { cores: 64, walBytesPerSecond: 100e6, bytes: 8e12 },
} as const;

/**
 * https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api, for an installation on github.com.
 * Points of the GraphQL API are as many, and besides; a query for a hundred branches is one.
 */
export const GITHUB = {
  callsPerHour: 5_000,
  perRepositoryAbove20: 50,
  maximumPerHour: 12_500,
  contentPerMinute: 80,
  contentPerHour: 500,
} as const;

/**
 * The comparison with GitHub: each worker compares four installations at once, with one query after the other. Lists of more
 * than 500 repositories are read once an hour, all others every five minutes, as what is live is compared.
 */
const COMPARISON = {
  installations: 4,
  branches: 100,
  listed: 100,
  everySeconds: 300,
  longList: 500,
  longListSeconds: 3_600,
} as const;

/** A use of something of which there is a limited amount. */
export interface Wall {
  readonly name: string;
  /** In the busiest hour, in `unit`. */
  readonly needed: number;
  readonly available: number;
  readonly unit: string;
}

export interface Outcome {
  readonly repositories: number;
  readonly installations: number;
  readonly largest: number;
  /** Seconds from a push to its live pages. */
  readonly live: { readonly p50: number; readonly p95: number };
  /** Processors of the roles, with some left. */
  readonly workerCores: number;
  readonly webCores: number;
  readonly databaseCores: number;
  readonly rowsPerSecond: number;
  readonly walPerSecond: number;
  readonly databaseBytes: number;
  readonly storeBytes: number;
  /** Calls of the largest installation in the busiest hour, what it may make, and jobs that had to wait for the next hour. */
  readonly calls: number;
  readonly callsAllowed: number;
  readonly delayed: number;
  /** Seconds until every repository was compared once, by all workers; before, GitHub is asked for webhooks that it could not deliver. */
  readonly comparisonSeconds: number;
  /** The scarcest first. */
  readonly walls: readonly Wall[];
}

interface Job {
  readonly at: number;
  readonly kind: 'push' | 'pull' | 'export';
  readonly installation: number;
}

const JOBS = ['push', 'pull', 'export'] as const;

/**
 * The busiest hour of so many repositories: pushes, pull requests and exports arrive at random, wait for a processor of a
 * worker, and make their calls within the limits of their installation. The same seed is the same hour.
 */
export function simulate(figures: CapacityFigures, repositories: number, seed = 1): Outcome {
  const { perDay, peak } = ASSUMPTIONS;
  const installations = shares(ASSUMPTIONS.installations[repositories] ?? 1, repositories);
  const perSecond = (kind: keyof typeof perDay) => (perDay[kind] * repositories * peak) / 86_400;
  const needed = (kinds: readonly (keyof typeof perDay)[], of: (kind: MeasuredOperation) => number) =>
    kinds.reduce((sum, kind) => sum + perSecond(kind) * of(kind), 0);
  const { costs } = figures;
  const every = Object.keys(perDay) as readonly (keyof typeof perDay)[];
  const cpu = (kinds: readonly (keyof typeof perDay)[]) =>
    needed(kinds, (kind) => costs[kind].serverCpuMs / 1_000) / ASSUMPTIONS.busy;

  const jobs = arrivals(perSecond, installations, seed);
  // Of the webhooks that JOBS cause, web processes have a small part, which counts here.
  let workerCores = Math.max(1, Math.ceil(cpu(JOBS)));
  let run = serve(figures, jobs, installations, workerCores);
  while (quantile(run.waits, 0.95) > ASSUMPTIONS.liveSeconds && workerCores < 1e5) {
    workerCores = Math.ceil(workerCores * 1.25);
    const next = serve(figures, jobs, installations, workerCores);
    // What waits for GitHub is not helped by more processors.
    if (quantile(next.waits, 0.95) > 0.95 * quantile(run.waits, 0.95)) break;
    run = next;
  }
  const [largest = 0] = installations;
  const webCores = Math.max(1, Math.ceil(cpu(['firstView', 'view', 'search'])));
  const databaseCores = needed(every, (kind) => costs[kind].databaseCpuMs / 1_000) / ASSUMPTIONS.busy;
  const walPerSecond = needed(every, (kind) => costs[kind].walBytes);
  const kept = ASSUMPTIONS.keptPushes;
  const databaseBytes = repositories * (costs.import.databaseBytes + kept * costs.push.databaseBytes);
  const { comparisonSeconds, queriesPerHour, listsPerHour } = comparison(installations, workerCores);
  const calls = (run.calls[0] ?? 0) + listsPerHour;
  const walls: Wall[] = [
    {
      name: 'calls to GitHub, largest installation',
      needed: calls,
      available: allowance(largest),
      unit: 'calls/h',
    },
    {
      name: 'commits by exports, largest installation',
      needed: (perDay.export * largest * peak) / 24,
      available: GITHUB.contentPerHour,
      unit: '/h',
    },
    {
      name: 'processors of one database',
      needed: databaseCores,
      available: ASSUMPTIONS.database.cores,
      unit: 'cores',
    },
    {
      name: 'write-ahead log of one database',
      needed: walPerSecond / 1e6,
      available: ASSUMPTIONS.database.walBytesPerSecond / 1e6,
      unit: 'MB/s',
    },
    {
      name: 'size of one database',
      needed: databaseBytes / 1e9,
      available: ASSUMPTIONS.database.bytes / 1e9,
      unit: 'GB',
    },
    { name: 'comparison of all repositories', needed: comparisonSeconds / 60, available: 60, unit: 'min' },
    {
      name: 'queries of the comparison, largest installation',
      needed: queriesPerHour,
      available: allowance(largest),
      unit: 'points/h',
    },
  ];
  return {
    repositories,
    installations: installations.length,
    largest,
    live: { p50: quantile(run.waits, 0.5), p95: quantile(run.waits, 0.95) },
    workerCores,
    webCores,
    databaseCores,
    rowsPerSecond: needed(every, (kind) => costs[kind].rows),
    walPerSecond,
    databaseBytes,
    storeBytes: repositories * (costs.import.storeBytes + kept * costs.push.storeBytes),
    calls,
    callsAllowed: allowance(largest),
    delayed: run.delayed,
    comparisonSeconds,
    walls: walls.toSorted((one, other) => other.needed / other.available - one.needed / one.available),
  };
}

/** How many repositories each installation has, the largest first. */
function shares(count: number, repositories: number): readonly number[] {
  const weights = Array.from({ length: count }, (_installation, at) => (at + 1) ** -ASSUMPTIONS.skew);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => Math.max(1, Math.round((repositories * weight) / total)));
}

function allowance(repositories: number): number {
  const { callsPerHour, perRepositoryAbove20, maximumPerHour } = GITHUB;
  return Math.min(maximumPerHour, callsPerHour + perRepositoryAbove20 * Math.max(0, repositories - 20));
}

/** What happens in an hour, in its order. */
function arrivals(
  perSecond: (kind: Job['kind']) => number,
  installations: readonly number[],
  seed: number,
): readonly Job[] {
  const random = dice(seed);
  const total = installations.reduce((sum, size) => sum + size, 0);
  let below = 0;
  const until = Float64Array.from(installations, (size) => {
    below += size / total;
    return below;
  });
  const jobs: Job[] = [];
  for (const kind of JOBS) {
    const rate = perSecond(kind);
    const pause = () => -Math.log(1 - random()) / rate;
    for (let at = pause(); at < 3_600; at += pause()) {
      jobs.push({ at, kind, installation: find(until, random()) });
    }
  }
  return jobs.sort((one, other) => one.at - other.at);
}

interface Served {
  /** Seconds from the arrival of each push to its end. */
  readonly waits: Float64Array;
  /** Of each installation, in the first hour. */
  readonly calls: readonly number[];
  readonly delayed: number;
}

function serve(
  { costs }: CapacityFigures,
  jobs: readonly Job[],
  installations: readonly number[],
  cores: number,
): Served {
  // When each processor is free again, the earliest at the root.
  const free = new Heap(cores);
  const used = installations.map(() => new Map<number, number>());
  const waits: number[] = [];
  let delayed = 0;
  for (const { at, kind, installation } of jobs) {
    const cost = costs[kind];
    const start = Math.max(at, free.peek());
    const worked = start + cost.serverCpuMs / 1_000;
    free.replace(worked);
    const hours = used[installation] as Map<number, number>;
    const allowed = allowance(installations[installation] ?? 0);
    let hour = Math.floor(start / 3_600);
    while ((hours.get(hour) ?? 0) + cost.calls > allowed) hour += 1;
    if (hour > Math.floor(start / 3_600)) delayed += 1;
    hours.set(hour, (hours.get(hour) ?? 0) + cost.calls);
    const waited = Math.max(worked, hour * 3_600);
    const end = waited + cost.databaseActiveMs / 1_000 + cost.calls * ASSUMPTIONS.callSeconds;
    if (kind === 'push') waits.push(end - at);
  }
  const calls = used.map((hours) => [...hours.values()].reduce((sum, count) => sum + count, 0));
  return { waits: Float64Array.from(waits).sort(), calls, delayed };
}

/** Workers share the installations; no comparison is shorter than that of the largest, which one of them makes. */
function comparison(installations: readonly number[], workers: number) {
  const { everySeconds, branches, listed, longList, longListSeconds } = COMPARISON;
  const { callSeconds, querySeconds } = ASSUMPTIONS;
  const queries = (size: number) => Math.ceil(size / branches);
  const lists = (size: number) => Math.ceil(size / listed);
  const seconds = installations.map((size) => lists(size) * callSeconds + queries(size) * querySeconds);
  const [largest = 0] = installations;
  const comparisonSeconds = Math.max(
    seconds[0] ?? 0,
    seconds.reduce((sum, one) => sum + one, 0) / (COMPARISON.installations * workers),
  );
  // The next one begins when this one has ended.
  const perHour = 3_600 / Math.max(everySeconds, comparisonSeconds);
  return {
    comparisonSeconds,
    queriesPerHour: queries(largest) * perHour,
    listsPerHour: lists(largest) * (largest > longList ? 3_600 / longListSeconds : perHour),
  };
}

/** The smallest of so many numbers, which start as zero. */
class Heap {
  readonly #values: Float64Array;

  constructor(size: number) {
    this.#values = new Float64Array(size);
  }

  peek(): number {
    return this.#values[0] ?? 0;
  }

  /** Replaces the smallest. */
  replace(value: number): void {
    const values = this.#values;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= values.length) break;
      if (child + 1 < values.length && Number(values[child + 1]) < Number(values[child])) child += 1;
      if (Number(values[child]) >= value) break;
      values[at] = Number(values[child]);
      at = child;
    }
    values[at] = value;
  }
}

function find(until: Float64Array, value: number): number {
  let low = 0;
  let high = until.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (Number(until[middle]) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The linear congruential generator of POSIX's example of rand(). */
function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x80000000;
  };
}

function quantile(sorted: Float64Array, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? 0;
}
