import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type GitOperation, operations, type PageResource } from '../../src/client/index.ts';
import { createToken } from '../../src/platform/index.ts';
import { tables } from '../../src/store/index.ts';
import { insertOrganization } from '../../src/store/organizations.ts';
import { testAtLength } from '../support/describe-at-length.ts';
import { waitFor } from '../support/wait-for.ts';
import { exported, sampleScheduled } from './sample-scheduled.ts';
import { createSampleStatus } from './sample-status.ts';
import { startPages, type TestPages } from './start-pages.ts';

const picture = readFileSync('fixtures/demo/guide/pictures/lantern.png');
const hostileSvg =
  '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script></svg>';

let pages: TestPages;
let cookie: string;
let spaceId: string;
let ended: GitOperation;
let byTitle: Map<string, PageResource>;

beforeAll(async () => {
  pages = await startPages();
  const { repo, url } = await pages.platform.createRepo('lantern');
  await repo.commit({
    'guide/README.md': `---
title: Ignored
---
# Home & \\<away>

To the [guide](set%20up.md#First-Step), a [broken one](gone.md), a [file](notes.pdf), the [code](../src/main.c)
and the [outside](https://example.com/a?b=c).

![A lantern](pictures/lantern.png) ![Elsewhere](https://example.com/x.png) ![Drawn](pictures/drawn.svg)

<script>alert(1)</script><p onclick="alert(1)" id="docloom-main">Loud</p>
`,
    'guide/set up.md': '# Set up\n\n## First Step\n\n[Home](README.md) and [again](README.md#home--away).\n',
    'guide/no-title.md': 'Only text.\n',
    'guide/deep.md': `${'> '.repeat(150)}too deep\n`,
    'guide/pictures/lantern.png': picture,
    'guide/pictures/drawn.svg': hostileSvg,
    'guide/notes.pdf': 'no real document',
    'src/main.c': 'int main;\n',
  });
  spaceId = await pages.platform.createSpace('Lantern <Guide>');
  ended = await pages.platform.importBranch(spaceId, {
    url,
    repoProjectDirectory: 'guide',
    repoTreeURL: 'https://forge.example/acme/lantern/blob/main/',
    repoCommitURL: 'https://forge.example/acme/lantern/commit',
    gitInfo: { provider: 'github', url: 'https://forge.example/acme/lantern' },
  });
  expect(ended.state).toBe('success');
  cookie = await pages.signIn();
  const content = await pages.platform.client.call(operations.getContent, { params: { spaceId } });
  const flat = (list: readonly PageResource[]): PageResource[] =>
    list.flatMap((page) => [page, ...flat(page.pages)]);
  byTitle = new Map(flat(content.pages).map((page) => [page.title, page]));
});
afterAll(() => pages.close());

async function read(path: string): Promise<string> {
  const answer = await pages.get(path, { cookie });
  expect(answer.status).toBe(200);
  return answer.text();
}

function pathOf(title: string): string {
  const page = byTitle.get(title);
  if (!page) throw new Error(`no page ${title} in ${[...byTitle.keys()].join(', ')}`);
  return `/spaces/${spaceId}/pages/${page.id}`;
}

