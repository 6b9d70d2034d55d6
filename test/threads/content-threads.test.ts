import { monitorEventLoopDelay } from 'node:perf_hooks';
import { afterAll, describe, expect, test } from 'vitest';
import { findReading } from '../../src/content/render/index.ts';
import { createContentThreads } from '../../src/threads/content/content-threads.ts';
import { hostilePages } from '../support/hostile-pages.ts';

const threads = createContentThreads();
const impatient = createContentThreads({ timeoutMs: 500, memoryMb: 768 });
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

test('no hostile page keeps the process from answering', async () => {
  await threads.render(page('# a\n'.repeat(2_000)));
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  for (const [name, markdown] of hostilePages(40_000)) {
    const rendered = await threads.render(page(markdown)).catch((error: Error) => error);
    if (rendered instanceof Error) expect(rendered, name).toHaveProperty('name', 'PageLimitError');
  }
  delay.disable();
  // In ms; the loop itself waits for 5. Other tests use the processors, too, so the limit is above what is promised.
  expect(delay.percentile(99) / 1e6).toBeLessThan(100);
  expect(delay.max / 1e6).toBeLessThan(500);
});

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
  const slow = page('*a _b '.repeat(150_000));
  const refusal = {
    name: 'PageLimitError',
    message: expect.stringMatching(/^This page takes more than 0.5 s/),
  };
  await expect(impatient.render(slow)).rejects.toMatchObject(refusal);
  const started = performance.now();
  await expect(impatient.render(slow)).rejects.toMatchObject(refusal);
  expect(performance.now() - started).toBeLessThan(400);
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

describe('reading facts', () => {
  const readings = [
    '',
    'contents',
    'gitbook',
    'gitbook-contents',
    'docusaurus',
    'docusaurus-md',
    'docusaurus-case',
    'docusaurus-md-case',
    'vitepress',
    'mdbook',
    'mdbook-contents',
    'starlight',
    'starlight:mdx',
    'starlight:markdoc',
  ];
  const text = `# Title\n\n* [a](b.md#c)\n\n${'<b>x</b> [d](e.md)\n\n'.repeat(1_000)}`;

  test.each(readings)('by “%s” is the same in a thread', async (key) => {
    const reading = (await findReading(key)) ?? expect.fail(`There is no reading ${key}.`);
    expect(reading.key).toBe(key);
    const bytes = new TextEncoder().encode(text);
    expect(await threads.readFacts(reading, bytes)).toEqual((await reading.load())(bytes));
  });

  test('a file that takes too long says so', async () => {
    const reading = (await findReading('')) ?? expect.fail();
    const bytes = new TextEncoder().encode('www.a.b a@b.cc '.repeat(250_000));
    const facts = await impatient.readFacts(reading, bytes);
    expect(facts).toMatchObject({ references: [], complete: false });
    expect(facts.problems).toEqual([
      { message: 'The file takes more than 0.5 s to read and was not read.', line: null },
    ]);
  });

  test('no hostile file keeps the process from answering', async () => {
    const reading = (await findReading('')) ?? expect.fail();
    const encoder = new TextEncoder();
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    for (const [name, markdown] of hostilePages(200_000)) {
      const facts = await threads.readFacts(reading, encoder.encode(markdown));
      expect(facts, name).toHaveProperty('references');
    }
    delay.disable();
    expect(delay.percentile(99) / 1e6).toBeLessThan(100);
    expect(delay.max / 1e6).toBeLessThan(500);
  });
});
