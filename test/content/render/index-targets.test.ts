import { expect, test } from 'vitest';
import { indexTargets, targetKey } from '../../../src/content/render/index.ts';

const page = { path: 'docs/page.md', dialect: '' };

test.each([
  ['a target of the page', [{ path: page.path, target: 'a.md' }], 'a.md', 0],
  ['however it is encoded', [{ path: page.path, target: 'b c.md' }], 'b%20c.md', 0],
  ['also where that is no encoding', [{ path: page.path, target: '100%.md' }], '100%.md', 0],
  ['of a part beside the page', [{ path: 'docs/part.md', target: 'a.md' }], 'a.md', 0],
  [
    'of both: that of the page',
    [
      { path: page.path, target: 'a.md' },
      { path: 'docs/part.md', target: 'a.md' },
    ],
    'a.md',
    0,
  ],
])('finds %s', async (_, links, written, at) => {
  expect((await indexTargets(page, links)).get(targetKey(written))).toBe(links[at]);
});

test('a part in another folder has its targets as its page shows them, where the builder moves links', async () => {
  const [dialect, part] = ['gitbook', '.gitbook/includes/part.md'];
  const links = ['../../README.md#top', '../assets/a.png', 'b.md', '/c.md', 'https://example.org'].map(
    (target) => ({ path: part, target }),
  );
  expect([...(await indexTargets({ path: page.path, dialect }, links)).keys()]).toEqual([
    '../README.md#top',
    '../.gitbook/assets/a.png',
    '../.gitbook/includes/b.md',
    '/c.md',
    'https://example.org',
  ]);
  expect([...(await indexTargets({ path: page.path, dialect: '' }, links)).keys()]).toContain('b.md');
});