describe('the spaces', () => {
  test('each space shows its live commit', async () => {
    const home = await read('/');
    expect(home).toContain(`<a href="/spaces/${spaceId}">Lantern &#60;Guide&#62;</a>`);
    expect(home).toContain(`title="${ended.commit}">${ended.commit?.slice(0, 7)}</code> is live`);
    expect(home).toContain('<dt>broken</dt><dd>1</dd>');
    expect(home).toContain(`<a href="/spaces/${spaceId}/links">1 broken link in Lantern &#60;Guide&#62;</a>`);
    expect(home).toContain('Up to date');
  });

  test('a failed sync shows its reason', async () => {
    const failing = await pages.platform.createSpace('Failing');
    const { url } = await pages.platform.createRepo('empty');
    const failed = await pages.platform.importBranch(failing, { url, ref: 'refs/heads/absent' });
    expect(failed.state).toBe('failure');
    const home = await read('/');
    expect(home).toContain('Last import failed');
    expect(home).toMatch(/<a href="[^"]*\/syncs">The last import of [^<]+ failed<\/a>/);
    expect(home).toContain(failed.error?.message.slice(0, 20));
    const space = await read(`/spaces/${failing}`);
    expect(space).toContain('Nothing is live yet');
    expect(space).toContain('The last import failed.');
    expect(space).toContain(failed.error?.message.slice(0, 20));
  });

  test('a failed preview does not affect the state of the space, and a disconnected space shows the reason', async () => {
    const { repo, url } = await pages.platform.createRepo('steady');
    await repo.commit({ 'README.md': '# Home\n' });
    const steady = await pages.platform.createSpace('Steady');
    await pages.platform.importBranch(steady, { url });
    const preview = await pages.platform.importBranch(steady, {
      url,
      ref: 'refs/pull/9/head',
      standalone: true,
    });
    expect(preview.state).toBe('failure');
    const space = await read(`/spaces/${steady}`);
    expect(space).toContain('Up to date');
    expect(space).not.toContain('The last import failed.');
    pages.disconnected.set(steady, {
      reason: 'The App was uninstalled.',
      removedAt: '2100-02-03T04:05:00.000Z',
    });
    for (const path of ['/', `/spaces/${steady}`]) {
      const said = await read(path);
      expect(said).toContain('<span class="state wait">Disconnected</span>');
      expect(said).toContain('The App was uninstalled.');
    }
    expect(await read(`/spaces/${steady}`)).toMatch(
      /the space is deleted <time [^>]*>3 Feb 2100, 04:05 UTC</,
    );
  });

  testAtLength('one commit has one time everywhere, also after it was synced again', async () => {
    const { repo, url } = await pages.platform.createRepo('timed');
    await repo.commit({ 'README.md': '# Home\n' });
    const timed = await pages.platform.createSpace('Timed');
    const gitInfo = { provider: 'github', url: 'https://forge.example/acme/timed' };
    const first = await pages.platform.importBranch(timed, { url, gitInfo });
    const timesOf = async () => {
      const card = /<li class="card">\n<div class="card-head"><h[23]><a href="[^"]*">Timed<[\s\S]*?<\/li>/;
      const space = await read(`/spaces/${timed}`);
      const status = await read('/status');
      return [
        card.exec(await read('/'))?.[0] ?? '',
        /<p class="lead">[\s\S]*?<\/p>/.exec(space)?.[0] ?? '',
        status.slice(status.indexOf('docloom-repository-77'), status.indexOf('Last webhook')),
      ].map((text) => /imported <time datetime="([^"]+)"/.exec(text)?.[1]);
    };
    const repository = await createSampleStatus(pages.platform, {
      spaceId: timed,
      liveOid: first.commit ?? '',
    });
    pages.repositories.push({ ...repository, id: 77 });
    try {
      expect(await timesOf()).toEqual([first.endedAt, first.endedAt, first.endedAt]);
      await pages.platform.importBranch(timed, { url, gitInfo });
      expect(await timesOf()).toEqual([first.endedAt, first.endedAt, first.endedAt]);
      // A commit that changes no page is live from its own import on.
      await repo.commit({ 'other.txt': 'no page' });
      const second = await pages.platform.importBranch(timed, { url, gitInfo });
      expect(await timesOf()).toEqual([second.endedAt, second.endedAt, second.endedAt]);
    } finally {
      pages.repositories.length = 0;
    }
  });

  test('the status shows repositories by name, and those that need attention', async () => {
    const live = await pages.platform.createSpace('Filtered');
    const ill = await createSampleStatus(pages.platform, { spaceId: live, liveOid: '0'.repeat(40) });
    const well = {
      ...ill,
      id: 78,
      name: 'acme/torch',
      conversationsError: null,
      mirrorError: null,
      specifications: [],
      translations: [],
      jobs: [],
    };
    pages.repositories.push({ ...ill, id: 77 }, well);
    const shown = async (query: string) =>
      [...(await read(`/status?${query}`)).matchAll(/id="docloom-repository-(\d+)"/g)].map(([, id]) => id);
    try {
      expect(await shown('')).toEqual(['77', '78']);
      expect(await shown('attention=1')).toEqual(['77']);
      expect(await shown('find=torch')).toEqual(['78']);
      expect(await shown('find=torch&attention=1')).toEqual([]);
      expect(await read('/status?find=torch&attention=1')).toContain(
        'No repository needs attention with “torch” in its name.',
      );
      const cut = { ...well, disconnected: 'The App was uninstalled.' };
      pages.repositories.splice(1, 1, cut);
      expect(await shown('attention=1')).toEqual(['77', '78']);
    } finally {
      pages.repositories.length = 0;
    }
  });

  test('a space says that the newest configuration of its repository is not used', async () => {
    pages.configErrors.set(spaceId, 'Line 3: `spces` is not a key here.');
    const space = await read(`/spaces/${spaceId}`);
    expect(space).toContain(
      '<strong>The newest configuration of its repository is not used.</strong> Line 3: <code>spces</code> is not a key here.',
    );
    pages.configErrors.clear();
  });

  test('people see only what the platform shows them', async () => {
    const { db } = pages.platform.deps;
    const [operator] = await db.select().from(tables.users);
    await insertOrganization(db, {
      id: 'another',
      title: 'Another organization',
      adminId: operator?.id ?? '',
    });
    const stranger = await createToken(db, {
      name: 'other',
      role: 'admin',
      organization: 'Another organization',
    });
    const other = await pages.signIn(stranger.token);
    expect(await (await pages.get('/', { cookie: other })).text()).not.toContain('Lantern');
    for (const path of [`/spaces/${spaceId}`, pathOf('Set up')]) {
      const answer = await pages.get(path, { cookie: other });
      expect(answer.status).toBe(404);
      expect(await answer.text()).toContain('There is nothing at this address, or you may not see it.');
    }
  });
});

