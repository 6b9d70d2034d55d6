import { expect, test } from 'vitest';
import { mergeTexts } from '../../../src/content/diff/index.ts';
import { findConflict, markConflicts } from '../../../src/web/editing/conflict-marks.ts';

test.each([
  [
    'a line in the middle',
    ['a\nb\nc\n', 'a\nown\nc\n', 'a\nother\nc\n'],
    'a\n<<<<<<< yours\nown\n=======\nother\n>>>>>>> saved meanwhile\nc\n',
  ],
  [
    'a last line without its end',
    ['a\nb', 'a\nown', 'a\nother'],
    'a\n<<<<<<< yours\nown\n=======\nother\n>>>>>>> saved meanwhile\n',
  ],
  [
    'a line that one side removed',
    ['a\nb\nc\n', 'a\nc\n', 'a\nother\nc\n'],
    'a\n<<<<<<< yours\n=======\nother\n>>>>>>> saved meanwhile\nc\n',
  ],
] as const)(
  'both versions are between marks where the sides contradict each other about %s',
  (_name, [base, own, other], expected) => {
    const marked = markConflicts(mergeTexts(base, own, other));
    expect(marked).toBe(expected);
    expect(findConflict(marked)).toBe(2);
  },
);

test.each([
  ['what only one side changed', 'a\nb\nc\n', 'a\nB\nc\n'],
  [
    'a heading that is underlined like the mark in the middle',
    'Title\n=======\n',
    'Title\n=======\n\nText\n',
  ],
])('%s has no marks', (_name, base, changed) => {
  const marked = markConflicts(mergeTexts(base, changed, base));
  expect(marked).toBe(changed);
  expect(findConflict(marked)).toBeNull();
});
