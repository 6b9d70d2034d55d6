import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { EmbeddedReference, LinkResource, PageResource } from '../../src/contract/index.ts';
import { testAtLength } from '../support/describe-at-length.ts';
import { startPlatform, type TestPlatform } from './start-platform.ts';

const long = Array.from({ length: 20 }, (_, at) => `A sentence with the number ${at}.`).join('\n');
const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 30 20"><script>alert(1)</script></svg>';

const files = {
  '.gitbook.yaml': 'redirects:\n  was/here: guide/start.md\n  guide/start: other.md\n',
  '.gitbook/vars.yaml': 'version: 1.5\n',
  '.gitbook/includes/note.md': '---\ntitle: Note\n---\n\nThe note.',
  '.gitbook/assets/hero.svg': svg,
  'SUMMARY.md': `# Table of contents

* [Home](README.md)
* [Start](guide/start.md)
* [Other](other.md)
* \`\`\`yaml
  type: builtin:openapi
  dependencies:
    spec:
      ref:
        kind: openapi
        spec: petstore
  \`\`\`
`,
  'README.md': `---
cover: .gitbook/assets/hero.svg
coverY: 12
noIndex: true
vars:
  region: eu
layout:
  width: wide
  outline:
    visible: false
---
# Home

{% if visitor.claims.beta %}
Beta
{% endif %}
{% if space.vars.version == "2" %}
Old
{% endif %}
Version {{ space.vars.version }} in <code class="expression">page.vars.region</code>{{ visitor.claims.plan }}, see [start](guide/start.md).
`,
  'guide/start.md': `# Start\n\n${long}\n`,
  'other.md': '# Other\n',
};

let platform: TestPlatform;
let spaceId: string;
let repo: Awaited<ReturnType<TestPlatform['createRepo']>>;

const read = async (path: string) => (await platform.api('GET', `/spaces/${spaceId}/content${path}`)).body;
const readText = async (id: string, evaluated: string): Promise<string> =>
  (await read(`/page/${id}?format=markdown&evaluated=${evaluated}`)).markdown.split('\n').at(-2);

beforeAll(async () => {
  platform = await startPlatform({ git: { program: 'git' } });
  spaceId = await platform.createSpace();
  repo = await platform.createRepo('content');
  await repo.repo.commit(files);
  const operation = await platform.importBranch(spaceId, { url: repo.url });
  expect(operation.state).toBe('success');
});

afterAll(() => platform?.close());

describe('content read from git', () => {
  it('has the variables and reusable parts of a revision, and no git fields with metadata=false', async () => {
    const content = await read('');
    expect(content.variables).toEqual({ version: '1.5' });
    expect(content.reusableContents).toMatchObject([
      { title: 'Note', git: { path: '.gitbook/includes/note.md' } },
    ]);
    const bare = await read('?metadata=false&computed=false');
    expect(JSON.stringify(bare)).not.toContain('"git"');
    expect(bare.pages.map((page: PageResource) => page.title)).toEqual(['Home', 'Start', 'Other']);
  });

  it('has the layout, cover, variables, search settings and generated pages', async () => {
    const { pages, files: all } = await read('');
    const [home, start, , computed] = pages;
    const file = all.find((one: { name: string }) => one.name === 'hero.svg');
    expect(file).toMatchObject({ contentType: 'image/svg+xml', dimensions: { width: 30, height: 20 } });
    expect(home).toMatchObject({
      layout: { width: 'wide', outline: false },
      cover: { ref: { kind: 'file', file: file.id }, yPos: 12 },
      variables: { region: 'eu' },
      noIndex: true,
      noRobotsIndex: false,
    });
    expect(start.noIndex).toBe(false);
    expect(computed).toMatchObject({
      type: 'computed',
      computed: {
        type: 'builtin:openapi',
        dependencies: { spec: { ref: { kind: 'openapi', spec: 'petstore' } } },
      },
    });
    expect(computed.computedSeed).toMatch(/^[\w-]{16}$/);
  });

  it('has groups at the top level only: others are documents without text, at their place', async () => {
    const { url, repo: own } = await platform.createRepo('groups');
    await own.commit({
      'SUMMARY.md':
        '# Contents\n\n* [Home](README.md)\n\n## Outer\n\n* [A](a.md)\n* Inner\n  * [B](b.md)\n* [C](c.md)\n',
      'README.md': '# Home\n',
      'a.md': '# A\n',
      'b.md': '# B\n',
      'c.md': '# C\n',
    });
    const id = await platform.createSpace();
    await platform.importBranch(id, { url });
    const get = async (path: string) => (await platform.api('GET', `/spaces/${id}/content${path}`)).body;
    const outer = (await get('/pages')).pages[1];
    expect([outer.type, outer.pages.map(({ title }: PageResource) => title)]).toEqual([
      'group',
      ['A', 'Inner', 'C'],
    ]);
    const inner = outer.pages[1];
    expect(inner).toMatchObject({ type: 'document', layout: { title: true }, pages: [{ title: 'B' }] });
    expect(inner).not.toHaveProperty('git');
    expect(await get(`/page/${inner.id}`)).toMatchObject({ id: inner.id, document: { nodes: [] } });
  });

  it('evaluates expressions as requested', async () => {
    const [home] = (await read('/pages')).pages;
    const rest = ', see [start](guide/start.md).';
    const written = files['README.md'].split('\n').at(-2);
    expect(await readText(home.id, 'false')).toBe(written);
    expect(await readText(home.id, 'true')).toBe(`Version 1.5 in eu${rest}`);
    expect(await readText(home.id, 'deterministic-only')).toBe(
      `Version 1.5 in eu{{ visitor.claims.plan }}${rest}`,
    );
    const whole = async (evaluated: string) =>
      (await read(`/page/${home.id}?format=markdown&evaluated=${evaluated}`)).markdown;
    expect(await whole('false')).toContain('Old');
    expect(await whole('true')).not.toMatch(/Beta|Old|\{%/);
    expect(await whole('deterministic-only')).toMatch(/claims\.beta %\}\nBeta\n\{% endif %\}\nVersion/);
    const { document } = await read(`/page/${home.id}?format=document&evaluated=true`);
    const text = JSON.stringify(document);
    expect(text).toContain('Version 1.5 in eu');
    expect(text).toContain(`"kind":"page"`);
  });
});

