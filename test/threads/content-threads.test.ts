import { afterAll, describe, expect, test } from 'vitest';
import { findReading } from '../../src/content/render/index.ts';
import { createContentThreads } from '../../src/threads/content/content-threads.ts';
import { hostilePages } from '../support/hostile-pages.ts';

const threads = createContentThreads();
const IMPATIENT_MS = 500;
const impatient = createContentThreads({ timeoutMs: IMPATIENT_MS, memoryMb: 768 });
/** Of a hostile page, in characters; short ones are rendered without a thread. CI tries longer ones than everybody's desk. */
const LENGTH = process.env['CI'] === undefined ? 10_000 : 40_000;
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

test('hostile pages are rendered by other threads than the one that answers', async () => {
  await threads.render(page('# a\n'.repeat(2_000)));
  const share = await shareOfThisThread(async () => {
    for (const [name, markdown] of hostilePages(LENGTH)) {
      const rendered = await threads.render(page(markdown)).catch((error: Error) => error);
      if (rendered instanceof Error) expect(rendered, name).toHaveProperty('name', 'PageLimitError');
    }
  });
  expect(share).toBeLessThan(0.5);
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
  const before = process.cpuUsage();
  await expect(impatient.render(slow)).rejects.toMatchObject(refusal);
  const { user } = process.cpuUsage(before);
  // In µs: a try would use its thread until the limit.
  expect(user).toBeLessThan(IMPATIENT_MS * 1_000 * 0.8);
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

  test('hostile files are read by other threads than the one that answers', async () => {
    const reading = (await findReading('')) ?? expect.fail();
    const encoder = new TextEncoder();
    const share = await shareOfThisThread(async () => {
      for (const [name, markdown] of hostilePages(5 * LENGTH)) {
        const facts = await threads.readFacts(reading, encoder.encode(markdown));
        expect(facts, name).toHaveProperty('references');
      }
    });
    expect(share).toBeLessThan(0.5);
  });
});

/** The share of this thread in the processor time of the process while `work` runs. */
async function shareOfThisThread(work: () => Promise<void>): Promise<number> {
  const before = [process.threadCpuUsage(), process.cpuUsage()] as const;
  await work();
  const own = process.threadCpuUsage(before[0]);
  const all = process.cpuUsage(before[1]);
  return (own.user + own.system) / (all.user + all.system);
}
