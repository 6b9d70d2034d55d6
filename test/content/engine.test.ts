import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { backlinksOf, createEngine, type TreeEntry, unreadFacts } from '../../src/content/index.ts';
import { MAX_PAGE_BYTES } from '../../src/content/model/index.ts';
import { turnsDuring } from '../support/turns-during.ts';
import { treeOf } from './analysis-of.ts';

type Files = Readonly<Record<string, string>>;

/** A reader that tells which paths were read. */
function readerOf(blobs: ReadonlyMap<string, string>, seen: string[]) {
  return async function* read(entries: readonly TreeEntry[]) {
    for (const { oid, path } of entries) {
      seen.push(path);
      const text = blobs.get(oid);
      if (text !== undefined) yield { oid, bytes: new TextEncoder().encode(text) };
    }
  };
}

async function analyse(engine: ReturnType<typeof createEngine>, files: Files) {
  const { tree, blobs } = treeOf({ files });
  const seen: string[] = [];
  const analysis = await engine.analyse({ tree, directory: '', read: readerOf(blobs, seen) });
  return { analysis, seen };
}

describe('createEngine', () => {
  const files = { 'a.md': '[x](b.md#b)', 'b.md': '# B', 'c.md': '# B', 'logo.png': 'bytes' };

  it('reads each blob once, and of a second tree only what changed', async () => {
    const engine = createEngine();
    const first = await analyse(engine, files);
    expect(first.seen).toEqual(['a.md', 'b.md']);
    const second = await analyse(engine, { ...files, 'b.md': '# Other', 'd/moved.md': '[x](b.md#b)' });
    expect(second.seen).toEqual(['b.md']);
    expect(second.analysis.links.map((link) => `${link.file} ${link.rule}`)).toEqual([
      'a.md missing-anchor',
      'd/moved.md missing-page',
    ]);
  });

  it('lets others use the thread while it checks many links, of a first tree and of the next one', async () => {
    const engine = createEngine();
    const page = '[a](b.md#b) '.repeat(20_000);
    const first = await turnsDuring(analyse(engine, { 'a.md': page, 'b.md': '# B' }));
    expect(first.turns).toBeGreaterThanOrEqual(30);
    const next = await turnsDuring(analyse(engine, { 'a.md': page, 'b.md': '# C' }));
    expect(next.turns).toBeGreaterThanOrEqual(30);
    expect(next.result.analysis.links.every(({ rule }) => rule === 'missing-anchor')).toBe(true);
  });

  it('lets others use the thread while it counts which links lead nowhere, for a first tree and for the same again', async () => {
    const links = Array.from({ length: 20_000 }, (_, at) => `[a](guides/${at}/) `).join('');
    const files = { 'a.md': links, 'b.md': '# B' };
    await analyse(createEngine(), files);
    const engine = createEngine();
    const first = await turnsDuring(analyse(engine, files));
    expect(new Set(first.result.analysis.links.map(({ status }) => status))).toEqual(new Set(['unchecked']));
    // Each link is checked, and used to find how links are written, to count those that lead somewhere, and to find what is a
    // convention; the list is read to compare it with the last one, and to replace it.
    expect(first.turns).toBeGreaterThanOrEqual(1_100);
    const again = await turnsDuring(analyse(engine, files));
    expect(again.turns).toBeGreaterThanOrEqual(350);
    expect(again.result.analysis.links).toEqual(first.result.analysis.links);
  });

  it('gives each of several analyses of one space the verdicts of its own tree, also when they take turns', async () => {
    const engine = createEngine();
    const page = '[a](b.md#b) '.repeat(5_000);
    await analyse(engine, { 'a.md': page, 'b.md': '# B' });
    const texts = ['# B', '# C', '# D\n\n## B', '# E'];
    const found = await Promise.all(texts.map((text) => analyse(engine, { 'a.md': page, 'b.md': text })));
    const rules = found.map(({ analysis }) => new Set(analysis.links.map(({ rule }) => rule)));
    expect(rules).toEqual([
      new Set([null]),
      new Set(['missing-anchor']),
      new Set([null]),
      new Set(['missing-anchor']),
    ]);
  });

  it('uses what was read in one scope in no other that was not given the bytes', async () => {
    const engine = createEngine();
    await analyse(engine.within('one'), files);
    const other = engine.within('two');
    const { tree } = treeOf({ files });
    expect(other.factsOf(tree[0]?.oid ?? '', 'a.md')).toBeUndefined();
    const named = await other.analyse({ tree, directory: '', read: async function* () {} });
    expect(named.links).toEqual([]);
    const huge = tree.map((entry) => ({ ...entry, size: 10 * MAX_PAGE_BYTES }));
    expect((await other.analyse({ tree: huge, directory: '', read: async function* () {} })).links).toEqual(
      [],
    );
    expect(other.factsOf(tree[0]?.oid ?? '', 'a.md')).toBeUndefined();
    expect((await analyse(engine.within('one'), files)).seen).toEqual([]);
  });

  it.each([
    { files: 100, bytes: 10, atOnce: 64 },
    { files: 10, bytes: 1024 * 1024, atOnce: 5 },
  ])('reads $files files of $bytes bytes, $atOnce at once, in their order', async (sizes) => {
    const numbers = Array.from({ length: sizes.files }, (_, at) => at);
    const files = Object.fromEntries(
      numbers.map((at) => [`${at}.md`, `# ${at}`.padEnd(sizes.bytes)] as const),
    );
    let underWay = 0;
    let most = 0;
    const engine = createEngine({
      async readFacts(reading, bytes) {
        underWay += 1;
        most = Math.max(most, underWay);
        // The later a file is begun, the sooner it is read.
        for (let turns = 300 - 4 * underWay; turns > 0; turns -= 1) await nextTurn();
        underWay -= 1;
        return (await reading.load())(bytes);
      },
    });
    const { analysis } = await analyse(engine, files);
    expect(analysis).toEqual((await analyse(createEngine(), files)).analysis);
    expect(most).toBe(sizes.atOnce);
  });

  it('reads the bytes in a further scope, and neither parses nor checks the same ones again', async () => {
    let parsed = 0;
    const engine = createEngine({
      readFacts: async (reading, bytes) => {
        parsed += 1;
        return (await reading.load())(bytes);
      },
    });
    const first = await analyse(engine.within('one'), files);
    const { links } = engine.work;
    const other = engine.within('two');
    const second = await analyse(other, files);
    expect(second.seen).toEqual(['a.md', 'b.md']);
    expect([parsed, engine.work.links]).toEqual([2, links]);
    expect(second.analysis.links).toEqual(first.analysis.links);
    // Each goes on by itself.
    const changed = { ...files, 'b.md': '# Other' };
    expect((await analyse(engine.within('one'), changed)).seen).toEqual(['b.md']);
    const later = await analyse(other, { ...files, 'd.md': '[y](b.md#b)' });
    expect(later.seen).toEqual(['d.md']);
    expect(later.analysis.links.map((link) => `${link.file} ${link.status}`)).toEqual(['a.md ok', 'd.md ok']);
    expect((await analyse(other, changed)).analysis.links).toEqual(
      (await analyse(createEngine(), changed)).analysis.links,
    );
  });

  it('reads a file again in a further scope when it exceeded a limit in another', async () => {
    let isBusy = true;
    const engine = createEngine({
      readFacts: async (reading, bytes) =>
        isBusy ? unreadFacts('The file takes more than 10 s to read.') : (await reading.load())(bytes),
    });
    const first = await analyse(engine.within('one'), files);
    expect(first.analysis.links).toEqual([]);
    isBusy = false;
    const second = await analyse(engine.within('two'), files);
    expect(second.analysis.links.map((link) => link.status)).toEqual(['ok']);
  });

  it('distinguishes a table of contents from a page with the same bytes', async () => {
    const text = '* [A](a.md)\n';
    const { analysis } = await analyse(createEngine(), {
      'copy.md': text,
      'SUMMARY.md': text,
      'a.md': '# A',
    });
    expect(analysis.pages.map((page) => page.file)).toEqual(['a.md']);
  });

  it('reads outside the space only pages whose headings are linked to', async () => {
    const { tree, blobs } = treeOf({
      files: {
        'docs/a.md': '[x](../CONTRIBUTING.md#start) [y](../other/b.md) [z](../.github/c.md#none)',
        'CONTRIBUTING.md': '# Start',
        'other/b.md': '# B',
        '.github/c.md': '# C',
        'README.md': '# Home',
      },
    });
    const seen: string[] = [];
    const analysis = await createEngine().analyse({ tree, directory: 'docs', read: readerOf(blobs, seen) });
    expect(seen).toEqual(['docs/a.md', 'CONTRIBUTING.md', '.github/c.md']);
    expect(analysis.links.map((link) => link.rule ?? link.status)).toEqual(['ok', 'ok', 'missing-anchor']);
    expect(analysis.problems).toEqual([]);
  });

  it('does not request a page that is too large, and reports it', async () => {
    const { tree, blobs } = treeOf({ files });
    const heavy = tree.map((entry) =>
      entry.path === 'b.md' ? { ...entry, oid: 'big', size: 50_000_000 } : entry,
    );
    const seen: string[] = [];
    const analysis = await createEngine().analyse({
      tree: heavy,
      directory: '',
      read: readerOf(blobs, seen),
    });
    expect(seen).toEqual(['a.md', 'c.md']);
    expect(analysis.links.map((link) => link.status)).toEqual(['unchecked']);
    expect(analysis.problems.map((one) => one.message)).toEqual([
      'The file is larger than 4 MB and was not read.',
    ]);
  });

  it('drops the least recently used facts above the size limit, and still has the right results', async () => {
    const engine = createEngine({ maxBytes: 1_500 });
    const { analysis } = await analyse(engine, files);
    expect(analysis.links.map((link) => link.status)).toEqual(['ok']);
    expect(engine.bytes).toBeLessThanOrEqual(1_500);
    const again = await analyse(engine, files);
    expect(again.analysis).toEqual(analysis);
  });

  it('checks again only the links to a heading that changed, and only a part of a long list', async () => {
    const pages = Object.fromEntries(
      Array.from({ length: 100 }, (_, at) => [`p${at}.md`, `# P\n\n[next](p${(at + 1) % 100}.md#p)`]),
    );
    const list = Object.keys(pages).map((path) => `[x](${path})`);
    const engine = createEngine();
    const all: Record<string, string> = { ...pages, 'list.md': list.join('\n') };
    await analyse(engine, all);
    expect(engine.work).toEqual({ blobs: 101, links: 200 });
    const renamed: Record<string, string> = { ...all, 'p7.md': '# Q\n\n[next](p8.md#p)' };
    const { analysis } = await analyse(engine, renamed);
    expect(analysis.links.filter((link) => link.rule !== null).map((link) => link.file)).toEqual(['p6.md']);
    expect(engine.work).toEqual({ blobs: 102, links: 202 });
    const fewer = Object.fromEntries(Object.entries(renamed).filter(([path]) => path !== 'p9.md'));
    const { analysis: last } = await analyse(engine, fewer);
    const gone = last.links.filter((link) => link.rule === 'missing-page').map((link) => link.file);
    expect(gone.toSorted()).toEqual(['list.md', 'p8.md']);
    expect(engine.work).toEqual({ blobs: 102, links: 202 + 1 + 32 });
  });

  it('checks only what a change of the table of contents affects', async () => {
    const names = Array.from({ length: 100 }, (_, at) => `p${at}.md`);
    const pages = Object.fromEntries(names.map((name) => [name, '# P\n\n[first](p0.md)\n']));
    const summaryOf = (listed: readonly string[]) => listed.map((name) => `* [P](${name})\n`).join('');
    const engine = createEngine();
    const versions = [names, names.slice(0, -1)].map((listed) => ({
      ...pages,
      'SUMMARY.md': `# Summary\n\n${summaryOf(listed)}`,
    }));
    for (const files of versions) {
      const { tree, blobs } = treeOf({ files });
      await engine.analyse({ tree, directory: '', format: 'gitbook', read: readerOf(blobs, []) });
    }
    // First 100 pages and 100 entries; then the 99 entries that are left, and the page that is not listed any more.
    expect(engine.work.links).toBe(200 + 99 + 1);
  });

  it('caches no more verdicts than allowed, however many spaces it analyses', async () => {
    const engine = createEngine({ maxBytes: 20_000 });
    for (let round = 0; round < 30; round += 1) {
      const { tree, blobs } = treeOf({ files: { [`s${round}/a.md`]: `# ${round}\n\n[x](#y) [z](b.md)` } });
      await engine.analyse({ tree, directory: `s${round}`, read: readerOf(blobs, []) });
      expect(engine.bytes).toBeLessThanOrEqual(20_000);
    }
  });

  it('analyses one space twice at the same time', async () => {
    const engine = createEngine();
    await analyse(engine, files);
    const others = [
      { ...files, 'b.md': '# Other' },
      { ...files, 'd.md': '[x](a.md)' },
    ];
    const both = await Promise.all(others.map((one) => analyse(engine, one)));
    for (const [at, { analysis }] of both.entries()) {
      const alone = await analyse(createEngine(), others[at] ?? {});
      expect(analysis).toEqual(alone.analysis);
    }
  });

  it('reports which files could not be read, and checks nothing against them', async () => {
    const { tree, blobs } = treeOf({ files });
    const [gone] = tree.filter((entry) => entry.path === 'b.md');
    blobs.delete(gone?.oid ?? '');
    const analysis = await createEngine().analyse({ tree, directory: '', read: readerOf(blobs, []) });
    expect(analysis.links.map((link) => link.status)).toEqual(['unchecked']);
    expect(analysis.problems.map((problem) => problem.file)).toEqual(['b.md', 'c.md']);
  });

  it('finds the links to a page', async () => {
    const { analysis } = await analyse(createEngine(), {
      'a.md': '[x](b.md#none) [self](a.md)',
      'c/d.md': '[y](../b.md)',
      'b.md': '# B',
    });
    expect(backlinksOf(analysis, 'b.md').map((link) => link.file)).toEqual(['a.md', 'c/d.md']);
    expect(backlinksOf(analysis, 'a.md')).toEqual([]);
  });
});
