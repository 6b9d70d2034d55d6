import { monitorEventLoopDelay } from 'node:perf_hooks';
import { afterAll, expect, test } from 'vitest';
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