describe('content without what the query leaves out', () => {
  const parts = ['', '/pages', '/files', '/files/{file}', '/page/{page}', '/path/%2F'];
  const places = ['content', 'revisions/{revision}', 'change-requests/{proposal}/content'];
  const rows = places.flatMap((place) => parts.map((part) => `${place}${part}`));
  let ids: Readonly<Record<string, string>>;

  beforeAll(async () => {
    const { id: revision, pages, files: all } = await read('');
    const proposal = (await platform.api('POST', `/spaces/${spaceId}/change-requests`, { body: {} })).body.id;
    ids = { revision, page: pages[0].id, file: all[0].id, proposal };
  });

  it.each(rows)('is told in GET %s, whole and with metadata or computed false', async (row) => {
    const path = row.replaceAll(/\{(\w+)\}/g, (_all, name: string) => ids[name] ?? '');
    const ask = async (query: string) => {
      const answer = await platform.api('GET', `/spaces/${spaceId}/${path}?${query}`);
      expect(answer.status).toBe(200);
      return JSON.stringify(answer.body);
    };
    const hasPages = /(?:content|revision\}|pages)$/.test(row);
    const seen = async (query: string) => {
      const text = await ask(query);
      return [text.includes('"git":'), text.includes('"type":"computed"'), text.length > 50];
    };
    expect(await seen('')).toEqual([true, hasPages, true]);
    expect(await seen('metadata=false')).toEqual([false, hasPages, true]);
    expect(await seen('computed=false')).toEqual([true, false, true]);
    expect(await seen('metadata=false&computed=false')).toEqual([false, false, true]);
  });
});

