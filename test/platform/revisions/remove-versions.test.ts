import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findMovedPage, loadContentIds } from '../../../src/store/index.ts';
import { removeOldVersions } from '../../../src/store/remove-versions.ts';
import { testAtLength } from '../../support/describe-at-length.ts';
import { startPlatform, type TestPlatform } from '../start-platform.ts';
import { withEmbeddedIds } from './with-embedded-ids.ts';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform.close());

const signal = AbortSignal.timeout(100_000);
const kept = { newest: 2, days: 100, standaloneDays: 100 };

/** All that the API tells of a revision, as one value; its status alone when it tells nothing. */
async function readAll(spaceId: string, revision: string): Promise<unknown> {
  const place = `/spaces/${spaceId}/revisions/${revision}`;
  const { status, body } = await platform.api('GET', place);
  if (status !== 200) return status;
  const [links, files] = await Promise.all(
    ['links', 'files'].map((list) => platform.api('GET', `${place}/${list}?limit=1000`)),
  );
  return withEmbeddedIds({ body, links: links?.body, files: files?.body });
}

async function count(table: string): Promise<number> {
  const { rows } = await platform.deps.db.execute(
    sql`select count(*)::int as n from ${sql.identifier(table)}`,
  );
  return rows[0]?.['n'] as number;
}

async function age(days: number): Promise<void> {
  await platform.deps.db.execute(
    sql`update revisions set created_at = created_at - make_interval(days => ${days})`,
  );
}

it('revisions that are still needed stay as they were, others are deleted with their rows, and imports continue', async () => {
  const { repo, url } = await platform.createRepo('tidy');
  const spaceId = await platform.createSpace();
  const request = { url, repoProjectDirectory: 'docs' };
  const page = (at: number, turn: number) =>
    `# Page ${at}\n\nTurn ${turn}.\n\n[next](p${(at + turn) % 6}.md) [gone](g${turn}.md) ![](dot.png)\n`;
  const shown: string[] = [];
  for (let turn = 0; turn < 6; turn += 1) {
    await repo.commit({
      [`docs/p${turn}.md`]: page(turn, turn),
      [`docs/p${(turn * 2) % 6}.md`]: page((turn * 2) % 6, turn),
      'docs/dot.png': `picture ${turn}`,
      ...(turn === 4 ? { 'docs/p1.md': null, 'docs/moved/p1.md': page(1, 1) } : {}),
    });
    shown.push((await platform.importBranch(spaceId, request)).revision as string);
  }
  await repo.commit({ 'docs/alone.md': '# Alone\n' }, { branch: 'side' });
  const standalone = await platform.importBranch(spaceId, {
    ...request,
    ref: 'refs/heads/side',
    standalone: true,
  });
  const propose = async (text: string): Promise<string> => {
    const { body } = await platform.api('POST', `/spaces/${spaceId}/change-requests`, { body: {} });
    const place = `/spaces/${spaceId}/change-requests/${body.id}`;
    for (const one of [`${text} once`, text]) {
      const changes = [{ type: 'write', path: 'docs/p0.md', text: `# ${one}\n` }];
      expect((await platform.api('POST', `${place}/content`, { body: { changes } })).status).toBe(200);
    }
    return (await platform.api('GET', place)).body.revision;
  };
  const proposed = await propose('Proposed');
  await age(200);
  await repo.commit({ 'docs/young.md': '# Young\n' });
  shown.push((await platform.importBranch(spaceId, request)).revision as string);

  const all = [...shown, standalone.revision as string, proposed];
  const before = new Map(await Promise.all(all.map(async (id) => [id, await readAll(spaceId, id)] as const)));
  const [entries, links] = [await count('entries'), await count('links')];
  const { db } = platform.deps;
  const removed = await removeOldVersions(db, signal, kept);

  // The current one and the one before it (`newest`), the base of the change request, which is the latter, and its head.
  const stay = [shown[6], shown[5], proposed];
  for (const id of all) {
    expect(await readAll(spaceId, id), id).toEqual(stay.includes(id) ? before.get(id) : 404);
  }
  expect(removed).toBeGreaterThan(5);
  expect(await count('entries')).toBeLessThan(entries);
  expect(await count('links')).toBeLessThan(links);
  expect(await removeOldVersions(db, signal, kept)).toBe(0);

  // Old pages and an old picture come back.
  await repo.commit({ 'docs/p3.md': page(3, 0), 'docs/dot.png': 'picture 0' });
  const next = await platform.importBranch(spaceId, request);
  expect(next).toMatchObject({ state: 'success', counts: { files: 1 } });
  for (const id of stay) expect(await readAll(spaceId, id as string)).toEqual(before.get(id as string));
});

