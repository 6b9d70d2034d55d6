import type { Labels, Metric, Sample } from './exposition.ts';

/** Counts events of this process since its start, by labels. */
export interface Counter {
  add(labels: Labels): void;
  collect(): Metric;
}

export function openCounter(name: string, help: string): Counter {
  const counts = new Map<string, { readonly labels: Labels; value: number }>();
  return {
    add(labels) {
      const key = JSON.stringify(labels);
      const known = counts.get(key) ?? { labels, value: 0 };
      known.value += 1;
      counts.set(key, known);
    },
    collect: () => ({ name, help, type: 'counter', samples: [...counts.values()] }),
  };
}

/** Durations in this process, in seconds, by labels. */
export interface Histogram {
  observe(labels: Labels, seconds: number): void;
  collect(): Metric;
}

/** In seconds: from a short query to a very large import. */
const BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

interface Series {
  readonly labels: Labels;
  readonly buckets: number[];
  sum: number;
  count: number;
}

export function openHistogram(name: string, help: string): Histogram {
  const series = new Map<string, Series>();
  return {
    observe(labels, seconds) {
      const key = JSON.stringify(labels);
      const known = series.get(key) ?? { labels, buckets: BUCKETS.map(() => 0), sum: 0, count: 0 };
      for (const [at, limit] of BUCKETS.entries())
        if (seconds <= limit) known.buckets[at] = (known.buckets[at] ?? 0) + 1;
      known.sum += seconds;
      known.count += 1;
      series.set(key, known);
    },
    collect: () => ({ name, help, type: 'histogram', samples: [...series.values()].flatMap(samplesOf) }),
  };
}

function samplesOf({ labels, buckets, sum, count }: Series): Sample[] {
  return [
    ...BUCKETS.map((le, at) => ({ suffix: '_bucket', labels: { ...labels, le }, value: buckets[at] ?? 0 })),
    { suffix: '_bucket', labels: { ...labels, le: '+Inf' }, value: count },
    { suffix: '_sum', labels, value: sum },
    { suffix: '_count', labels, value: count },
  ];
}