describe('a space', () => {
  test('lists its broken links with position and reason', async () => {
    const space = await read(`/spaces/${spaceId}`);
    expect(space).toMatch(/<title>[^<]*Lantern &#60;Guide&#62;[^<]* · Docloom<\/title>/);
    expect(space).toContain(
      `href="https://forge.example/acme/lantern/blob/${ended.commit}/guide/README.md?plain=1#L6"><code>guide/README.md:6</code>`,
    );
    expect(space).toContain('<code>gone.md</code>');
    expect(space).toMatch(/guide\/gone\.md (does not exist|is not there|.*)/);
  });

  test('shows its navigation, its commit and its syncs', async () => {
    const space = await read(`/spaces/${spaceId}`);
    expect(space).toContain(`<a href="${pathOf('Set up')}">Set up</a>`);
    expect(space).toContain(`href="https://forge.example/acme/lantern/commit/${ended.commit}"`);
    expect(space).toMatch(/<span class="state good">Done<\/span>/);
    expect(space).toMatch(/<td class="number">[\d.]+ m?s<\/td>/);
  });
});

describe('reading further', () => {
  test('the search finds sections by their text, only in the space', async () => {
    const found = await read(`/spaces/${spaceId}/search?q=first+step`);
    expect(found).toContain('<h1>Results for “first step”</h1>');
    expect(found).toContain(`href="${pathOf('Set up')}#first-step">First Step</a>`);
    expect(found).toContain('name="q" type="search" value="first step"');
    const nothing = await read(`/spaces/${spaceId}/search?q=%3Cscript%3Ezebra`);
    expect(nothing).toContain('No page contains it.');
    expect(nothing).not.toContain('<script>');
    expect(await read(`/spaces/${spaceId}/search`)).toContain('Type what you are looking for');
    expect((await pages.get('/spaces/none/search?q=x', { cookie })).status).toBe(404);
    expect((await pages.get(`/spaces/${spaceId}/search?q=x`)).status).toBe(303);
    expect((await read(pathOf('Set up'))).match(/role="search"/g)).toHaveLength(1);
  });

  test('a page links to the previous and the next page', async () => {
    const content = await pages.platform.client.call(operations.getContent, { params: { spaceId } });
    const order = content.pages.flatMap((page) => [page, ...page.pages]).map(({ title }) => title);
    const neighboursOf = async (title: string) => {
      const [, nav = ''] =
        /<nav class="neighbours"[^>]*>([\s\S]*?)<\/nav>/.exec(await read(pathOf(title))) ?? [];
      return [...nav.matchAll(/<a rel="(prev|next)" href="([^"]+)"/g)].map(([, rel, href]) => [rel, href]);
    };
    const [first = '', second = '', third = ''] = order;
    expect(await neighboursOf(first)).toEqual([['next', pathOf(second)]]);
    expect(await neighboursOf(second)).toEqual([
      ['prev', pathOf(first)],
      ['next', pathOf(third)],
    ]);
    expect(await neighboursOf(order.at(-1) ?? '')).toEqual([['prev', pathOf(order.at(-2) ?? '')]]);
  });

  test('an open change request is listed, and its preview can be read', async () => {
    const { api } = pages.platform;
    const { body } = await api('POST', `/spaces/${spaceId}/change-requests`, {
      body: { subject: 'A <b>better</b> start' },
    });
    const place = `/spaces/${spaceId}/change-requests/${body.id}`;
    const changes = [{ type: 'write', path: 'guide/newest.md', text: '# Newest\n' }];
    await api('POST', `${place}/content`, { body: { changes } });
    expect(await read(`/spaces/${spaceId}`)).not.toContain('better');
    const { body: open } = await api('PATCH', place, { body: { status: 'open' } });
    const space = await read(`/spaces/${spaceId}`);
    expect(space).toContain(`#${open.number} A &#60;b&#62;better&#60;/b&#62; start</a>`);
    const start = await pages.get(`/spaces/${spaceId}/revisions/${open.revision}`, { cookie });
    expect(await read(start.headers.get('location') ?? '')).toContain('>Newest</a>');
    expect(await read(`/spaces/${spaceId}`)).not.toContain('>Newest</a>');
    await api('PATCH', place, { body: { status: 'archived' } });
  });
});

describe('what the scheduler does', () => {
  const time = new Date('2026-03-01T12:00:00Z');

  test('external links are counted by state, and the bad ones listed with reason and position', async () => {
    expect(await read(`/spaces/${spaceId}`)).not.toContain('External links');
    const before = pages.time;
    pages.time = time;
    pages.scheduled.set(spaceId, sampleScheduled);
    const space = await read(`/spaces/${spaceId}`);
    expect(space).toContain(
      '1,213 addresses: 1 dead, 1 failing, 1 moved, 4 restricted, 1,204 ok, 2 not checked yet.',
    );
    expect(space).toContain('title="2 Mar 2026, 03:20 UTC">in 16 hours</time>');
    expect(space).toContain(
      `href="https://forge.example/acme/lantern/blob/${ended.commit}/guide/patterns.md?plain=1#L9"><code>guide/patterns.md:9</code>`,
    );
    expect(space).toContain('<span class="soft">and 2 more</span>');
    expect(space).toContain('<span class="state bad">dead</span>');
    expect(space).toContain('The page is there, and has no #wicks. It moved for good to');
    expect(space).toContain('models/&#60;1978&#62;?long');
    expect(space).toContain('<code>guide/&#60;b&#62;.md</code>');
    pages.time = before;
  });

  test.each([
    [
      { outcome: 'pushed' as const },
      /class="notice good"><p>The last edits were pushed to <code>main<\/code> as <a/,
    ],
    [
      { outcome: 'proposed' as const, pull: { number: 17, url: 'https://forge.example/pull/17' } },
      /are in <a href="https:\/\/forge\.example\/pull\/17">pull request #17<\/a>/,
    ],
    [{ outcome: 'declined' as const }, /were declined: a pull request was closed/],
    [
      { outcome: 'failed' as const, error: 'The branch is <gone>.' },
      /class="notice bad">[^\n]*The branch is &#60;gone&#62;\. The export is retried/,
    ],
    [{ outcome: 'same' as const }, /Nothing differs from <code>main/],
  ])('an export with this outcome is described: %j', async (parts, told) => {
    pages.scheduled.set(spaceId, { ...sampleScheduled, exported: exported(parts) });
    expect(await read(`/spaces/${spaceId}`)).toMatch(told);
    pages.scheduled.delete(spaceId);
  });
});

describe('a page', () => {
  test('links to other pages and other sites, and does not link where a link is broken', async () => {
    const page = await read(pathOf('Home & <away>'));
    expect(page).toContain(`<a href="${pathOf('Set up')}#first-step">guide</a>`);
    expect(page).toContain(
      '<span class="broken-link" title="This link leads nowhere: gone.md">broken one</span>',
    );
    expect(page).toContain('<a href="https://forge.example/acme/lantern/blob/main/src/main.c">code</a>');
    expect(page).toContain('<a href="https://example.com/a?b=c">outside</a>');
    expect(page).toMatch(new RegExp(`<a href="/spaces/${spaceId}/files/[\\w-]+">file</a>`));
    expect(page).toMatch(
      new RegExp(`<img src="/spaces/${spaceId}/files/[\\w-]+" alt="A lantern" loading="lazy">`),
    );
    expect(page).toContain('<a href="https://example.com/x.png" class="left-out">Elsewhere</a>');
    expect(page).toMatch(/1 link of this page is broken[\s\S]*Line 6<\/a>: <code>gone\.md<\/code>/);
  });

  test('is harmless, and its ids cannot be those of the layout', async () => {
    const page = await read(pathOf('Home & <away>'));
    const [own, ...others] = page.match(/<script[^>]*>/g) ?? [];
    expect([own, others]).toEqual([expect.stringMatching(/^<script type="module" src="\/[\w./-]+">$/), []]);
    expect(page).not.toMatch(/onclick|alert\(1\)/);
    expect(page.match(/id="docloom-main"/g)).toHaveLength(1);
    expect(page).toContain('<p>Loud</p>');
  });

  test('shows its breadcrumbs, its backlinks and its source', async () => {
    const page = await read(pathOf('Home & <away>'));
    expect(page).toContain(
      `<a href="${pathOf('Home & <away>')}" aria-current="page">Home &#38; &#60;away&#62;</a>`,
    );
    expect(page).toMatch(/<h2>Linked from<\/h2>\s*<ul>\s*<li><a href="[^"]+">Set up<\/a><\/li>\s*<\/ul>/);
    expect(page).toContain('href="https://forge.example/acme/lantern/blob/HEAD/guide/README.md"');
    expect(page.match(/<h1/g)).toHaveLength(1);
  });

  test('without a title gets one', async () => {
    const title = [...byTitle.keys()].find((one) => one.toLowerCase().startsWith('no'));
    const page = await read(pathOf(title ?? ''));
    expect(page).toContain(`<h1>${title}</h1>`);
    expect(page.match(/<h1/g)).toHaveLength(1);
  });

  test('that cannot be shown says why not, and shows its source', async () => {
    const title = [...byTitle.keys()].find((one) => one.toLowerCase().startsWith('deep'));
    const page = await read(pathOf(title ?? ''));
    expect(page).toContain('nests more than 100 elements');
    expect(page).toContain(`<code>${'&#62; '.repeat(150)}too deep`);
  });
});

describe('a page on its way', () => {
  test('is compressed as the browser accepts it, and not sent again while it is the same', async () => {
    const path = pathOf('Home & <away>');
    const encodings = { br: 'br', 'gzip, deflate': 'gzip', zstd: null, identity: null };
    for (const [accepted, encoding] of Object.entries(encodings)) {
      const answer = await pages.get(path, { cookie, 'accept-encoding': accepted });
      expect([accepted, answer.headers.get('content-encoding')]).toEqual([accepted, encoding]);
      expect(await answer.text()).toContain('</html>');
    }
    const etag = (await pages.get(path, { cookie })).headers.get('etag') ?? '';
    expect(etag).toMatch(/^W\/"[\w-]{27}"$/);
    const again = await pages.get(path, { cookie, 'if-none-match': `"x", ${etag}` });
    expect([again.status, await again.text()]).toEqual([304, '']);
    expect(again.headers.get('cache-control')).toBe('private, no-cache');
    const other = await pages.get(pathOf('Set up'), { cookie, 'if-none-match': etag });
    expect(other.status).toBe(200);
  });

  test('is nothing for those who may not read it, whatever tag they name', async () => {
    const path = pathOf('Home & <away>');
    const etag = (await pages.get(path, { cookie })).headers.get('etag') ?? '';
    for (const tag of [etag, '*']) {
      const answer = await pages.get(path, { 'if-none-match': tag });
      expect([answer.status, answer.headers.get('etag')]).toEqual([303, null]);
      const missing = await pages.get('/spaces/unknown', { cookie, 'if-none-match': tag });
      expect([missing.status, missing.headers.get('etag')]).toEqual([404, null]);
    }
  });

  test('is not compressed where words of its address stand beside private text', async () => {
    const long = 'configuration '.repeat(30);
    const answer = await pages.get(`/spaces/${spaceId}/search?q=${encodeURIComponent(long)}`, { cookie });
    expect(answer.headers.get('content-encoding')).toBeNull();
    expect((await answer.text()).length).toBeGreaterThan(1024);
  });
});

describe('a file', () => {
  async function files(): Promise<Map<string, string>> {
    const { items } = await pages.platform.client.call(operations.listFiles, { params: { spaceId } });
    return new Map(items.map((file) => [file.name.split('/').at(-1) ?? '', file.id]));
  }

  test('a picture is sent with its type, and not sent again to a browser that has it', async () => {
    const path = `/spaces/${spaceId}/files/${(await files()).get('lantern.png')}`;
    const answer = await pages.get(path, { cookie });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('image/png');
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(picture);
    const again = await pages.get(path, { cookie, 'if-none-match': answer.headers.get('etag') ?? '' });
    expect(again.status).toBe(304);
    const weak = await pages.get(path, { cookie, 'if-none-match': `W/${answer.headers.get('etag')}` });
    expect(weak.status).toBe(304);
    expect((await pages.get(path)).status).toBe(303);
  });

  test('a drawing runs nothing, even when it is opened on its own', async () => {
    const answer = await pages.get(`/spaces/${spaceId}/files/${(await files()).get('drawn.svg')}`, {
      cookie,
    });
    expect(answer.headers.get('content-type')).toBe('image/svg+xml');
    expect(answer.headers.get('content-security-policy')).toMatch(/default-src 'none'.*sandbox$/);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('anything else is a download', async () => {
    const answer = await pages.get(`/spaces/${spaceId}/files/${(await files()).get('notes.pdf')}`, {
      cookie,
    });
    expect(answer.headers.get('content-type')).toBe('application/octet-stream');
    expect(answer.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''notes.pdf");
    expect(await answer.text()).toBe('no real document');
  });

  test('that does not exist is answered with 404', async () => {
    expect((await pages.get(`/spaces/${spaceId}/files/absent`, { cookie })).status).toBe(404);
  });
});

describe('everywhere', () => {
  test.each([
    ['/', 'private, no-cache'],
    ['/login', 'no-store'],
    ['/orgs/somewhere/members', 'no-store'],
    ['/spaces/somewhere/access', 'no-store'],
    ['/nothing/here', 'private, no-cache'],
    ['/reports/absent-report-id', 'private, no-cache'],
  ])('%s is guarded by headers', async (path, caching) => {
    const { headers } = await pages.get(path);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('same-origin');
    expect(headers.get('cache-control')).toBe(caching);
  });

  test.each(['/nothing/here', '/reports/absent-report-id', '/reports/..%2f..%2fetc', '/spaces'])(
    '%s is not found, in a sentence',
    async (path) => {
      const answer = await pages.get(path);
      expect(answer.status).toBe(404);
      expect(await answer.text()).toContain('<h1>Not found</h1>');
    },
  );

  test('a report is open to everyone who has its address', async () => {
    pages.reports.set('report-0123456789', {
      version: 1,
      state: 'checking',
      repository: 'acme/lantern',
      pullNumber: 7,
      pullUrl: 'https://forge.example/acme/lantern/pull/7',
    } as never);
    const answer = await pages.get('/reports/report-0123456789');
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('acme/lantern#7');
  });

  test('a space lists the files that are not shown as they are in the repository', async () => {
    const { repo, url } = await pages.platform.createRepo('notices');
    await repo.commit({ 'README.md': '# Home\n', vendor: { submodule: 'a'.repeat(40) } });
    const space = await pages.platform.createSpace('Notices');
    await pages.platform.importBranch(space, { url });
    const text = await (await pages.get(`/spaces/${space}`, { cookie })).text();
    expect(text).toContain('Notices about files');
    expect(text).toMatch(/<code>vendor<\/code><\/th><td class="reason">It is a submodule/);
  });

  test('a path of the space redirects to its page, also one that it had before', async () => {
    const { repo, url } = await pages.platform.createRepo('moves');
    await repo.commit({ 'README.md': '# Home\n', 'old.md': '# Moves\n\nThe same words here.\n' });
    const space = await pages.platform.createSpace('Moves');
    await pages.platform.importBranch(space, { url });
    const leadsTo = async (path: string, headers = { cookie }) => {
      const answer = await pages.get(`/spaces/${space}/at/${path}`, headers);
      return [answer.status, answer.headers.get('location')];
    };
    const before = await leadsTo('old');
    expect(before).toEqual([301, expect.stringMatching(new RegExp(`^/spaces/${space}/pages?/[\\w-]+$`))]);
    await repo.commit({ 'old.md': null, 'new/place.md': '# Moves\n\nThe same words here.\n' });
    await pages.platform.importBranch(space, { url });
    expect(await leadsTo('old')).toEqual(before);
    expect(await leadsTo('new/place')).toEqual(before);
    expect((await pages.get(before[1] as string, { cookie })).status).toBe(200);
    expect((await leadsTo('nowhere'))[0]).toBe(404);
    expect(await leadsTo('old', { cookie: '' })).toEqual([303, expect.stringContaining('/login')]);
  });

  test('the stylesheet is cached for a year under a name with its hash', async () => {
    const [, href = ''] =
      /<link rel="stylesheet" href="([^"]+)"/.exec(await (await pages.get('/')).text()) ?? [];
    expect(href).toMatch(/^\/assets\/style\.[\w-]{12}\.css$/);
    const answer = await pages.get(href);
    expect(answer.headers.get('content-type')).toBe('text/css; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  });

  test('a form that is too large or of another type is refused', async () => {
    const large = await pages.post('/login', { token: 'x'.repeat(20_000) });
    expect(large.status).toBe(413);
    const other = await fetch(`${pages.url}/login`, {
      method: 'POST',
      body: '<x/>',
      headers: { 'content-type': 'text/xml' },
    });
    expect(other.status).toBe(415);
    expect(await other.text()).toContain('<h1>Not understood</h1>');
  });
});

test('when the platform does not answer, a page says so and the log has details', async () => {
  const alone = await startPages();
  try {
    const session = await alone.signIn();
    alone.platformUrl = 'http://127.0.0.1:1';
    const answer = await alone.get('/spaces/abc', { cookie: session });
    expect(answer.status).toBe(502);
    expect(await answer.text()).toContain('The documentation platform did not answer.');
    expect(alone.log.join('\n')).toContain('page failed');
    expect(alone.log.join('\n')).not.toContain(alone.platform.token);
  } finally {
    await alone.close().catch(() => {});
  }
});

test('the JSON Schema of docloom.yml is served to editors without signing in', async () => {
  const answer = await pages.get('/schemas/docloom.json');
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toContain('application/schema+json');
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  const schema = (await answer.json()) as { $id: string; properties: object };
  expect(schema.$id).toMatch(/\/schemas\/docloom\.json$/);
  expect(Object.keys(schema.properties)).toContain('spaces');
});

testAtLength('a preview is read by its id, says that it is one, and its links stay in it', async () => {
  const { repo, url } = await pages.platform.createRepo('previewed');
  await repo.commit({ 'README.md': '# Home\n' });
  const space = await pages.platform.createSpace('Previewed');
  await pages.platform.importBranch(space, { url });
  await repo.commit({
    'README.md': '# Home\n\n[New](new.md) ![L](l.png)\n',
    'new.md': '# New\n',
    'l.png': picture,
  });
  const made = await pages.platform.importBranch(space, {
    url,
    standalone: true,
    gitInfo: { provider: 'github', url: 'https://forge.example/acme/previewed' },
  });
  const root = `/spaces/${space}/revisions/${made.revision}`;
  const start = await pages.get(root, { cookie });
  expect(start.status).toBe(302);
  const home = await read(start.headers.get('location') ?? '');
  expect(home).toContain('class="preview-bar"');
  expect(home).toContain(`at <code title="${made.commit}">${made.commit?.slice(0, 7)}</code>, not live`);
  const places = [...home.matchAll(/(?:href|src)="(\/spaces\/[^"]*\/(?:pages|files)\/[^"]*)"/g)].map(
    ([, at]) => at ?? '',
  );
  expect(places.length).toBeGreaterThan(2);
  expect(places.filter((one) => !one.startsWith(`${root}/`))).toEqual([]);
  for (const place of places) {
    expect((await pages.get(place, { cookie })).status, place).toBe(200);
    expect((await pages.get(place)).status, place).toBe(303);
  }
  expect((await pages.get(`/spaces/${space}/revisions/none`, { cookie })).status).toBe(404);
  const fresh = await pages.platform.createSpace('Fresh');
  const { urls } = (await pages.platform.api('GET', `/spaces/${fresh}/content`)).body;
  expect(await read(new URL(urls.app).pathname)).toContain('This revision has no pages.');
  expect((await pages.get(`/spaces/${spaceId}/revisions/${made.revision}`, { cookie })).status).toBe(404);
  expect(await read(`/spaces/${space}`)).not.toContain('New');
});

test('a page shows the files that it includes, and resolves their links and pictures', async () => {
  const { repo, url } = await pages.platform.createRepo('parts');
  await repo.commit({
    'SUMMARY.md':
      '# Table of contents\n\n* [Home](README.md)\n* [Deep](deep/page.md)\n* ```yaml\n  type: builtin:openapi\n  dependencies:\n    spec:\n      ref:\n        kind: openapi\n        spec: lost-api\n  ```\n',
    'README.md': '# Home\n',
    '.gitbook/assets/part.png': picture,
    '.gitbook/includes/part.md':
      '---\ntitle: Part\n---\n\n[Home](../../README.md) ![P](../assets/part.png) [lost](lost.md)\n',
    'deep/page.md':
      '# Deep\n\n{% include "../.gitbook/includes/part.md" %}\n\n[Up](../README.md)\n\n{% include "gone.md" %}\n',
  });
  const space = await pages.platform.createSpace('Parts');
  await pages.platform.importBranch(space, { url });
  const { pages: all } = await pages.platform.client.call(operations.listPages, {
    params: { spaceId: space },
  });
  const [home, deep, made] = all.map(({ id }) => `/spaces/${space}/pages/${id}`);
  const shown = await read(deep ?? '');
  expect(shown).toContain(`<a href="${home}">Home</a>`);
  expect(shown).toContain(`<a href="${home}">Up</a>`);
  const image = /<img src="(\/spaces\/[^"]+)" alt="P"/.exec(shown)?.[1] ?? '';
  expect((await pages.get(image, { cookie })).headers.get('content-type')).toBe('image/png');
  expect(shown).toContain('<code>gone.md</code> is not shown here.');
  expect(shown).toContain('.gitbook/includes/part.md, line 5</a>: <code>lost.md</code>');
  const whole = await read(`/spaces/${space}`);
  expect(whole).toContain(`<a href="${made}">lost-api</a>`);
  expect(whole).toContain('The organization has no API specification “lost-api”.');
});

testAtLength('the status shows specifications and translations, and can run them again', async () => {
  pages.repositories.push(await createSampleStatus(pages.platform, { spaceId, liveOid: 'a'.repeat(40) }));
  // The imports of the tests before may still be reported as under way.
  const text = await waitFor(async () => {
    const status = await read('/status');
    return status.includes('>Reading<') ? null : status;
  });
  for (const words of [
    'the pseudo-locale translates nothing',
    'The provider deepl is not set up on this server',
    'The configuration no longer names it, so it is not updated any more.',
    'words/terms.yml:1:21: There is no language',
    'must be a mapping of paths to their operations.',
    'had 0 words translated by <code>deepl</code> in 0 requests (a run may send 500,000).',
    'It is fetched again',
    '<span>API specification oil</span>',
    '<strong>Some of its conversations are missing.</strong> The App may not read discussions of acme/lantern.',
  ])
    expect(text).toContain(words);
  expect(text.split('Some of its conversations are missing.')).toHaveLength(2);
  const states = [...text.matchAll(/<span class="state \w+">([^<]+)</g)].map(([, state]) => state);
  expect(states).toEqual([
    ...['Live', 'Live', 'Failed', 'Waiting'],
    ...['Current', 'Failed', 'Waiting', 'Left alone', 'Failed', 'Failed'],
  ]);

  const answer = await pages.get('/status.json', { cookie });
  const { items } = (await answer.json()) as { items: readonly Record<string, readonly object[]>[] };
  expect(items[0]).toMatchObject({
    specifications: [{ name: 'lamps', state: 'complete', problems: [] }, { name: 'oil', version: null }, {}],
    translations: [
      { language: 'de', provider: 'pseudo', status: 'completed', isCurrent: true, stats: { runs: 1 } },
      {
        language: 'fr',
        provider: 'deepl',
        status: 'failed',
        failure: expect.stringContaining('DEEPL_API_KEY'),
      },
      { language: 'pt-br', status: 'pending', ranAt: null },
      { isNamed: false },
      { translationId: null, status: null },
    ],
    jobs: [{ subject: 'specifications/oil', state: 'failed', attempt: 9 }],
  });

  const run = /action="(\/status\/7\/translations\/[\w-]+\/run)"/.exec(text)?.[1] ?? '';
  const done = async (path: string, headers = {}) => {
    const posted = await pages.post(path, {}, { cookie, ...headers });
    return `${posted.status} ${posted.headers.get('location')}`;
  };
  expect(await done(run, { 'sec-fetch-site': 'cross-site' })).toBe('403 null');
  expect(await done(run)).toBe('303 /status?done=run&of=7');
  expect(await done('/status/7/translations/none/run')).toBe('303 /status?done=changed');
  expect(await done('/status/7/specifications/oil/read')).toBe('303 /status?done=read&of=7');
  expect(await done('/status/7/specifications/gas/read')).toBe('303 /status?done=changed');
  expect(pages.asked).toEqual(['read 7 oil']);
});

test('after a button was pressed, the status page loads itself again until it can say how it ended', async () => {
  const sample = await createSampleStatus(pages.platform, { spaceId, liveOid: 'a'.repeat(40) });
  const settled = { ...sample, id: 8, name: 'acme/settled', specifications: [], translations: [], jobs: [] };
  const job = {
    id: '1',
    subject: { kind: 'branch', name: 'main' },
    attempt: 1,
    at: new Date().toISOString(),
  } as const;
  const show = async (repository: typeof settled | Omit<typeof sample, never>, address: string) => {
    pages.repositories.splice(0, pages.repositories.length, repository);
    const answer = await pages.get(address, { cookie });
    const [, tone, words] = /<p class="notice (\w+)" role="status">([^<]+)</.exec(await answer.text()) ?? [];
    return [tone, words, answer.headers.get('refresh')];
  };
  const waits = ['wait', 'acme/settled is being synced. This page shows by itself how it ends.'];
  expect(await show(settled, '/status?done=sync&of=8')).toEqual([
    ...waits,
    '2; url=/status?done=sync&of=8&look=1',
  ]);
  const busy = { ...settled, jobs: [{ ...job, state: 'running', error: null } as const] };
  expect(await show(busy, '/status?done=sync&of=8&look=7')).toEqual([
    ...waits,
    '2; url=/status?done=sync&of=8&look=8',
  ]);
  expect(await show(busy, '/status?done=sync&of=8&look=150')).toEqual([
    'wait',
    'acme/settled still is being synced; its state is below.',
    null,
  ]);
  const failed = { ...settled, jobs: [{ ...job, state: 'waiting', error: 'GitHub answered 502.' } as const] };
  expect(await show(failed, '/status?done=sync&of=8&look=1')).toEqual([
    'bad',
    'acme/settled has something that failed: the reason is below.',
    null,
  ]);
  expect(await show(settled, '/status?done=sync&of=8&look=1')).toEqual([
    'good',
    'acme/settled is synced; what is live is below.',
    null,
  ]);
  expect(await show(settled, '/status?done=gone')).toEqual([
    'bad',
    'There is no such failed job any more.',
    null,
  ]);
  // What an address claims is shown only of what its reader may see.
  expect((await show(settled, '/status?done=sync&of=9&look=1'))[2]).toBeNull();
});