describe('a file', () => {
  it.each([
    [{}, 200, svg, null],
    [{ range: 'bytes=1-3' }, 206, 'svg', `bytes 1-3/${svg.length}`],
    [{ range: 'bytes=-6' }, 206, '</svg>', `bytes ${svg.length - 6}-${svg.length - 1}/${svg.length}`],
    [{ range: 'bytes=0-1,4-5' }, 200, svg, null],
    [{ range: 'bytes=1-3', 'if-range': '"another"' }, 200, svg, null],
    [{ range: 'bytes=9999-' }, 416, null, `bytes */${svg.length}`],
  ])('requested with %j', async (headers, status, text, range) => {
    const answer = await download('GET', headers);
    const body = await answer.text();
    expect([answer.status, answer.headers.get('content-range')]).toEqual([status, range]);
    if (text !== null) expect(body).toBe(text);
    expect(answer.headers.get('accept-ranges')).toBe('bytes');
  });

  it('is never executed, can be requested without its bytes, and is not sent again', async () => {
    const head = await download('HEAD', {});
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([
      200,
      String(svg.length),
      '',
    ]);
    expect(head.headers.get('content-disposition')).toMatch(/^attachment/);
    expect(head.headers.get('content-security-policy')).toContain('sandbox');
    const again = await download('GET', { 'if-none-match': head.headers.get('etag') ?? '' });
    expect(again.status).toBe(304);
  });

  async function download(method: string, headers: Record<string, string>) {
    const { items } = await read('/files');
    const file = items.find((one: { name: string }) => one.name === 'hero.svg');
    return await fetch(platform.url + new URL(file.downloadURL).pathname, {
      method,
      headers: { authorization: `Bearer ${platform.token}`, ...headers },
    });
  }
});

describe('a page by its path', () => {
  const at = async (path: string) => {
    const answer = await platform.api(
      'GET',
      `/spaces/${spaceId}/content/path/${encodeURIComponent(path)}?format=markdown`,
    );
    return [answer.status, answer.body.title ?? JSON.stringify(answer.body)];
  };

  it.each([
    ['/', 'Home'],
    ['guide/start', 'Start'],
    ['/other/', 'Other'],
    ['was/here', 'Start'],
  ])('%s', async (path, title) => {
    expect(await at(path)).toEqual([200, title]);
  });

  it('keeps its id when it moves and is edited, and is found at its old path', async () => {
    const before = (await read('/pages')).pages[1].id;
    await repo.repo.commit({
      'guide/start.md': null,
      'begin/first.md': `# First steps\n\nNew.\n\n${long}\n`,
      'SUMMARY.md': files['SUMMARY.md'].replace('[Start](guide/start.md)', '[First](begin/first.md)'),
      '.gitbook.yaml': 'redirects:\n  was/here: begin/first\n',
    });
    await platform.importBranch(spaceId, { url: repo.url });
    const [, page] = (await read('/pages')).pages;
    expect(page).toMatchObject({ id: before, title: 'First', path: 'begin/first' });
    expect(await at('guide/start')).toEqual([200, 'First']);
    expect(await at('was/here')).toEqual([200, 'First']);
    expect((await at('guide/nothing'))[0]).toBe(404);
  });

  it('is read in a revision and in a change request, each with its own content', async () => {
    const content = await read('');
    const made = await platform.api('POST', `/spaces/${spaceId}/change-requests`, { body: {} });
    const proposed = `/spaces/${spaceId}/change-requests/${made.body.id}`;
    const changes = [{ type: 'write', path: 'begin/first.md', text: '# First of all\n' }];
    await platform.api('POST', `${proposed}/content`, { body: { changes } });
    const markdownAt = async (place: string, path: string) => {
      const { body } = await platform.api('GET', `${place}/path/${encodeURIComponent(path)}?format=markdown`);
      return body.markdown;
    };
    const before = `/spaces/${spaceId}/revisions/${content.id}`;
    for (const path of ['begin/first', 'guide/start', 'was/here']) {
      expect(await markdownAt(`${proposed}/content`, path)).toBe('# First of all\n');
      expect(await markdownAt(before, path)).toContain('# First steps');
    }
  });

  it('is found at its old path also in a copy of the space', async () => {
    const copy = (await platform.api('POST', `/spaces/${spaceId}/duplicate`)).body.id;
    const path = `/spaces/${copy}/content/path/${encodeURIComponent('guide/start')}`;
    expect((await platform.api('GET', path)).body).toMatchObject({ path: 'begin/first' });
  });
});

