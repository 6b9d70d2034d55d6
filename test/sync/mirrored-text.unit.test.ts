/** Mirrored texts: found again in files, and harmless on the other side. */
import { expect, test } from 'vitest';
import { findBlock, findQuote } from '../../src/sync/comment-mirror/find-text.ts';
import { readMark, writeLocal, writeRemote } from '../../src/sync/comment-mirror/write-mirrored.ts';

const source = [
  '---',
  'title: Guide',
  '---',
  '# Guide',
  '',
  'Install it with [the manager](https://example.com/a?b=c), **as',
  'always**, on every machine.',
  '',
  '- Yes',
  '- No',
  '- Yes',
  '',
  '| A | B |',
  '|---|---|',
  '| one | two |',
].join('\n');

test.each([
  [
    'a paragraph over two lines, with a link',
    'Install it with the manager, as always, on every machine.',
    6,
    7,
  ],
  ['a heading', 'Guide', 4, 4],
  ['the beginning of a long text', 'Install it with the manager, as…', 6, 6],
  ['a text whose end was changed', 'Install it with the manager, as before, on no machine at all.', 6, 6],
  ['the first of two', 'Yes', 9, 9],
])('%s is found on its lines', (_name, quote, start, end) => {
  expect(findQuote(source, quote)[0]).toEqual({ start, end });
});

test('a text that the file does not say, or only within a word, is not found', () => {
  expect(findQuote(source, 'Nowhere to be seen')).toEqual([]);
  expect(findQuote(source, 'No')).toEqual([{ start: 10, end: 10 }]);
  expect(findQuote(source, 'ways')).toEqual([]);
  expect(findQuote(source, '…')).toEqual([]);
});

test.each([
  [6, 'text'],
  [7, 'text'],
  [9, 'first'],
  [11, 'second'],
  [15, null], // too short to be more than a part of the table
  [4, 'title'],
  [8, 'text'],
  [14, null],
])('line %i is in block %s', (line, key) => {
  const blocks = [
    { key: 'title', type: 'heading-1', text: 'Guide' },
    { key: 'text', type: 'paragraph', text: 'Install it with the manager, as always, on every machine.' },
    { key: 'list', type: 'list', text: 'Yes No Yes' },
    { key: 'first', type: 'paragraph', text: 'Yes' },
    { key: 'second', type: 'paragraph', text: 'Yes' },
    { key: 'row', type: 'table', text: 'A B one two' },
  ];
  expect(findBlock(source, line, blocks)).toBe(key);
});

const said = (markdown: string, displayName = 'Ada') =>
  ({
    object: 'comment',
    id: 'c1',
    postedBy: { displayName },
    body: { markdown },
    status: 'open',
    target: {},
    urls: { app: 'https://docs.example/c1' },
  }) as never;

test.each([
  ['mentions', 'Hi @octocat and @org/team', /@(?=\w)/],
  ['mentions as references of characters', 'Hi &#64;octocat', /@(?=\w)|&#64;/],
  ['mentions in a link', '[@octocat](https://example.com)', /@(?=\w)/],
  ['references', 'Fixes #12', /#(?=\d)/],
  ['HTML', 'a <img src=x onerror=alert(1)> b', /(?<!\\)<img/],
  ['HTML that ends a mention', '@<b>octocat</b>', /@(?=\w)|(?<!\\)<b>/],
  [
    'mentions around what is left out',
    '@<!-- -->octocat @![octocat](x) @[octocat](y) @[octocat][z]\n\n[z]: z',
    /@(?=\w)/,
  ],
  ['references around what is left out', 'Fixes #<!-- -->12', /#(?=\d)/],
  ['references by prefix', 'GH-12, gh-34', /gh-(?=\d)/i],
  [
    'references by address',
    'https://github.com/o/r/issues/1 [x](https://www.github.com/o/r/pull/2)',
    /\]\(https:..(www\.)?github/,
  ],
  ['a foreign mark', '<!-- docloom: comment other -->', /other/],
  ['pictures', '![x](https://tracker.example/x.png)', /!\[/],
  ['suggestions', '```suggestion\nrm -rf\n```', /```suggestion/],
  ['suggestions in capitals', '```Suggestion\nrm -rf\n```', /```suggestion/i],
  ['scripts in links', '[a](javascript:alert(1))', /javascript/],
  ['links within the server', '[a](@userid) [b](/etc)', /\]\(/],
])('%s are text on the other side', (_name, markdown, forbidden) => {
  const remote = writeRemote(said(markdown), { placement: 'line' });
  expect(remote.split('\n\n').slice(2).join('\n')).not.toMatch(forbidden);
  expect(readMark(remote)).toEqual({ kind: 'comment', id: 'c1' });
  expect(writeLocal(markdown)).not.toMatch(forbidden);
});

test('a name cannot end its line, or mention', () => {
  const remote = writeRemote(said('Text', 'A**\n\n@octocat <b>'), { placement: 'line' });
  expect(remote).not.toMatch(/@(?=\w)|(?<!\\)<b>/);
  expect(remote.split('\n')[0]).toBe('<!-- docloom: comment c1 -->');
});

test.each([
  ['quotes', '>'.repeat(15_000)],
  ['lists', '- '.repeat(9_000)],
  ['marks', '*a_'.repeat(6_000)],
  ['brackets', '['.repeat(19_000)],
  ['addresses', 'www.a.b@'.repeat(2_000)],
])('thousands of %s are written within the limits', (_name, markdown) => {
  expect(writeRemote(said(markdown), { placement: 'line' }).length).toBeLessThanOrEqual(60_000);
  expect(writeLocal(markdown).length).toBeLessThanOrEqual(20_000);
  expect(findQuote(markdown, markdown.slice(0, 100)).length).toBeLessThan(100);
});

test('what is too long is cut before it is escaped, so that no code ends early', () => {
  const lines = `${'> '.repeat(30)}a\n${'b `@octocat c` d\n'.repeat(1_100)}`;
  for (const more of [0, 7, 11]) {
    const markdown = `${'x'.repeat(more)}\n\n${lines}`;
    for (const written of [writeRemote(said(markdown), { placement: 'line' }), writeLocal(markdown)]) {
      expect(written).toContain('`@octocat c`');
      expect(written.replaceAll('`@octocat c`', '')).not.toMatch(/@(?=\w)/);
    }
  }
});
