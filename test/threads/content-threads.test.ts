import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { blocksOf, enclosingBlocks } from '../../src/content/anchors/index.ts';
import { parseGlossary } from '../../src/content/glossary/index.ts';
import { findReading } from '../../src/content/index.ts';
import { toDocument } from '../../src/content/render/index.ts';
import { readToml } from '../../src/content/toml/index.ts';
import { findSegments } from '../../src/content/translation/index.ts';
import { readYaml } from '../../src/content/yaml/index.ts';
import { runContentTask } from '../../src/threads/content/content-task.ts';
import { createContentThreads } from '../../src/threads/content/content-threads.ts';
import { indexSections } from '../../src/threads/content/index-sections.ts';
import { RecentValues } from '../../src/threads/content/recent-values.ts';
import { createThreadRunner } from '../../src/threads/index.ts';
import { casesAtLength, describeAtLength, testAtLength } from '../support/describe-at-length.ts';
import { hostilePages } from '../support/hostile-pages.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { turnsDuring } from '../support/turns-during.ts';

const threads = createContentThreads();
const IMPATIENT_MS = 500;
const impatient = createContentThreads({ timeoutMs: IMPATIENT_MS, waitMs: PATIENCE_MS, memoryMb: 768 });
/** Of a hostile page, in characters; short ones are rendered without a thread. CI tries longer ones than everybody's desk. */
const LENGTH = process.env['CI'] === undefined ? 10_000 : 20_000;
/** Of a large configuration. */
const ENTRIES = process.env['CI'] === undefined ? 3_000 : 10_000;
afterAll(async () => {
  await threads.close();
  await impatient.close();
});

const page = (markdown: string, more: object = {}) => ({
  markdown,
  dialect: '',
  reservedIds: 'frame-',
  addresses: new Map(),
  operations: new Map(),
  privateSpecs: new Set<string>(),
  ...more,
});

describeAtLength('hostile pages', false, () => {
  test('are rendered by other processes than the one that answers', async () => {
    await runContentTask({ kind: 'html', page: page('# A') }); // loads its modules
    for (const [at, [name, markdown]] of hostilePages(LENGTH).entries()) {
      const rendering = threads.render(page(markdown)).catch((error: Error) => error);
      // Counting keeps a processor busy that the other process needs, so not for each page.
      const rendered = await (at % 8 === 0 ? duringTurns(rendering) : rendering);
      if (rendered instanceof Error) expect(rendered.name, name).toMatch(/^Page(?:LimitError|NotRead)$/);
    }
  });
});

test('the nodes of a page are JSON, which the process that answers neither parses nor writes', async () => {
  const markdown = `|a|b|\n|-|-|\n${'|c|d|\n'.repeat(LENGTH / 6)}`;
  const nodes = { markdown, dialect: '', references: new Map() };
  const written = await duringTurns(threads.write(nodes));
  const document = await toDocument(markdown, { dialect: '', referTo: () => null });
  expect(JSON.parse(written)).toEqual(JSON.parse(JSON.stringify(document)));
});

test('the blocks of a page are read by another process, which keeps its nodes', async () => {
  const markdown = `# A\n\n|a|b|\n|-|-|\n${'|c|d|\n'.repeat(LENGTH / 6)}`;
  const page = { markdown, dialect: '', references: new Map() };
  const tree = await toDocument(markdown, { dialect: '', referTo: () => null });
  const { blocks, nodes } = await threads.readBlocks(page, { hasNodes: true });
  expect(blocks).toEqual(blocksOf(tree));
  expect(new Map(nodes)).toEqual(enclosingBlocks(tree));
  expect(await threads.readBlocks(page)).toEqual({ blocks, nodes: [] });
});

test('a page is composed of its parts by another process, unless they are short or exceed a limit', async () => {
  const hasty = createContentThreads({ timeoutMs: 1, memoryMb: 256 });
  const compose = async (part: string, dialect: string, by = threads) => {
    const written = { path: 'a.md', text: '# A\n\n<!--@include: ./b/c.md-->\n', dialect };
    const parts = [{ in: 'a.md', target: './b/c.md', path: 'b/c.md', oid: '1' }];
    const texts = new Map([['1', new TextEncoder().encode(part)]]);
    return await by.compose({ ...written, parts }, texts, { isImport: false });
  };
  const long = `[x](d.md)\n\n${'word '.repeat(2_000)}\n`;
  const [short, composed] = [
    await compose('[x](d.md)\n', 'vitepress', hasty),
    await compose(long, 'vitepress'),
  ];
  expect(short?.text).toBe('# A\n\n[x](b/d.md)\n');
  expect(composed?.text).toBe(`# A\n\n[x](b/d.md)\n\n${'word '.repeat(2_000)}\n`);
  expect(composed?.origins).toContainEqual(
    expect.objectContaining({ source: expect.objectContaining({ path: 'b/c.md' }) }),
  );
  const refused = await compose(long, 'vitepress', hasty).catch((error: Error) => error.name);
  expect([null, 'PageNotRead']).toContain(refused);
  await hasty.close();
});