describe('files that a page includes', () => {
  const chapter = (text: string) => `# Chapter\n\n{{#include ../parts/part.md}}\n\n${text}`;
  const book = {
    'book.toml': '',
    'src/SUMMARY.md': '* [One](one.md)\n* [Two](two.md)\n* [Part](three.md)\n',
    'src/one.md': chapter('```rust\n{{#include ../code/main.rs:main}}\n```\n\n{{#include gone.md}}\n'),
    'src/two.md': '# Two\n\nNothing here.\n',
    'src/three.md': '# Three\n',
    'parts/part.md': 'See [two](two.md) and [gone](nowhere.md).\n\n## Whole\n\nMarmalade.\n',
    'code/main.rs': '// ANCHOR: main\nfn main() {}\n// ANCHOR_END: main\n',
  };
  let bookId: string;
  let source: Awaited<ReturnType<TestPlatform['createRepo']>>;

  const get = async (path: string) => (await platform.api('GET', `/spaces/${bookId}/${path}`)).body;
  const pageAt = async (path: string, query: string) =>
    await get(`content/path/${encodeURIComponent(path)}?${query}`);
  const found = async (words: string) =>
    (await get(`search?query=${words}`)).items.map(({ title }: { title: string }) => title);

  beforeAll(async () => {
    bookId = await platform.createSpace();
    source = await platform.createRepo('parts');
    await source.repo.commit(book);
    expect((await platform.importBranch(bookId, { url: source.url })).state).toBe('success');
  });

  it('are in its Markdown and document, with their links, and stay as written with computed=false', async () => {
    const page = await pageAt('one', 'format=markdown');
    expect(page.markdown).toBe(
      '# Chapter\n\nSee [two](two.md) and [gone](nowhere.md).\n\n## Whole\n\nMarmalade.\n\n```rust\nfn main() {}\n```\n\n> [!WARNING]\n> `gone.md` is not shown here. There is no file src/gone.md in the repository.\n\n',
    );
    expect(page.origins).toContainEqual({
      line: 3,
      column: 1,
      source: { path: 'parts/part.md', line: 1, column: 1 },
    });
    expect((await pageAt('one', 'format=markdown&computed=false')).markdown).toBe(book['src/one.md']);
    const { id: two } = await pageAt('two', '');
    const { document } = await pageAt('one', 'format=document');
    expect(JSON.stringify(document)).toContain(`"page":"${two}"`);
    expect(JSON.stringify(document)).toContain('Marmalade');
    const links = await get(`content/page/${page.id}/links`);
    expect(links.stats).toMatchObject({ total: 5, broken: { total: 2 } });
    expect(links.items.map((one: { relation: string }) => one.relation).sort()).toEqual([
      'dependsOn',
      'dependsOn',
      'dependsOn',
      'reference',
      'reference',
    ]);
  });

  it('are in the view of a page, which has the same parts as the separate reads', async () => {
    const { id: two } = await pageAt('two', '');
    const { id: one, markdown } = await pageAt('one', 'format=markdown');
    const view = await get(`content/page/${one}/view`);
    expect(view.page).toMatchObject({ id: one, title: 'One', markdown });
    expect(view.navigation.map(({ title }: PageResource) => title)).toEqual(['One', 'Two', 'Part']);
    expect(view.targets).toContainEqual({
      target: 'two.md',
      status: 'ok',
      reference: expect.objectContaining({ kind: 'page', page: two }),
    });
    expect(view.targets).toContainEqual({
      target: 'nowhere.md',
      status: 'broken',
      reference: { kind: 'url', url: 'nowhere.md' },
    });
    const { items } = await get(`content/page/${one}/links?status=broken`);
    // A page view names by ids what the lists embed.
    const broken = items.map(({ status, check, locationReferences }: LinkResource) => ({
      status,
      check,
      locationReferences: locationReferences.map(({ position }) => ({ position })),
    }));
    expect(view.brokenLinks).toMatchObject({ count: items.length, items: broken });
    const linking = await get(`content/page/${two}/backlinks`);
    const { backlinks, revision, space } = await get(`content/page/${two}/view`);
    const positions = linking.items.map(({ position }: EmbeddedReference) => ({ position }));
    expect(backlinks).toMatchObject({ count: linking.count, items: positions });
    expect(space.id).toBe(bookId);
    expect(await get(`revisions/${revision.id}/page/${one}/view`)).toEqual(view);
    expect(await get(`revisions/${revision.id}/page/${one}/view?navigation=false`)).toEqual({
      ...view,
      navigation: [],
    });
    expect((await platform.api('GET', `/spaces/${bookId}/content/page/none/view`)).status).toBe(404);
  });

  testAtLength(
    'are found by search, and when they change, only the pages that include them change',
    async () => {
      expect(await found('marmalade')).toEqual(['One']);
      const times = async () =>
        (await get('content/pages')).pages.map(({ updatedAt }: { updatedAt: string }) => updatedAt);
      const before = await times();
      await source.repo.commit({ 'code/main.rs': book['code/main.rs'].replace('{}', '{ todo!() }') });
      await platform.importBranch(bookId, { url: source.url });
      expect((await pageAt('one', 'format=markdown')).markdown).toContain('fn main() { todo!() }');
      await source.repo.commit({ 'parts/part.md': '## Whole\n\nRaspberries.\n' });
      await platform.importBranch(bookId, { url: source.url });
      expect([await found('marmalade'), await found('raspberries')]).toEqual([[], ['One']]);
      const after = await times();
      expect([after[0] === before[0], ...after.slice(1)]).toEqual([false, ...before.slice(1)]);
      const page = await pageAt('one', '');
      const links = await get(`content/page/${page.id}/links`);
      expect(links.stats).toMatchObject({ total: 3, broken: { total: 1 } });
    },
  );

  it('can be added and removed', async () => {
    await source.repo.commit({ 'src/gone.md': 'Back again.\n', 'parts/part.md': null });
    await platform.importBranch(bookId, { url: source.url });
    const { markdown } = await pageAt('one', 'format=markdown');
    expect(markdown).toContain('Back again.');
    expect(markdown).toContain('> `../parts/part.md` is not shown here.');
    expect([await found('raspberries'), await found('again')]).toEqual([[], ['One']]);
  });
});

