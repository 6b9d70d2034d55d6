/**
 * Measures what becomes of conversations. Clusters of titles with known groups, by the adjusted Rand index: 1 is the same
 * groups, 0 what chance would give; the floors are one cluster per title and one for all. Without a model, and with one that
 * stands in for it: it names each issue by the title, and summarizes it by the words in its identifiers. The titles are those
 * of `fixtures/conversations/`, and of the file that `BENCH_TITLES` names: YAML with a list of titles by group, such as public
 * issues by their label; what is in the group `other` belongs to none. Then how long grouping takes as issues become more, as
 * a multiple of the time for 1,000. Last, how much longer redaction takes on a text that is twice as long: 2 is linear.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse } from 'yaml';
import { clusterIssues, extractIssue, type Issue, redactText } from '../src/conversations/index.ts';
import { extractByModel } from '../src/platform/conversations/extract-by-model.ts';
import type { Model } from '../src/platform/models/open-model.ts';
import { makeConversations } from '../test/platform/conversations/shake-conversations.ts';
import { hostileTexts } from '../test/support/hostile-texts.ts';

const SIZES = [1_000, 10_000, Number(process.env['BENCH_CONVERSATIONS'] ?? 50_000)];

export async function run(): Promise<void> {
  const titles = process.env['BENCH_TITLES'];
  const own = new URL('../fixtures/conversations/labelled-titles.yaml', import.meta.url);
  console.log('titles | clusters | adjusted Rand index');
  await compareWithGroups('our own', readFileSync(own, 'utf8'));
  if (titles === undefined) console.log('public issues: skipped, since BENCH_TITLES names no file');
  else await compareWithGroups('public issues', readFileSync(resolve(titles), 'utf8'));
  measureSizes();
  measureRedaction();
}

async function compareWithGroups(name: string, text: string): Promise<void> {
  const groups = Object.entries(parse(text) as Record<string, string[]>);
  const titles = groups.flatMap(([group, of]) => of.map((title, at) => ({ key: `${group} ${at}`, title })));
  // What belongs to no group is a group of its own, as is what is in no cluster.
  const groupOf = (key: string) => (key.startsWith('other ') ? key : key.replace(/ \d+$/, ''));
  const truth = titles.map(({ key }) => groupOf(key));
  const report = (way: string, labels: readonly string[]) =>
    console.log(`${titles.length}, ${name} | ${way} | ${adjustedRandIndex(truth, labels).toFixed(3)}`);
  report(
    'one for each title',
    titles.map(({ key }) => key),
  );
  report(
    'one for all',
    titles.map(() => ''),
  );
  for (const [way, issueOf] of [
    ['without a model', (title: string) => [extractIssue(title, [{ role: 'user', body: title }])]],
    ['with a stand-in for a model', extractByStandIn],
  ] as const) {
    const issues = await Promise.all(
      titles.map(async ({ key, title }) => {
        const [issue = { title, summary: title }] = await issueOf(title);
        return { key, title: issue.title, summary: issue.summary };
      }),
    );
    const clusters = clusterIssues(issues);
    const clusterOf = new Map(clusters.flatMap((keys, at) => keys.map((key) => [key, String(at)] as const)));
    report(
      `${way} (${clusters.length})`,
      issues.map(({ key }) => clusterOf.get(key) ?? key),
    );
  }
}

/** Through the checks that the answers of a model go through; what they refuse is made without it. */
async function extractByStandIn(title: string): Promise<readonly Issue[]> {
  const messages = [{ role: 'user', body: title }] as const;
  const issues = await extractByModel(
    { model: standIn, organizationId: '', guidance: '' },
    { subject: null, messages },
    { signal: AbortSignal.timeout(60_000) },
  );
  return issues ?? [extractIssue(title, messages)];
}

const standIn = {
  name: 'stand-in',
  async complete({ data }: { data: unknown }) {
    const { messages } = data as { messages: { text: string }[] };
    const text = messages[0]?.text ?? '';
    const words = text.match(/[\p{L}\p{N}]+/gu) ?? [];
    const inside = words.flatMap((word) => word.match(/\p{Lu}?\p{Ll}+/gu) ?? word);
    const summary = [...words, ...inside].join(' ').slice(0, 500);
    return { issues: [{ title: text.slice(0, 150), summary, quotes: [text.slice(0, 300)] }] };
  },
  async close() {},
} as Model;

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

function measureRedaction(): void {
  console.log('\ntexts that almost match | ms | twice as long');
  const timeOf = (text: string) => {
    const start = performance.now();
    redactText(text);
    return performance.now() - start;
  };
  const [short, long] = [hostileTexts(50_000), hostileTexts(100_000)];
  for (const [at, text] of short.entries()) {
    timeOf(text);
    const [once, twice] = [timeOf(text), timeOf(long[at] ?? '')];
    console.log(`${text.slice(0, 12).trim()}… | ${once.toFixed(1)} | ${(twice / once).toFixed(1)}`);
  }
}
