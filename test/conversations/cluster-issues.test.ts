import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ClusterableIssue, clusterIssues } from '../../src/conversations/cluster-issues.ts';
import { countStems, describeCluster } from '../../src/conversations/describe-cluster.ts';
import { matchClusters } from '../../src/conversations/match-clusters.ts';
import { isWhole } from '../support/describe-at-length.ts';
import { processorTime } from '../support/processor-time.ts';
import { propertyRuns } from '../support/property-runs.ts';

const issue = (key: string, title: string, summary = title): ClusterableIssue => ({ key, title, summary });

const ISSUES = [
  issue('a1', 'How do I export a space as PDF?'),
  issue('a2', 'PDF export has no images'),
  issue('a3', 'Exporting to PDF fails for large spaces'),
  issue('b1', 'Can I sign in with SAML?'),
  issue('b2', 'SAML login loops'),
  issue('b3', 'Sign in with SAML shows an error'),
  issue('c1', 'Webhook retries'),
];

test('issues about the same are a cluster, and one that resembles no other is in none', () => {
  expect(clusterIssues(ISSUES).map((keys) => [...keys].sort())).toEqual([
    ['a1', 'a2', 'a3'],
    ['b1', 'b2', 'b3'],
  ]);
});

test('what very many ask is a cluster, too, although its words are common then', () => {
  const asked = Array.from({ length: 90 }, (_, at) =>
    issue(
      `k${String(at).padStart(2, '0')}`,
      [
        `How do I rotate the lamp token ${at}?`,
        `Export of invoices as PDF ${at} is empty`,
        `Login loop ${at}`,
      ][at % 3] ?? '',
    ),
  );
  expect(clusterIssues(asked).map((keys) => keys.length)).toEqual([30, 30, 30]);
});

test('a cluster is called by its terms, and summed up by its titles', () => {
  const frequency = { of: countStems(ISSUES), total: ISSUES.length };
  const described = describeCluster(ISSUES.slice(0, 3), frequency);
  expect(described).toMatchObject({ label: 'Export, PDF, spaces', icon: 'file-export' });
  expect(described.summary).toMatch(/^How do I export a space as PDF\? PDF export/);
  expect(describeCluster(ISSUES.slice(3, 6), frequency).icon).toBe('lock');
});

const words = fc.constantFrom(
  'pdf',
  'export',
  'saml',
  'login',
  'image',
  'sidebar',
  'search',
  'slow',
  '画面を移動',
  'the',
);
const titles = fc.array(words, { maxLength: 5 }).map((list) => list.join(' '));
const issues = fc.uniqueArray(
  fc.record({ key: fc.string({ minLength: 1, maxLength: 4 }), title: titles, summary: titles }),
  {
    selector: ({ key }) => key,
    maxLength: 40,
  },
);

test('clusters depend on the issues, not on their order', () => {
  const shuffled = issues.chain((list) =>
    fc.record({
      list: fc.constant(list),
      other: fc.shuffledSubarray(list, { minLength: list.length, maxLength: list.length }),
    }),
  );
  fc.assert(
    fc.property(shuffled, ({ list, other }) => {
      const clusters = clusterIssues(list);
      expect(clusterIssues(other)).toEqual(clusters);
      const members = clusters.flat();
      expect(new Set(members).size).toBe(members.length);
      expect(clusters.every((keys) => keys.length > 1)).toBe(true);
    }),
    propertyRuns(100),
  );
});

test('equal issues are always together', () => {
  fc.assert(
    fc.property(issues, (list) => {
      const twice = [...list, ...list.map((one) => ({ ...one, key: `${one.key}-again` }))];
      const clusters = clusterIssues(twice);
      for (const keys of clusters)
        for (const key of keys)
          if (list.some((one) => one.key === key)) expect(keys).toContain(`${key}-again`);
    }),
    propertyRuns(50),
  );
});

test('a name of code is the same as its words, and stands in the label as it is written', () => {
  const named = [
    issue('a1', 'ScrollArea jumps to the top'),
    issue('a2', 'The scroll-area leaks memory'),
    issue('a3', 'useScrollArea throws'),
    issue('b1', 'Webhook retries'),
  ];
  expect(clusterIssues(named).map((keys) => [...keys].sort())).toEqual([['a1', 'a2', 'a3']]);
  const frequency = { of: countStems(named), total: named.length };
  expect(describeCluster(named.slice(0, 1), frequency).label).toBe('Jumps, ScrollArea, top');
});

test('a cluster goes on under the id of which it has the most issues', () => {
  const earlier = new Map([
    ['a', '1'],
    ['b', '1'],
    ['c', '1'],
    ['d', '2'],
  ]);
  expect(
    matchClusters(earlier, [
      ['a', 'd'],
      ['b', 'c', 'e'],
      ['f', 'g'],
    ]),
  ).toEqual(['2', '1', null]);
  expect(matchClusters(earlier, [['a', 'b', 'c', 'd', 'e']])).toEqual(['1']);
});

test('many issues about 100 topics are grouped within seconds', async () => {
  const count = isWhole('10,000 issues about 100 topics') ? 10_000 : 2_000;
  const many = Array.from({ length: count }, (_, at) =>
    issue(
      `k${at}`,
      `How to topic${at % 100} with thing${at % 7}`,
      `It says code${(at * 7) % 1000} on page${at % 500}`,
    ),
  );
  let clusters: ReturnType<typeof clusterIssues> = [];
  const time = await processorTime(() => {
    clusters = clusterIssues(many);
  });
  expect(time).toBeLessThan(30_000);
  const mixed = clusters.filter((keys) => new Set(keys.map((key) => Number(key.slice(1)) % 100)).size > 1);
  expect(mixed.length).toBeLessThan(clusters.length / 10);
});
