import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mergeEdits } from '../../../src/web/editing/merge-edits.ts';
import { propertyRuns } from '../../support/property-runs.ts';

const text = fc
  .array(fc.constantFrom('a\n', 'b\n', 'c\r\n', '\n'), { maxLength: 12 })
  .map((lines) => lines.join(''));

test.each([
  ['changes in different lines', 'a\nb\nc\nd\n', 'A\nb\nc\nd\n', 'a\nb\nc\nD\n', 'A\nb\nc\nD\n'],
  ['the same change', 'a\nb\n', 'A\nb\n', 'A\nb\n', 'A\nb\n'],
  ['a line that one removed', 'a\nb\nc\n', 'a\nc\n', 'a\nb\nc\nd\n', 'a\nc\nd\n'],
  ['a last line without its end', 'a\nx\nb', 'A\nx\nb', 'a\nx\nb\nc', 'A\nx\nb\nc'],
])('%s are merged', (_name, base, own, other, expected) => {
  expect(mergeEdits(base, own, other)).toEqual({ text: expected, isClean: true });
});

test('lines that both changed are both in the text', () => {
  expect(mergeEdits('a\nb\nc\n', 'a\nown\nc\n', 'a\nother\nc\n')).toEqual({
    text: 'a\n<<<<<<< yours\nown\n=======\nother\n>>>>>>> saved meanwhile\nc\n',
    isClean: false,
  });
});

test('what only one of them changed is what the text becomes', () => {
  fc.assert(
    fc.property(text, text, (base, changed) => {
      expect(mergeEdits(base, changed, base)).toEqual({ text: changed, isClean: true });
      expect(mergeEdits(base, base, changed)).toEqual({ text: changed, isClean: true });
      expect(mergeEdits(base, changed, changed)).toEqual({ text: changed, isClean: true });
    }),
    propertyRuns(200),
  );
});
