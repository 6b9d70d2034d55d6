/** What the byte store lost of a space is fetched from its repository again, and until then readers are told. */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHttp, type Http } from '../../src/net/index.ts';
import { answerLostBytes } from '../../src/platform/content/lost-bytes.ts';
import {
  type BlobStore,
  countLostBytes,
  createObjectStore,
  insertTranslation,
  openBlobs,
  openFolderBlobs,
  tables,
} from '../../src/store/index.ts';
import { casesAtLength, testAtLength } from '../support/describe-at-length.ts';
import { type ObjectServer, startObjectServer } from '../support/object-server.ts';
import { startPlatform, type TestPlatform } from './start-platform.ts';

const picture = '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="3"/>\n';

const damages = ['missing', 'other ones'] as const;

interface Damage {
  open(db: TestPlatform['deps']['db']): Promise<BlobStore>;
  /** Deletes the bytes of a blob, or puts others in their place, wherever a process would find them. */
  lose(oid: string, others: string | null): Promise<void>;
  close(): Promise<void>;
}

async function inFolder(): Promise<Damage> {
  const folder = await mkdtemp(join(tmpdir(), 'docloom-lost-'));
  return {
    open: () => openFolderBlobs(folder),
    async lose(oid, others) {
      const path = join(folder, oid.slice(0, 2), oid.slice(2));
      await (others === null ? rm(path) : writeFile(path, others));
    },
    close: () => rm(folder, { recursive: true }),
  };
}

async function inObjectStore(): Promise<Damage> {
  const folder = await mkdtemp(join(tmpdir(), 'docloom-lost-'));
  const server: ObjectServer = await startObjectServer(folder);
  const http: Http = createHttp({ userAgent: 'test', backoffMs: 1 });
  const objects = createObjectStore(server.settings, http);
  return {
    open: (db) =>
      openBlobs({ dataDir: folder, settings: { objects: server.settings, cacheBytes: 1e9 }, db, http }),
    async lose(oid, others) {
      const key = `${oid.slice(0, 2)}/${oid.slice(2)}`;
      await (others === null ? objects.delete(key) : objects.put(key, Buffer.from(others)));
      const cache = join(folder, 'blob-cache');
      for (const name of await readdir(cache)) await rm(join(cache, name), { recursive: true });
    },
    async close() {
      await http.close();
      await server.close();
      await rm(folder, { recursive: true });
    },
  };
}

