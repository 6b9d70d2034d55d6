import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { parseQuery } from '../../src/content/search/index.ts';
import { type BodyOf, operations, type SearchResult } from '../../src/contract/index.ts';
import { loadRevision, loadSpace, searchSpaces } from '../../src/store/index.ts';
import { createMember } from './create-member.ts';
import { startPlatform, type TestPlatform } from './start-platform.ts';

interface Table {
  readonly language: BodyOf<typeof operations.createSpace>['language'];
  readonly files: Readonly<Record<string, string>>;
  readonly searches: readonly { readonly query: string; readonly finds: readonly string[] }[];
}

const file = new URL('../../fixtures/platform/search.yaml', import.meta.url);
const table: Table = parse(readFileSync(file, 'utf8'));

let platform: TestPlatform;
let spaceId: string;

beforeAll(async () => {
  platform = await startPlatform();
  const space = await platform.client.call(operations.createSpace, {
    params: { organizationId: platform.organizationId },
    body: { title: 'Searched', language: table.language },
  });
  spaceId = space.id;
  const { repo, url } = await platform.createRepo('searched');
  await repo.commit(table.files);
  const operation = await platform.importBranch(spaceId, { url });
  expect(operation.state).toBe('success');
});

afterAll(() => platform?.close());

async function search(query: string, more: Record<string, unknown> = {}): Promise<readonly SearchResult[]> {
  const { items } = await platform.client.call(operations.searchSpace, {
    params: { spaceId },
    query: { query, ...more },
  });
  return items;
}

function tell({ path, sections }: SearchResult): string {
  const fragments = sections.flatMap((one) => (one.path.includes('#') ? [one.id] : []));
  return [path, ...(fragments.length === 0 ? [] : ['>', ...fragments])].filter(Boolean).join(' ');
}