it('proposed revisions do not displace those that readers saw', async () => {
  const spaceId = await platform.createSpace();
  const propose = async () =>
    (await platform.api('POST', `/spaces/${spaceId}/change-requests`, { body: {} })).body.id;
  const write = (id: string, text: string) =>
    platform.api('POST', `/spaces/${spaceId}/change-requests/${id}/content`, {
      body: { changes: [{ type: 'write', path: 'README.md', text }] },
    });
  const live = async () => (await platform.api('GET', `/spaces/${spaceId}`)).body.revision as string;
  const shown: string[] = [];
  for (const text of ['# One\n', '# Two\n']) {
    const id = await propose();
    await write(id, text);
    await platform.api('POST', `/spaces/${spaceId}/change-requests/${id}/merge`);
    shown.push(await live());
  }
  const open = await propose();
  for (const text of ['# A\n', '# B\n', '# C\n', '# D\n']) await write(open, text);
  await age(200);
  await removeOldVersions(platform.deps.db, signal, kept);
  for (const id of shown) {
    expect((await platform.api('GET', `/spaces/${spaceId}/revisions/${id}`)).status).toBe(200);
  }
});

testAtLength('ids and former addresses are deleted with the last revision that has their page', async () => {
  const { repo, url } = await platform.createRepo('ids');
  const spaceId = await platform.createSpace();
  const steps: readonly Readonly<Record<string, string | null>>[] = [
    { 'README.md': '# Home\n', 'gone.md': '# Gone\n', 'old.md': '# Moved\n\nText.\n' },
    { 'gone.md': null, 'left.md': '# Gone\n', 'old.md': null, 'new.md': '# Moved\n\nText.\n' },
    { 'left.md': null },
    { 'README.md': '# Home again\n' },
    { 'README.md': '# Home at last\n' },
  ];
  for (const step of steps) {
    await repo.commit(step);
    expect((await platform.importBranch(spaceId, { url })).state).toBe('success');
  }
  const { db } = platform.deps;
  const paths = async () => (await loadContentIds(db, spaceId)).map(({ gitPath }) => gitPath);
  const idOf = async (path: string) =>
    (await loadContentIds(db, spaceId)).find(({ gitPath }) => gitPath === path)?.id;
  const [home, moved] = [await idOf('README.md'), await idOf('new.md')];
  expect(await paths()).toContain('left.md');
  expect(await findMovedPage(db, spaceId, 'old')).toBe(moved);
  expect(await findMovedPage(db, spaceId, 'gone')).not.toBeNull();

  await age(200);
  await removeOldVersions(db, signal, kept);
  expect(await paths()).not.toContain('left.md');
  expect([await idOf('README.md'), await idOf('new.md')]).toEqual([home, moved]);
  expect(await findMovedPage(db, spaceId, 'old')).toBe(moved);
  expect(await findMovedPage(db, spaceId, 'gone')).toBeNull();

  await repo.commit({ 'left.md': '# Back\n' });
  expect((await platform.importBranch(spaceId, { url })).state).toBe('success');
  expect([await idOf('README.md'), await idOf('new.md')]).toEqual([home, moved]);
  expect(await idOf('left.md')).toBeDefined();
});
