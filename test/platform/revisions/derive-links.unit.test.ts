import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { doAtOnce, doInTurns } from '../../../src/content/engine/index.ts';
import { deriveLinkSet } from '../../../src/platform/revisions/derive-links.ts';
import { analysisOf } from '../../content/analysis-of.ts';
import { turnsDuring } from '../../support/turns-during.ts';

const targets = { pageIds: new Map([['b.md', 'b']]), fileIds: new Map<string, string>(), treeUrl: undefined };

const linksOf = (count: number) =>
  analysisOf({ files: { 'a.md': '[x](b.md) [y](c.md) '.repeat(count / 2), 'b.md': '' } }).links;

it('names a set of links by all of its rows, however many', () => {
  for (const count of [2, 250, 252, 1_000]) {
    const { id, rows } = doAtOnce(deriveLinkSet(linksOf(count), targets));
    expect(rows.map(({ ordinal }) => ordinal)).toEqual(rows.map((_, at) => at));
    expect(rows).toHaveLength(count);
    expect(id).toBe(createHash('sha256').update(JSON.stringify(rows)).digest('base64url').slice(0, 24));
  }
});

it('lets others use the thread while it derives many links', async () => {
  const { turns, result } = await turnsDuring(doInTurns(deriveLinkSet(linksOf(20_000), targets)));
  expect(result.counts).toMatchObject({ links: 20_000, broken: 10_000 });
  expect(turns).toBeGreaterThanOrEqual(30);
});