describe('search of a space', () => {
  it.each(table.searches)('$query', async ({ query, finds }) => {
    expect((await search(query)).map(tell)).toEqual(finds);
  });

  it('returns the location of a page and the matching text', async () => {
    const [page] = await search('geneve');
    expect(page).toMatchObject({
      title: 'Zürich & Geneva',
      ancestors: [{ title: 'Installation' }],
      sections: [{ title: 'Zürich & Geneva', body: 'Cafés in Zürich and Genève: crème brûlée.' }],
    });
    const [code] = await search('picture');
    expect(code?.sections[0]?.body).toBe(
      'Call getUserName and some_other_name, version 1.5.2. a picture & more',
    );
  });

  it('ranks pages whose titles match among all of them, and also where it ranks only some', async () => {
    const { db } = platform.deps;
    const space = await loadSpace(db, spaceId);
    const revision = await loadRevision(db, spaceId, space?.revisionId ?? '');
    if (revision === null) throw new Error('The space has no content.');
    const scope = { spaceId, historyId: revision.historyId, version: revision.version, language: 'simple' };
    const find = async (candidates: number | null) => {
      const range = { after: null, limit: 1, perSpace: 50, candidates };
      const found = await searchSpaces(db, [scope], { terms: parseQuery('zurich'), mode: 'all' }, range);
      return found.rows.flatMap(({ pages }) => pages.map(({ pageId, score }) => ({ pageId, score })));
    };
    const all = await find(null);
    expect(all.length).toBeGreaterThan(0);
    expect(await find(1_000)).toEqual(all);
    expect((await find(1)).map(({ pageId }) => pageId)).toContain(all[0]?.pageId);
  });

  it('returns all pages of results from the revision of the first', async () => {
    const whole = await search('shovel brulee');
    const params = { spaceId };
    const first = await platform.client.call(operations.searchSpace, {
      params,
      query: { query: 'shovel brulee', limit: 1 },
    });
    expect(first.count).toBe(3);
    const { repo, url } = await platform.createRepo('searched-later');
    await repo.commit({ ...table.files, 'guide/install.md': '# Installation\n\nNothing here.' });
    await platform.importBranch(spaceId, { url });
    const items = [...first.items];
    for (let { next } = first; next !== undefined; ) {
      const page = await platform.client.call(operations.searchSpace, {
        params,
        query: { query: 'shovel brulee', limit: 1, page: next.page },
      });
      items.push(...page.items);
      next = page.next;
    }
    expect(items.map(tell)).toEqual(whole.map(tell));
    expect((await search('shovel')).map(tell)).toEqual(['> what-you-need']);
  });

  it('orders equal hits by title, then by their paths', async () => {
    const equal = await platform.createSpace('Equal');
    const { repo, url } = await platform.createRepo('equal');
    const names = ['c', 'a', 'e', 'b', 'd'];
    await repo.commit(Object.fromEntries(names.map((name) => [`${name}.md`, '# Same\n\nA heron waits.\n'])));
    await platform.importBranch(equal, { url });
    for (const query of ['heron', 'ero']) {
      const paths: string[] = [];
      for (let page = ''; ; ) {
        const { body } = await platform.api('GET', `/spaces/${equal}/search?query=${query}&limit=2${page}`);
        paths.push(...body.items.map((one: SearchResult) => one.path));
        if (!body.next) break;
        page = `&page=${body.next.page}`;
      }
      expect(paths).toEqual(['a', 'b', 'c', 'd', 'e']);
    }
  });

  it('of an organization finds the spaces that the caller may see', async () => {
    const other = await platform.createSpace('Other');
    const { repo, url } = await platform.createRepo('other');
    await repo.commit({ 'README.md': '# Llamas\n\nThey eat grass.' });
    await platform.importBranch(other, { url });
    const params = { organizationId: platform.organizationId };
    const found = await platform.client.call(operations.searchOrganization, {
      params,
      query: { query: 'llamas' },
    });
    expect(found.items.map(({ title, pages }) => [title, pages.map((page) => page.title)])).toEqual([
      ['Other', ['Llamas']],
      ['Searched', ['Home']],
    ]);
    const path = `/orgs/${platform.organizationId}/search?query=llamas&limit=1`;
    const first = await platform.api('GET', path);
    expect([first.status, first.body.count, first.body.items.length]).toEqual([200, 2, 1]);
    const rest = await platform.api('GET', `${path}&page=${first.body.next.page}`);
    expect(rest.body.items.map(({ title }: { title: string }) => title)).toEqual(['Searched']);
    expect(rest.body.next).toBeUndefined();
  });

  it('of an organization searches each space in its language, and shows guests only what they were granted', async () => {
    const { api, client, organizationId } = platform;
    const { repo, url } = await platform.createRepo('growing');
    await repo.commit({ 'README.md': '# Gärten\n\nDie Kiefern wachsen.\n' });
    const create = async (title: string, language?: 'de' | 'fr') => {
      const body = { title, ...(language === undefined ? {} : { language }) };
      const { id } = await client.call(operations.createSpace, { params: { organizationId }, body });
      await platform.importBranch(id, { url });
      return id;
    };
    await create('French', 'fr');
    const german = await create('German', 'de');
    await create('Of no language');
    const guest = await createMember(platform, 'Guest', { role: null });
    const titlesOf = async (query: string, token?: string) => {
      const path = `/orgs/${organizationId}/search?query=${encodeURIComponent(query)}`;
      const { body } = await api('GET', path, token === undefined ? {} : { token });
      return body.items.map(({ title }: { title: string }) => title);
    };
    expect((await titlesOf('Kiefern')).toSorted()).toEqual(['French', 'German', 'Of no language']);
    expect((await titlesOf('Gartens')).toSorted()).toEqual(['French', 'German']);
    expect(await titlesOf('Kiefern', guest.token)).toEqual([]);
    await api('POST', `/spaces/${german}/permissions`, { body: { role: 'read', users: [guest.userId] } });
    expect(await titlesOf('Kiefern', guest.token)).toEqual(['German']);
  });
});

it('names pages whose text is not found as a whole, also after pushes that do not change them', async () => {
  const { repo, url } = await platform.createRepo('long');
  const space = await platform.createSpace('Long');
  const headings = Array.from({ length: 1_100 }, (_, at) => `## h${at}\n`).join('\n');
  const notice = {
    code: 'unread',
    path: 'long.md',
    message: 'The page has more than 1000 sections; search does not find the text of the others. Split it.',
  };
  await repo.commit({ 'README.md': '# A\n', 'long.md': headings });
  expect(await platform.importBranch(space, { url })).toMatchObject({
    notices: { count: 1, items: [notice] },
  });
  await repo.commit({ 'README.md': '# B\n' });
  expect(await platform.importBranch(space, { url })).toMatchObject({
    notices: { count: 1, items: [notice] },
  });
  await repo.commit({ 'long.md': '# Short\n' });
  expect(await platform.importBranch(space, { url })).not.toHaveProperty('notices');
});
