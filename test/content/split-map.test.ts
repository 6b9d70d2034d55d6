import { expect, test } from 'vitest';
import { SplitMap } from '../../src/content/engine/split-map.ts';

test('a map has the same values before and after it is split', () => {
  const map = new SplitMap<number>();
  const keyOf = (at: number) => `folder-${at % 7}/page-${at}.md`;
  for (let at = 0; at < 30_000; at += 1) map.set(keyOf(at), at);
  for (let at = 0; at < 30_000; at += 3) map.set(keyOf(at), -at);
  const wrong = Array.from({ length: 30_000 }, (_, at) => at).filter(
    (at) => map.get(keyOf(at)) !== (at % 3 === 0 ? -at : at),
  );
  expect(wrong).toEqual([]);
  expect(map.get('folder-1/page-2.md')).toBeUndefined();
  expect(map.get('')).toBeUndefined();
});
