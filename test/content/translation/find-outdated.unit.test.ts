import { expect, test } from 'vitest';
import { findOutdated } from '../../../src/content/translation/index.ts';

const text = (words: string, before: string | null = null, after: string | null = null) => ({
  text: words,
  neighbours: [before, after] as const,
});

test.each([
  [
    'a word changed',
    ['Read the <g id="1">guide</g> first'],
    ['Read the <g id="1">manual</g> first'],
    [[0, 0]],
  ],
  ['another sentence', ['Stop the server'], ['A page about links'], []],
  ['the more alike of two', ['Run it once now', 'Run it twice now'], ['Run it twice'], [[1, 0]]],
  ['each only once', ['Run it now', 'Run it now'], ['Run it'], [[0, 0]]],
  ['Chinese, which has no spaces', ['请阅读指南'], ['请先阅读指南'], [[0, 0]]],
] as const)('%s', (_name, now, then, expected) => {
  const found = findOutdated(
    now.map((words) => text(words)),
    then.map((words) => text(words)),
  );
  expect([...found]).toEqual(expected);
});

test('a text that was written anew between the same two', () => {
  const then = text('Stop the server', 'Before', 'After');
  expect([...findOutdated([text('Completely new', 'Before', 'After')], [then])]).toEqual([[0, 0]]);
  expect([...findOutdated([text('Completely new', 'Before', null)], [then])]).toEqual([]);
  // The only text of a page stands between nothing and nothing.
  expect([...findOutdated([text('Completely new')], [text('Stop the server')])]).toEqual([]);
});