describe.each(
  casesAtLength(
    'bytes that are lost in an object store',
    [['a folder', inFolder]] as const,
    [['an object store', inObjectStore]] as const,
  ),
)('bytes that are lost in %s', (_name, start) => {
  let damage: Damage;
  let platform: TestPlatform;
  beforeAll(async () => {
    damage = await start();
    platform = await startPlatform({ blobs: damage.open });
  });
  afterAll(async () => {
    await platform?.close();
    await damage?.close();
  });

  async function prepare(name: string) {
    const { repo, url } = await platform.createRepo(name.replaceAll(' ', '-'));
    await repo.commit({
      'README.md': `# ${name}\n\n![dot](dot.svg)\n`,
      'dot.svg': `${picture}<!-- ${name} -->`,
    });
    const spaceId = await platform.createSpace(name);
    const imported = await platform.importBranch(spaceId, { url });
    expect(imported).toMatchObject({ state: 'success' });
    const oidOf = (path: string) => repo.git(['rev-parse', `main:${path}`]);
    const importAgain = () => platform.importBranch(spaceId, { url });
    return {
      spaceId,
      repo,
      importAgain,
      imported,
      dot: await oidOf('dot.svg'),
      home: await oidOf('README.md'),
    };
  }

  async function download(spaceId: string) {
    const { items } = (await platform.api('GET', `/spaces/${spaceId}/content/files`)).body;
    const { pathname, search } = new URL(items[0].downloadURL);
    const answer = await fetch(`${platform.url}${pathname}${search}`, {
      headers: { authorization: `Bearer ${platform.token}` },
    });
    return {
      status: answer.status,
      retryAfter: answer.headers.get('retry-after'),
      text: await answer.text(),
    };
  }

  const lostIn = async (spaceId: string) =>
    (await platform.api('GET', `/spaces/${spaceId}/git/operations`)).body.items[0].lost;

  it('of a translation are fetched for the space that it translates', async () => {
    const { spaceId, dot } = await prepare('an original');
    const resultSpaceId = await platform.createSpace('its translation');
    const { db } = platform.deps;
    await db.insert(tables.spaceBlobs).values({ spaceId: resultSpaceId, oid: dot });
    const answer = async () =>
      (await answerLostBytes(platform.deps, { spaceId: resultSpaceId, oid: dot, of: 'file' }))?.message;
    expect(await answer()).toContain('they did not come from a repository');
    const { organizationId } = platform;
    const row = { organizationId, sourceSpaceId: spaceId, resultSpaceId, language: 'de' };
    await insertTranslation(db, { id: 'lost-in-translation', ...row });
    expect(await answer()).toContain('import the space from its repository again to fetch them');
    expect(await lostIn(spaceId)).toMatchObject({ count: 1, isDue: true });
    await db.delete(tables.spaceBlobs).where(eq(tables.spaceBlobs.oid, dot));
  });

  it.each(
    casesAtLength(
      'bytes that are other ones of another size',
      [
        ['missing', null],
        ['other ones of the same size', `${picture}<!-- 0ther ones of the same size -->`],
      ] as const,
      [['other ones', 'x'.repeat(40)]] as const,
    ),
  )('are told to readers and fetched by the next import, when they are %s', async (name, others) => {
    const { spaceId, importAgain, imported, dot } = await prepare(name);
    const right = await download(spaceId);
    expect(right).toMatchObject({ status: 200, text: `${picture}<!-- ${name} -->` });
    await damage.lose(dot, others);
    for (let reader = 0; reader < 2; reader++) {
      const { status, retryAfter, text } = await download(spaceId);
      expect([status, retryAfter]).toEqual([503, '5']);
      expect(JSON.parse(text).error.message).toBe(
        'The bytes of this file were lost on this server: import the space from its repository again to fetch them.',
      );
    }
    expect(await lostIn(spaceId)).toMatchObject({ count: 1, isDue: true });
    expect(await countLostBytes(platform.deps.db)).toEqual({ due: 1, gone: 0 });

    const again = await importAgain();
    expect(again).toMatchObject({
      state: 'success',
      unchanged: true,
      revision: imported.revision,
      message:
        'The content is the same as before, so no new revision was needed. The bytes of 1 file that were lost on this server were fetched again.',
    });
    expect(await download(spaceId)).toEqual(right);
    expect(await lostIn(spaceId)).toBeUndefined();
    expect(await countLostBytes(platform.deps.db)).toEqual({ due: 0, gone: 0 });
  });

  it('are asked for once where the space has a repository that is connected', async () => {
    const { spaceId, dot } = await prepare('connected');
    const asked: unknown[] = [];
    Object.assign(platform.deps, {
      refetch: async (...call: unknown[]) => {
        asked.push(call);
        return true;
      },
    });
    await damage.lose(dot, null);
    const answers = [await download(spaceId), await download(spaceId)];
    Object.assign(platform.deps, { refetch: undefined });
    for (const { text } of answers)
      expect(JSON.parse(text).error.message).toBe(
        'The bytes of this file were lost on this server and are being fetched again from its repository; try again in a minute.',
      );
    expect(asked).toEqual([
      [spaceId, { isFirst: true }],
      [spaceId, { isFirst: false }],
    ]);
    await platform.database.store.db.delete(tables.spaces).where(eq(tables.spaces.id, spaceId));
  });

  it('are found again by whoever reads them when the store has them again', async () => {
    const { spaceId, dot } = await prepare('passing');
    await damage.lose(dot, 'passing');
    expect((await download(spaceId)).status).toBe(503);
    await damage.lose(dot, `${picture}<!-- passing -->`);
    expect((await download(spaceId)).status).toBe(200);
    expect(await lostIn(spaceId)).toBeUndefined();
  });

  it('are fetched for all spaces that have them, also where nobody noticed', async () => {
    const first = await prepare('shared');
    const { repo, url } = await platform.createRepo('shared-too');
    await repo.commit({ 'README.md': '# Too\n\n![dot](dot.svg)\n', 'dot.svg': `${picture}<!-- shared -->` });
    const secondId = await platform.createSpace('shared too');
    await platform.importBranch(secondId, { url });
    await damage.lose(first.dot, null);
    expect((await download(first.spaceId)).status).toBe(503);
    await first.importAgain();
    expect((await download(secondId)).status).toBe(200);
  });

  testAtLength(
    'that are in no repository any more are named, and no import looks for them again and again',
    async () => {
      const { spaceId, importAgain, dot } = await prepare('edited');
      const { body: source } = await platform.api('GET', `/spaces/${spaceId}/content/files`);
      const uploaded = `${picture}<!-- uploaded -->`;
      const { body: changeRequest } = await platform.api('POST', `/spaces/${spaceId}/change-requests`, {
        body: { subject: 'Another picture' },
      });
      const changed = await platform.api(
        'POST',
        `/spaces/${spaceId}/change-requests/${changeRequest.id}/content`,
        { body: { changes: [{ type: 'upload', path: 'dot.svg', base64: btoa(uploaded) }] } },
      );
      expect([changed.status, source.items.length, dot.length]).toEqual([200, 1, 40]);
      await platform.api('POST', `/spaces/${spaceId}/change-requests/${changeRequest.id}/merge`);
      const [row] = await platform.deps.db
        .select()
        .from(tables.files)
        .where(eq(tables.files.size, uploaded.length));
      const oid = row?.gitOid ?? '';
      // Uploads are among the texts, too, from which an import would read them.
      await platform.deps.db.delete(tables.texts).where(eq(tables.texts.oid, oid));
      await damage.lose(oid, null);
      expect((await download(spaceId)).status).toBe(503);
      const again = await importAgain();
      expect(again).toMatchObject({ state: 'success' });
      const { status, text } = await download(spaceId);
      expect(status).toBe(404);
      expect(JSON.parse(text).error.message).toBe(
        'The bytes of this file were lost on this server, and its repository does not have them: restore them from a backup, or upload the file again.',
      );
      expect(await lostIn(spaceId)).toMatchObject({ count: 1, isDue: false });
      expect(await importAgain()).toMatchObject({ unchanged: true });
    },
  );

  it.each(damages)('of a page are fetched, too, when they are %s', async (name) => {
    const { spaceId, importAgain, home } = await prepare(`page ${name}`);
    await loseText(home, name);
    const { pages } = (await platform.api('GET', `/spaces/${spaceId}/content`)).body;
    const read = () => platform.api('GET', `/spaces/${spaceId}/content/page/${pages[0].id}?format=markdown`);
    const lost = await read();
    expect(lost.status).toBe(503);
    expect(lost.body.error.message).toContain('The bytes of this page were lost on this server');
    expect(await importAgain()).toMatchObject({ state: 'success', unchanged: true });
    expect((await read()).body.markdown).toContain(`# page ${name}`);
  });

  const included = [
    [
      'mdBook',
      {
        'book.toml': '[book]\nsrc = "src"\n',
        'src/SUMMARY.md': '# Summary\n\n- [Chapter](chapter.md)\n',
        'src/chapter.md': '# Chapter\n\n{{#include part.txt}}\n',
      },
      'src/part.txt',
    ],
    [
      'a snippet of VitePress',
      {
        '.vitepress/config.json': '{}\n',
        'package.json': '{"devDependencies":{"vitepress":"1"}}\n',
        '.vitepress/config.ts': 'export default {};\n',
        'index.md': '# Chapter\n\n<<< @/part.txt\n',
      },
      'part.txt',
    ],
    [
      'a reusable block of GitBook',
      {
        '.gitbook.yaml': 'root: ./\n',
        'SUMMARY.md': '# Summary\n\n- [Chapter](README.md)\n',
        'README.md': '# Chapter\n\n{% include ".gitbook/includes/part.md" %}\n',
      },
      '.gitbook/includes/part.md',
    ],
  ] as const;
  const losses = included.map(([name, files, part], at) =>
    // Each damage at another format first.
    (at % 2 === 0 ? damages : damages.toReversed()).map(
      (how) => [`${name}, ${how}`, files, part, how] as const,
    ),
  );
  it.each(
    casesAtLength(
      'what pages include, damaged in the other way too',
      losses.flatMap((ways) => ways.slice(0, 1)),
      losses.flatMap((ways) => ways.slice(1)),
    ),
  )(
    'of what pages include are fetched, too, and no page shows others (%s)',
    async (name, files, part, how) => {
      const title = `parts of ${name}`;
      const { repo, url } = await platform.createRepo(title.replaceAll(/\W+/g, '-'));
      const said = `What stands in the part of ${title}.`;
      await repo.commit({ ...files, [part]: `${said}\n` });
      const spaceId = await platform.createSpace(title);
      const importAgain = () => platform.importBranch(spaceId, { url });
      expect(await importAgain()).toMatchObject({ state: 'success' });
      const { pages } = (await platform.api('GET', `/spaces/${spaceId}/content`)).body;
      const read = () =>
        platform.api('GET', `/spaces/${spaceId}/content/page/${pages[0].id}?format=markdown`);
      const oid = await repo.git(['rev-parse', `main:${part}`]);
      await loseText(oid, how);
      await damage.lose(oid, null).catch(() => {});
      const lost = await read();
      expect(lost.status).toBe(503);
      expect(lost.body.error.message).toContain('The bytes of this file were lost on this server');
      expect(await lostIn(spaceId)).toMatchObject({ count: 1, isDue: true });
      expect(await importAgain()).toMatchObject({ state: 'success', unchanged: true });
      expect((await read()).body.markdown).toContain(said);
      expect(await lostIn(spaceId)).toBeUndefined();
    },
  );

  it.each(
    casesAtLength(
      'an order of pages that is lost as other bytes',
      ['missing'] as const,
      ['other ones'] as const,
    ),
  )('of what orders the pages are never missed silently by an edit, when they are %s', async (how) => {
    const title = `order ${how}`;
    const { repo, url } = await platform.createRepo(title.replaceAll(' ', '-'));
    await repo.commit({
      'SUMMARY.md': `# ${title}\n\n- [Second](second.md)\n- [First](README.md)\n`,
      'README.md': `# First of ${title}\n`,
      'second.md': `# Second of ${title}\n`,
    });
    const spaceId = await platform.createSpace(title);
    const importAgain = () => platform.importBranch(spaceId, { url });
    expect(await importAgain()).toMatchObject({ state: 'success' });
    const { body: changeRequest } = await platform.api('POST', `/spaces/${spaceId}/change-requests`, {
      body: { subject: 'A third page' },
    });
    await loseText(await repo.git(['rev-parse', 'main:SUMMARY.md']), how);

    const source = () =>
      platform.api(
        'GET',
        `/spaces/${spaceId}/editing/source?changeRequest=${changeRequest.id}&path=SUMMARY.md`,
      );
    const lost = await source();
    expect([lost.status, lost.body.error?.message]).toEqual([
      503,
      expect.stringContaining('were lost on this server'),
    ]);
    expect(await importAgain()).toMatchObject({ state: 'success', unchanged: true });
    expect((await source()).body.text).toContain('- [Second](second.md)');
    expect(await lostIn(spaceId)).toBeUndefined();
  });

  async function loseText(oid: string, how: (typeof damages)[number]): Promise<void> {
    const { texts } = tables;
    const { db } = platform.deps;
    await (how === 'missing'
      ? db.delete(texts).where(eq(texts.oid, oid))
      : db
          .update(texts)
          .set({ bytes: Buffer.from('What stood elsewhere.\n') })
          .where(eq(texts.oid, oid)));
  }
});