describe('references to files and from them', () => {
  it('embed the file, also from a table of contents, whose own links stand in the space', async () => {
    const { url, repo: own } = await platform.createRepo('listed');
    await own.commit({
      '.gitbook.yaml': 'root: ./\n',
      'SUMMARY.md': '# Contents\n\n* [Home](README.md)\n* [Manual](files/manual.txt)\n* [Gone](gone.md)\n',
      'README.md': '# Home\n\nThe [manual](files/manual.txt) and [notes](notes.md).\n',
      'notes.md': '# Notes\n\nThe [manual](files/manual.txt), [home](README.md) and [more](lost.md).\n',
      'files/manual.txt': 'Text.\n',
    });
    const id = await platform.createSpace();
    await platform.importBranch(id, { url });
    const get = async (path: string) => (await platform.api('GET', `/spaces/${id}/content${path}`)).body;
    const { pages, files: listed } = await get('');
    const file = listed.find(({ name }: { name: string }) => name === 'manual.txt');
    const { items } = (await platform.api('GET', `/spaces/${id}/links`)).body as {
      items: readonly LinkResource[];
    };
    const backlinks: readonly EmbeddedReference[] = [
      ...(await get(`/files/${file.id}/backlinks`)).items,
      ...(await get(`/page/${pages[0].id}/backlinks`)).items,
    ];
    const references = [
      ...items.flatMap(({ targetReference, locationReferences }) => [targetReference, ...locationReferences]),
      ...backlinks,
    ];
    for (const reference of references) {
      if (reference.kind === 'file') expect(reference).toMatchObject({ file: { id: expect.any(String) } });
      if (reference.kind === 'page') expect(reference).toMatchObject({ page: { id: expect.any(String) } });
    }
    const seen = items.map(({ targetReference, locationReferences: [location] }) => [
      location?.position?.path,
      location?.kind,
      targetReference.kind,
      targetReference.file?.id ?? targetReference.page?.id ?? targetReference.url,
    ]);
    expect(seen.filter(([path]) => path === 'SUMMARY.md')).toEqual([
      ['SUMMARY.md', 'space', 'page', pages[0].id],
      ['SUMMARY.md', 'space', 'file', file.id],
      ['SUMMARY.md', 'space', 'url', 'gone.md'],
    ]);
  });
});

describe('counts of links', () => {
  testAtLength(
    'of a change request in a space with tens of thousands of broken links do not compare each with all',
    async () => {
      const targets = Array.from({ length: 20_000 }, (_, at) => `[a](${at}.md)\n`);
      const { repo: source, url } = await platform.createRepo('many-broken');
      await source.commit({ 'README.md': `# Home\n\n${targets.join('')}` });
      const id = await platform.createSpace();
      await platform.importBranch(id, { url });
      const { body } = await platform.api('POST', `/spaces/${id}/change-requests`, { body: {} });
      const place = `/spaces/${id}/change-requests/${body.id}`;
      const changes = [{ type: 'write', path: 'other.md', text: '# Other\n\n[b](gone.md) [b](gone.md)\n' }];
      expect((await platform.api('POST', `${place}/content`, { body: { changes } })).status).toBe(200);
      const { stats } = (await platform.api('GET', `${place}/links?limit=1`)).body;
      expect(stats.broken).toEqual({ total: 20_002, changeRequest: 2 });
    },
  );
});

