import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type KnownPages, listPages, listPagesSince, loadRevision, newId } from '../../../src/store/index.ts';
import { testAtLength } from '../../support/describe-at-length.ts';
import { startPlatform, type TestPlatform } from '../start-platform.ts';
import { withEmbeddedIds } from './with-embedded-ids.ts';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform.close());

async function rowsOf(table: string): Promise<number> {
  const found = await platform.deps.db.execute(
    sql`select count(*)::int as rows from ${sql.identifier(table)}`,
  );
  return found.rows[0]?.['rows'] as number;
}

const tables = ['pages', 'files', 'entries', 'links'];

async function countRows(): Promise<Record<string, number>> {
  return Object.fromEntries(
    await Promise.all(tables.map(async (table) => [table, await rowsOf(table)] as const)),
  );
}

/** All that the API tells of a revision, as one value. */
async function readAll(spaceId: string, revision: string): Promise<unknown> {
  const place = `/spaces/${spaceId}/revisions/${revision}`;
  const { body } = await platform.api('GET', place);
  const links = await platform.api('GET', `${place}/links?limit=1000`);
  return withEmbeddedIds({ body, links: links.body });
}

it('a push writes what it changed, and every earlier revision stays as it was', async () => {
  const { repo, url } = await platform.createRepo('history');
  const many = Object.fromEntries(
    Array.from({ length: 40 }, (_, at) => [
      `docs/p${at}.md`,
      `# Page ${at}\n\n[next](p${(at + 1) % 40}.md#x)\n`,
    ]),
  );
  await repo.commit({ ...many, 'docs/README.md': '# Home\n', 'docs/a.png': 'picture', 'code.c': 'int x;\n' });
  const spaceId = await platform.createSpace();
  const request = { url, repoProjectDirectory: 'docs' };
  const first = await platform.importBranch(spaceId, request);
  expect(first).toMatchObject({ state: 'success', counts: { pages: 41, files: 1, links: 40, broken: 40 } });
  const firstRead = await readAll(spaceId, first.revision as string);
  const before = await countRows();

  await repo.commit({ 'docs/p7.md': '# Page 7\n\n## x\n\n[next](p8.md#x), [home](README.md)\n' });
  const second = await platform.importBranch(spaceId, request);
  expect(second.counts).toMatchObject({ links: 41, broken: 39 });
  const after = await countRows();
  // The page itself; the tree's entries of it and of the page that links to its new heading; their two sets of links.
  expect(after).toEqual({
    pages: (before['pages'] as number) + 1,
    files: before['files'],
    entries: (before['entries'] as number) + 2,
    links: (before['links'] as number) + 3,
  });
  expect(await readAll(spaceId, first.revision as string)).toEqual(firstRead);
  const secondRead = await readAll(spaceId, second.revision as string);

  await repo.commit({
    'docs/p7.md': null,
    'docs/moved/p7.md': '# Page 7\n\n## x\n\n[next](p8.md#x), [home](README.md)\n',
  });
  await platform.importBranch(spaceId, { ...request, standalone: true });
  await repo.commit({ 'docs/a.png': null, 'docs/new.md': '# New\n\n[dot](a.png)\n' });
  const last = await platform.importBranch(spaceId, request);
  expect(last.counts).toMatchObject({ pages: 42, files: 0 });
  expect(await readAll(spaceId, first.revision as string)).toEqual(firstRead);
  expect(await readAll(spaceId, second.revision as string)).toEqual(secondRead);
});

it('a push of files that are not shown in the space creates no revision, but updates the tree', async () => {
  const { repo, url } = await platform.createRepo('outside');
  await repo.commit({ 'docs/README.md': '# Home\n\n[code](../code.c)\n', 'code.c': 'int x;\n' });
  const spaceId = await platform.createSpace();
  const request = { url, repoProjectDirectory: 'docs' };
  const first = await platform.importBranch(spaceId, request);
  const entries = await rowsOf('entries');
  await repo.commit({ 'code.c': 'int y;\n', 'more.c': 'int z;\n' });
  const second = await platform.importBranch(spaceId, request);
  expect(second).toMatchObject({ state: 'success', revision: first.revision });
  expect(await rowsOf('entries')).toBe(entries + 1);
  await repo.commit({ 'code.c': null });
  expect(await platform.importBranch(spaceId, request)).toMatchObject({ counts: { broken: 1 } });
});

testAtLength(
  'pages that are known of any other version make those of a version, in the same order',
  async () => {
    const { db } = platform.deps;
    const { repo, url } = await platform.createRepo('known');
    const spaceId = await platform.createSpace();
    const steps: readonly Readonly<Record<string, string | null>>[] = [
      { 'README.md': '# Home\n', 'a/one.md': '# One\n', 'a/two.md': '# Two\n', 'b.md': '# B\n' },
      { 'a/one.md': '# First\n' },
      { 'b.md': null, 'a/b.md': '# B\n', 'c/d/e.md': '# E\n' },
      { 'a/two.md': null, 'a/one.md': null, 'a/b.md': null },
      { 'a/two.md': '# Two\n', 'SUMMARY.md': '* [Two](a/two.md)\n* [Home](README.md)\n' },
    ];
    const versions: KnownPages[] = [];
    for (const step of steps) {
      await repo.commit(step);
      const { revision: id } = await platform.importBranch(spaceId, { url });
      const revision = await loadRevision(db, spaceId, id as string);
      if (revision === null) throw new Error('The import made no revision.');
      versions.push({ revision, rows: await listPages(db, revision) });
    }
    for (const { revision, rows } of versions)
      for (const known of versions) expect(await listPagesSince(db, revision, known)).toEqual(rows);

    const [first, , , , last] = versions as [KnownPages, KnownPages, KnownPages, KnownPages, KnownPages];
    // What is known of a version that is not stored any more may lack what was deleted with it.
    const gone = { revision: { ...first.revision, id: newId() }, rows: [] };
    expect(await listPagesSince(db, last.revision, gone)).toEqual(last.rows);
    const foreign = { revision: { ...first.revision, historyId: newId() }, rows: [] };
    expect(await listPagesSince(db, last.revision, foreign)).toEqual(last.rows);
  },
);
