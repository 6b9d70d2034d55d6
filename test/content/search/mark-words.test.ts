import fc from 'fast-check';
import { expect, test } from 'vitest';
import { markWords } from '../../../src/content/search/index.ts';

test.each([
  ['Install the installer', ['install'], '[Install] the [install]er'],
  ['Reinstall', ['install'], 'Reinstall'],
  ['请运行安装程序。', ['安装', '程序'], '请运行[安装][程序]。'],
  ['a.b', ['.b'], 'a.b'],
  ['C++ and c', ['c++'], '[C++] and c'],
  ['', ['a'], ''],
  ['text', [], 'text'],
  ['text', [''], 'text'],
])('in %j, %j is marked', (text, words, expected) => {
  const marked = markWords(text, words);
  expect(marked.map((piece) => (piece.isMatch ? `[${piece.text}]` : piece.text)).join('')).toBe(expected);
});

test('nothing is lost, whatever is searched', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.array(fc.string({ unit: 'grapheme' })), (text, words) => {
      expect(
        markWords(text, words)
          .map((piece) => piece.text)
          .join(''),
      ).toBe(text);
    }),
  );
});
