/**
 * Measures what becomes of conversations. Clusters of titles with known groups (`fixtures/conversations/`), by the adjusted
 * Rand index: 1 is the same groups, 0 what chance would give; the floors are one cluster per title and one for all. Then how
 * long grouping takes as issues become more, as a multiple of the time for 1,000.
 */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { clusterIssues, extractIssue } from '../src/conversations/index.ts';
import { makeConversations } from '../test/platform/conversations/shake-conversations.ts';

const SIZES = [1_000, 10_000, Number(process.env['BENCH_CONVERSATIONS'] ?? 50_000)];

export async function run(): Promise<void> {
  compareWithGroups();
  measureSizes();
}

function compareWithGroups(): void {
  const file = new URL('../fixtures/conversations/labelled-titles.yaml', import.meta.url);
  const groups = Object.entries(parse(readFileSync(file, 'utf8')) as Record<string, string[]>);
  const issues = groups.flatMap(([group, titles]) =>
    titles.map((title, at) => ({ key: `${group} ${at}`, title, summary: title })),
  );
  // What belongs to no group is a group of its own, as is what is in no cluster.
  const groupOf = (key: string) => (key.startsWith('other ') ? key : key.replace(/ \d+$/, ''));
  const truth = issues.map(({ key }) => groupOf(key));
  const clusters = clusterIssues(issues);
  const clusterOf = new Map(clusters.flatMap((keys, at) => keys.map((key) => [key, String(at)] as const)));
  const found = issues.map(({ key }) => clusterOf.get(key) ?? key);
  console.log('clusters | of titles | adjusted Rand index');
  for (const [name, labels] of [
    ['one for each title', issues.map(({ key }) => key)],
    ['one for all', issues.map(() => '')],
    [`by shared words (${clusters.length})`, found],
  ] as const)
    console.log(`${name} | ${issues.length} | ${adjustedRandIndex(truth, labels).toFixed(3)}`);
}

/** https://en.wikipedia.org/wiki/Rand_index#Adjusted_Rand_index */
function adjustedRandIndex(truth: readonly string[], labels: readonly string[]): number {
  const pairs = (counts: Iterable<number>) => [...counts].reduce((sum, n) => sum + (n * (n - 1)) / 2, 0);
  const count = (keys: readonly string[]) => {
    const counts = new Map<string, number>();
    for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
    return counts.values();
  };
  const both = pairs(count(truth.map((group, at) => JSON.stringify([group, labels[at]]))));
  const [inTruth, inLabels] = [pairs(count(truth)), pairs(count(labels))];
  const expected = (inTruth * inLabels) / pairs([truth.length]);
  const most = (inTruth + inLabels) / 2;
  return most === expected ? 1 : (both - expected) / (most - expected);
}

function measureSizes(): void {
  console.log('\nissues | clusters | ms | times 1,000');
  let floor = 0;
  for (const size of SIZES) {
    const issues = makeConversations(size).map(({ id, parts }, at) => {
      const { title, summary } = extractIssue(null, parts);
      // A word of its own, so that no two issues are the same.
      return { key: id, title: `${title} n${at}x`, summary };
    });
    const start = performance.now();
    const clusters = clusterIssues(issues);
    const ms = performance.now() - start;
    floor ||= ms;
    console.log(`${size} | ${clusters.length} | ${ms.toFixed(0)} | ${(ms / floor).toFixed(1)}`);
  }
}
