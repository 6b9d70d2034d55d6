import { describe, expect, test } from 'vitest';
import { loadDialect, renderPage, toDocument } from '../../src/content/render/index.ts';
import { findSegments } from '../../src/content/translation/index.ts';
import { hostilePages } from '../support/hostile-pages.ts';

/** With steps that look at the whole page for each part of it, these pages took from 4 s to 90 s. */
const LENGTH = 100_000;
const MAX_MS = 2_500;

const pages = new Map(hostilePages(LENGTH));
const pageOf = (name: string) => pages.get(name) ?? expect.fail(`There is no page of ${name}.`);

describe('time is linear in the length of the page', () => {
  test.each([
    'empty items',
    'empty numbered items',
    'tasks',
    'items with a blank continuation',
    'items with a continuation',
    'pictures',
  ])('%s are rendered', async (name) => {
    await expectQuick(async () => {
      await renderPage(pageOf(name), { resolveImage: () => null });
    });
  });

  test('empty items are written as a document', async () => {
    await expectQuick(() => toDocument(pageOf('empty items')));
  });

  test.each(['open paragraphs', 'JSX elements that never close', 'closed elements', 'expressions'])(
    '%s are read as MDX',
    async (name) => {
      const read = await (await loadDialect('docusaurus')).reading.load();
      await expectQuick(async () => read(new TextEncoder().encode(pageOf(name))));
    },
  );

  test.each(['brackets', 'spaces', 'one word', 'open braces', 'open blocks', 'tags cut off'])(
    '%s are searched for texts to translate',
    async (name) => {
      await expectQuick(async () => findSegments(pageOf(name), 'a.md'));
    },
  );
});

test('a list is as loose as before', async () => {
  expect(await renderPage('- a\n- b\n\n  c\n')).toBe(
    '<ul>\n<li>\n<p>a</p>\n</li>\n<li>\n<p>b</p>\n<p>c</p>\n</li>\n</ul>',
  );
  expect(await renderPage('- a\n- b\n  - c\n')).toBe(
    '<ul>\n<li>a</li>\n<li>b\n<ul>\n<li>c</li>\n</ul>\n</li>\n</ul>',
  );
});

/** Time of this thread, because other tests may run beside it. */
async function expectQuick(work: () => Promise<unknown>): Promise<void> {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  expect((user + system) / 1_000).toBeLessThan(MAX_MS);
}