testAtLength(
  'pages wait while all threads are busy, and those before which too many wait are to be read again in a moment',
  async () => {
    const part = `${'word '.repeat(2_000)}\n`;
    const parts = [{ in: 'a.md', target: './b.md', path: 'b.md', oid: '1' }];
    const written = { path: 'a.md', text: '<!--@include: ./b.md-->\n', dialect: 'vitepress', parts };
    const texts = new Map([['1', new TextEncoder().encode(part)]]);
    const read = await Promise.allSettled(
      Array.from({ length: 150 }, (_, at) =>
        at % 2 === 0 ? threads.compose(written, texts, { isImport: false }) : threads.render(page(part)),
      ),
    );
    const refusals = read.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    expect(read.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThanOrEqual(100);
    expect(refusals.length).toBeGreaterThan(0);
    for (const refusal of refusals) {
      expect(refusal).toMatchObject({
        name: 'PageNotRead',
        message: expect.stringMatching(/^The server is busy .* Open it again in a moment\.$/),
      });
    }
  },
);

/** Code in MDX that nests as deep as a page can, which overflows the stack of the native parser. */
const CRASHING = `{${'('.repeat(100_000)}1${')'.repeat(100_000)}}\n`;

test('a page that crashes its parser leaves this process alone, and others are read', async () => {
  const reading = (await findReading('docusaurus')) ?? expect.fail();
  const parser = createThreadRunner<string, never, never, string>(
    new URL('./crashing-thread.ts', import.meta.url),
    { timeoutMs: PATIENCE_MS, memoryMb: 256 },
  );
  await expect(parser.run(CRASHING)).rejects.toMatchObject({ name: 'ThreadLimitExceeded', code: 'CRASHED' });
  expect(await parser.run('# Title\n')).toBe('root');
  await parser.close();
  const facts = await threads.readFacts(reading, new TextEncoder().encode(`# Title\n\n${CRASHING}`));
  expect(facts).toHaveProperty('references');
});

test('a thread caches its compiled modules where its process does, and gets nothing else from it', async () => {
  const runner = createThreadRunner<null, never, never, NodeJS.ProcessEnv>(
    new URL('./environment-thread.ts', import.meta.url),
    { timeoutMs: PATIENCE_MS, memoryMb: 64 },
  );
  const { NODE_CHANNEL_FD, NODE_CHANNEL_SERIALIZATION_MODE, ...environment } = await runner.run(null);
  await runner.close();
  expect(environment).toEqual({ NODE_COMPILE_CACHE: dirname(getCompileCacheDir() ?? expect.fail()) });
});

test('code in MDX is read and rendered in other processes, however short it is', async () => {
  const hasty = createContentThreads({ timeoutMs: 1, memoryMb: 256 });
  const read = async (key: string, source: string) => {
    const reading = (await findReading(key)) ?? expect.fail();
    return await hasty.readFacts(reading, new TextEncoder().encode(source));
  };
  expect(await read('docusaurus', '# a\n')).toMatchObject({ problems: [] });
  for (const code of ['a {b}\n', '# a\n\nimport b from "./b.md"\n']) {
    for (const key of ['docusaurus', 'starlight:mdx', 'github:mdx'])
      await expect(read(key, code)).rejects.toMatchObject({ name: 'PageNotRead' });
    await expect(hasty.render(page(code, { dialect: 'docusaurus' }))).rejects.toThrow(/^This page takes/);
  }
});

testAtLength(
  'memory that the engine does not count is limited, too, and so is one large allocation',
  async () => {
    const runner = createThreadRunner<'native' | 'array', never, never, number>(
      new URL('./greedy-thread.ts', import.meta.url),
      { timeoutMs: PATIENCE_MS, memoryMb: 64 },
    );
    await expect(runner.run('array')).rejects.toMatchObject({ code: 'TOO_LARGE' });
    if (process.platform === 'linux')
      await expect(runner.run('native')).rejects.toMatchObject({ code: 'TOO_LARGE' });
  },
);

test('a short page and a long one resolve links, pictures and operations alike', async () => {
  const addresses = new Map([
    ['a b.md', { link: '/a', image: null }],
    ['gone.md', { link: null, image: null }],
    ['site', { link: undefined, image: null }],
    ['p.png', { link: '/p', image: '/p' }],
  ]);
  const short = '[a](a%20b.md) [g](gone.md) [s](site) [u](unknown.md) ![p](p.png) ![q](q.png)\n';
  const long = `${short}\n${'b\n\n'.repeat(5_000)}`;
  const results = [
    await threads.render(page(short, { addresses })),
    await threads.render(page(long, { addresses })),
  ];
  for (const { body } of results) {
    expect(body).toContain(
      '<a href="/a">a</a> <span class="broken-link" title="This link leads nowhere: gone.md">g</span> <span>s</span> <span>u</span> <img src="/p" alt="p" loading="lazy"> <span class="left-out">q</span>',
    );
  }
});

test('a page that takes too long is refused with a sentence, again without another try, and others are shown', async () => {
  const slow = page('*a _b '.repeat(330_000));
  const refusal = {
    name: 'PageLimitError',
    message: expect.stringMatching(/^This page takes more than 0.5 s/),
  };
  await expect(impatient.render(slow)).rejects.toMatchObject(refusal);
  // Without another try it needs no thread, so none that waits.
  const children = process.getActiveResourcesInfo().filter((kind) => kind === 'ProcessWrap').length;
  const again = impatient.render(slow);
  expect(process.getActiveResourcesInfo().filter((kind) => kind === 'ProcessWrap').length).toBe(children);
  await expect(again).rejects.toMatchObject(refusal);
  await threads.render(page('a\n\n'.repeat(2_000)));
});

test('a page above a limit of the renderer is refused with its sentence', async () => {
  await expect(
    threads.render(page(`${'> '.repeat(150)}a\n\n${'b\n\n'.repeat(2_000)}`)),
  ).rejects.toMatchObject({
    name: 'PageLimitError',
    message: expect.stringContaining('nests more than 100 elements'),
  });
});

testAtLength('sections and texts of a long page are those of its parser', async () => {
  const long = `# A\n\n${'Some *text* here.\n\n'.repeat(2_000)}## B\n\nMore.\n`;
  const { load } = (await findReading('')) ?? expect.fail();
  const { anchors } = (await load())(new TextEncoder().encode(long));
  expect(await threads.readSections(long, anchors)).toEqual(indexSections(long, anchors));
  expect(await threads.findSegments(long, 'a.md')).toEqual(findSegments(long, 'a.md'));
});

testAtLength(
  'a page whose sections or texts cannot be read says so, and is tried again if that may be the fault of the machine',
  async () => {
    const long = 'a *b* [c](d.md)\n\n'.repeat(200_000);
    await expect(impatient.findSegments(long, 'docs/a.md')).rejects.toMatchObject({
      name: 'PageLimitError',
      message: 'docs/a.md: the page takes more than 0.5 s to read, so it cannot be translated; split it.',
    });
    const small = createContentThreads({ timeoutMs: PATIENCE_MS, memoryMb: 24 });
    expect(await small.readSections('a word\n'.repeat(500_000), [])).toEqual({
      sections: [],
      problem: 'The page takes more than 24 MiB of memory to read, so search does not find its text.',
    });
    await small.close();
    const hasty = createContentThreads({ timeoutMs: 1, memoryMb: 256 });
    for (const read of [() => hasty.readSections(long, []), () => hasty.findSegments(long, 'a.md')])
      await expect(read()).rejects.toMatchObject({ name: 'PageNotRead' });
    expect(await threads.readSections('# a\n'.repeat(2_500), [])).toMatchObject({ problem: null });
  },
);

testAtLength('a page that was refused because the machine was busy is shown when it is not', async () => {
  const slow = page('a\n\n'.repeat(2_000));
  const limits = { timeoutMs: 1, memoryMb: 256 };
  const hasty = createContentThreads(limits);
  await expect(hasty.render(slow)).rejects.toMatchObject({
    name: 'PageNotRead',
    message: expect.stringContaining('perhaps because the server is busy'),
  });
  limits.timeoutMs = PATIENCE_MS;
  expect(await hasty.render(slow)).toHaveProperty('body');
  await hasty.close();
});

describe('reading facts', () => {
  const readings = casesAtLength(
    'reading facts in a thread by further readings',
    ['', 'gitbook-contents', 'docusaurus', 'starlight:markdoc'],
    [
      'contents',
      'github:mdx',
      'gitbook',
      'docusaurus-md',
      'docusaurus-case',
      'docusaurus-md-case',
      'vitepress',
      'mdbook',
      'mdbook-contents',
      'starlight',
      'starlight:mdx',
    ],
  );
  const text = `# Title\n\n* [a](b.md#c)\n\n${'<b>x</b> [d](e.md)\n\n'.repeat(1_000)}`;

  test.each(readings)('by “%s” is the same in a thread', async (key) => {
    const reading = (await findReading(key)) ?? expect.fail(`There is no reading ${key}.`);
    expect(reading.key).toBe(key);
    const bytes = new TextEncoder().encode(text);
    expect(await threads.readFacts(reading, bytes)).toEqual((await reading.load())(bytes));
  });

  testAtLength('a file that takes too long says so', async () => {
    const reading = (await findReading('')) ?? expect.fail();
    const bytes = new TextEncoder().encode('a *b* [c](d.md)\n\n'.repeat(200_000));
    const facts = await impatient.readFacts(reading, bytes);
    expect(facts).toMatchObject({ references: [], complete: false });
    expect(facts.problems).toEqual([
      { message: 'The file takes more than 0.5 s to read and was not read.', line: null },
    ]);
  });

  testAtLength('hostile files are read by other processes than the one that answers', async () => {
    const reading = (await findReading('')) ?? expect.fail();
    const notHere = {
      ...reading,
      load: () => Promise.reject(new Error('The file is read by this process.')),
    };
    for (const [name, markdown] of hostilePages(5 * LENGTH)) {
      const bytes = new TextEncoder().encode(markdown);
      expect(await threads.readFacts(notHere, bytes), name).toHaveProperty('references');
    }
  });
});

/**
 * What `work` results in, while others could use this thread. Who does such work here leaves no turn, once its modules are
 * loaded.
 */
async function duringTurns<Result>(work: Promise<Result>): Promise<Result> {
  const { result, turns } = await turnsDuring(work);
  expect(turns).toBeGreaterThan(0);
  return result;
}

test('a large glossary is parsed by another process, to the same terms or problems', async () => {
  const lines = Array.from({ length: 900 }, (_, at) => `term ${at}: {de: Wort ${at}, "*": word}\n`).join('');
  expect(await duringTurns(threads.parseGlossary(lines, 'g.yaml'))).toEqual(parseGlossary(lines, 'g.yaml'));
  const wrong = `${lines}term 1: 2\nbad: [\n`;
  expect(await duringTurns(threads.parseGlossary(wrong, 'g.yaml'))).toEqual(parseGlossary(wrong, 'g.yaml'));
});

describe('a large configuration', () => {
  const nav = Array.from({ length: ENTRIES }, (_, at) => `  - P${at}: p${at}.md\n`).join('');
  const text = `site_name: a\nx: !ENV [A, b]\nnav:\n${nav}`;

  test('is read by another process, with the same values', async () => {
    const bytes = new TextEncoder().encode(text);
    const reading = (await findReading('mkdocs-config')) ?? expect.fail();
    const found = await duringTurns(threads.readValues(text, 'mkdocs'));
    const facts = await duringTurns(threads.readFacts(reading, bytes));
    expect(found).toEqual(readYaml(text, 'mkdocs'));
    expect(facts).toEqual((await reading.load())(bytes));
  });

  test('in TOML is read by another process, with the same values, and one that takes too long says so', async () => {
    // Takes longer to parse than to hand over: each sign is written with six.
    const toml = `[book]\ntitle = "${'\\u0041'.repeat(200_000)}"\n`;
    expect(await duringTurns(threads.readValues(toml, 'toml'))).toEqual(readToml(toml));
    const slow = `x = [${'1,'.repeat(3_000_000)}1]`;
    expect(await impatient.readValues(slow, 'toml')).toEqual({
      values: undefined,
      error: 'it takes more than 0.5 s to read',
      isRead: true,
    });
  });

  test('is read once for all who ask within an import, and again when it could not be read', async () => {
    const [first, second] = await Promise.all([
      threads.readValues(text, 'mkdocs'),
      threads.readValues(text, 'mkdocs'),
    ]);
    expect(second).toBe(first);
    expect(await threads.readValues(text, 'mkdocs')).toBe(first);
    expect(await threads.readValues(text, 'plain')).not.toEqual(first);
    const values = new RecentValues();
    const fails = values.of('a: b', 'plain', () => Promise.reject(new Error('No memory.')));
    await expect(fails).rejects.toThrow('No memory.');
    const read = { values: {}, error: null, isRead: true };
    expect(await values.of('a: b', 'plain', async () => read)).toBe(read);
  });

  test('is forgotten when others need the room', async () => {
    const values = new RecentValues();
    let reads = 0;
    const ask = (letter: string) =>
      values.of(letter.repeat(1_000_000), 'plain', async () => {
        reads += 1;
        return { values: letter, error: null, isRead: true };
      });
    for (const letter of ['a', 'b', 'a', 'b', 'c', 'c', 'a']) await ask(letter);
    expect(reads).toBe(4);
  });

  test('that takes too long has no values, and says so', async () => {
    const slow = `x: [${'a,'.repeat(2_000_000)}b]`;
    expect(await impatient.readValues(slow, 'plain')).toEqual({
      values: undefined,
      error: 'it takes more than 0.5 s to read',
      isRead: true,
    });
  });
});