describe('the view of a page with thousands of links', () => {
  it('has them all, of several queries', async () => {
    const { repo: source, url } = await platform.createRepo('crowded');
    const targets = Array.from({ length: 9_000 }, (_, at) => `b.md?${at}`);
    await source.commit({
      'a.md': `# A\n\n${targets.map((target) => `[b](${target})`).join('\n')}\n`,
      'b.md': '# B\n',
    });
    const crowdedId = await platform.createSpace();
    await platform.importBranch(crowdedId, { url });
    const { body: all } = await platform.api('GET', `/spaces/${crowdedId}/content/pages`);
    const { id } = all.pages.find((page: PageResource) => page.path === 'a');
    // Of `pg`, whose types leave it out.
    const queries = pg.Query.prototype as unknown as { handleDataRow(row: unknown): void };
    const row = vi.spyOn(queries, 'handleDataRow');
    const { body } = await platform.api('GET', `/spaces/${crowdedId}/content/page/${id}/view`);
    const rows = Map.groupBy(row.mock.contexts, (query) => query)
      .values()
      .map((of) => of.length)
      .toArray();
    row.mockRestore();
    expect(body.targets.map(({ target }: { target: string }) => target)).toEqual(targets);
    expect(Math.max(...rows)).toBe(4_000);
  });
});

describe('lists of links', () => {
  testAtLength(
    'take as many queries for many links as for few, of content, of a merge and of a change request',
    async () => {
      const linked = (from: number, to: number) =>
        Array.from({ length: to - from }, (_, at) => `[${at}](${from + at}.md) [f](${from + at}.txt)\n`).join(
          '',
        );
      const { repo: source, url } = await platform.createRepo('linked');
      const targets = Array.from({ length: 40 }, (_, at) => [
        [`${at}.md`, `# Page ${at}\n\n[Few](few.md)\n${at === 0 ? '[Many](many.md)\n' : ''}`],
        [`${at}.txt`, 'Text.\n'],
      ]).flat();
      await source.commit({
        ...Object.fromEntries(targets),
        'few.md': `# Few\n\n${linked(0, 1)}`,
        'many.md': `# Many\n\n${linked(0, 40)}`,
      });
      const linkedId = await platform.createSpace();
      await platform.importBranch(linkedId, { url });
      const { body: all } = await platform.api('GET', `/spaces/${linkedId}/content/pages`);
      const idOf = (path: string) =>
        all.pages.find((page: PageResource) => page.path === path)?.id ?? expect.fail(path);
      const propose = async (path: string) => {
        const { body } = await platform.api('POST', `/spaces/${linkedId}/change-requests`, {
          body: { subject: path },
        });
        const place = `/spaces/${linkedId}/change-requests/${body.id}`;
        const changes = [{ type: 'page', page: idOf(path), markdown: '# New\n' }];
        expect((await platform.api('POST', `${place}/content`, { body: { changes } })).status).toBe(200);
        return place;
      };
      const queriesOf = async (path: string) => {
        const { body, status } = await platform.api('GET', path);
        expect(status, path).toBe(200);
        // Jobs query now and then, so the request with the fewest queries counts.
        let queries = Infinity;
        for (let turn = 0; turn < 5; turn += 1) {
          const query = vi.spyOn(pg.Client.prototype, 'query');
          await platform.api('GET', path);
          queries = Math.min(queries, query.mock.calls.length);
          query.mockRestore();
        }
        return { count: body.items.length, queries };
      };
      const merged = await propose('1');
      expect((await platform.api('POST', `${merged}/merge`)).status).toBe(200);
      const own = `/spaces/${linkedId}/content`;
      const proposed = `${await propose('2')}/content`;
      for (const [place, list, few, many] of [
        [own, 'links', 'few', 'many'],
        [own, 'backlinks', 'many', 'few'],
        [proposed, 'links', 'few', 'many'],
      ] as const) {
        const [short, long] = [
          await queriesOf(`${place}/page/${idOf(few)}/${list}`),
          await queriesOf(`${place}/page/${idOf(many)}/${list}`),
        ];
        expect(short.count).toBeLessThan(3);
        expect(long.count).toBeGreaterThan(30);
        expect(long.queries, `${place} ${list}`).toBe(short.queries);
        expect(long.queries).toBeGreaterThan(3);
      }
    },
  );
});
