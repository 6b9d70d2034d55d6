import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareTexts, splitLines, type TextDifference } from '../../../src/content/diff/compare-texts.ts';
import { mergedText, mergeTexts } from '../../../src/content/diff/index.ts';
import { testAtLength } from '../../support/describe-at-length.ts';

const lines = fc
  .array(fc.constantFrom('', 'a', 'b', 'one two three', 'one 2 three', '\tc ', 'd\r', '# Title', 'é😀'), {
    maxLength: 30,
  })
  .chain((texts) => fc.constantFrom(`${texts.join('\n')}\n`, texts.join('\n')));

/** Applies hunks as a program that reads unified diffs does. */
function apply(before: string, { hunks }: TextDifference): string {
  const old = splitLines(before);
  let result = '';
  let at = 0;
  for (const { oldStart, oldLines, newLines, lines: shown } of hunks) {
    const start = oldLines === 0 ? oldStart : oldStart - 1;
    result += old.slice(at, start).join('');
    const textOf = ({ spans, noNewline }: (typeof shown)[number]) =>
      spans.map(({ text }) => text).join('') + (noNewline === true ? '' : '\n');
    const of = (kind: string) => shown.filter((line) => line.kind === 'context' || line.kind === kind);
    expect(of('removed').map(textOf)).toEqual(old.slice(start, start + oldLines));
    expect(of('added')).toHaveLength(newLines);
    result += of('added').map(textOf).join('');
    at = start + oldLines;
  }
  return result + old.slice(at).join('');
}

describe('compareTexts', () => {
  it('makes a difference that turns the one text into the other', () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const difference = compareTexts(before, after);
        expect(apply(before, difference)).toBe(after);
        expect(difference.hunks.length === 0).toBe(before === after);
      }),
    );
  });

  it('marks the words that differ in lines that replace each other', () => {
    const { added, removed, hunks } = compareTexts('a\nUse the old key.\nb\n', 'a\nUse the new key.\nb\n');
    expect([added, removed]).toEqual([1, 1]);
    expect(hunks).toEqual([
      {
        oldStart: 1,
        oldLines: 3,
        newStart: 1,
        newLines: 3,
        lines: [
          { kind: 'context', spans: [{ text: 'a' }] },
          {
            kind: 'removed',
            spans: [{ text: 'Use the ' }, { text: 'old', marked: true }, { text: ' key.' }],
          },
          { kind: 'added', spans: [{ text: 'Use the ' }, { text: 'new', marked: true }, { text: ' key.' }] },
          { kind: 'context', spans: [{ text: 'b' }] },
        ],
      },
    ]);
  });

  it('compares texts without anything in common, and finds the line that they share', () => {
    const text = (word: string) =>
      Array.from({ length: 20_000 }, (_, index) => `${word} ${index}\n`).join('');
    const { added, removed } = compareTexts(text('old'), text('new'));
    expect([added, removed]).toEqual([20_000, 20_000]);
    const shared = compareTexts(`${text('old')}both\n${text('old')}`, `${text('new')}both\n`);
    expect([shared.added, shared.removed]).toEqual([20_000, 40_000]);
  });

  testAtLength('counts all lines as replaced where a comparison would take too long', () => {
    const lines = Array.from({ length: 20_000 }, (_, index) => `${index}\n`);
    const { added, removed } = compareTexts(lines.join(''), lines.toReversed().join(''));
    expect([added, removed]).toEqual([20_000, 20_000]);
  });
});

describe('mergeTexts', () => {
  it('takes the changes of both sides where they touch different lines', () => {
    const base = 'one\ntwo\nthree\nfour\n';
    const parts = mergeTexts(base, base.replace('one', 'ONE'), base.replace('four', 'FOUR'));
    expect(mergedText(parts)).toBe('ONE\ntwo\nthree\nFOUR\n');
  });

  it.each([
    ['the same change', 'a\nb\n', 'A\nb\n', 'A\nb\n', 'A\nb\n'],
    ['a line that one side removed', 'a\nb\nc\n', 'a\nc\n', 'a\nb\nc\nd\n', 'a\nc\nd\n'],
    ['a last line without its end', 'a\nx\nb', 'A\nx\nb', 'a\nx\nb\nc', 'A\nx\nb\nc'],
  ])('merges %s', (_name, base, ours, theirs, expected) => {
    expect(mergeTexts(base, ours, theirs)).toEqual([{ kind: 'merged', text: expected }]);
  });

  it('merges long texts of few different lines, whose shortest edit would take too long to find', () => {
    const lines = (step: number) =>
      Array.from({ length: 20_000 }, (_, index) => `${(index * step) % 7}\n`).join('');
    const [base, ours, theirs] = [lines(1), lines(5), lines(3)];
    expect(mergedText(mergeTexts(base, ours, theirs))).toBeNull();
  });

  it('shows all three sides where they contradict each other', () => {
    expect(mergeTexts('a\nb\n', 'a\nours\n', 'a\ntheirs\n')).toEqual([
      { kind: 'merged', text: 'a\n' },
      { kind: 'conflict', base: 'b\n', ours: 'ours\n', theirs: 'theirs\n' },
    ]);
  });

  it('keeps a side as it is where only that one changed, and both where they are the same', () => {
    fc.assert(
      fc.property(lines, lines, (base, changed) => {
        expect(mergedText(mergeTexts(base, base, changed))).toBe(changed);
        expect(mergedText(mergeTexts(base, changed, base))).toBe(changed);
        expect(mergedText(mergeTexts(base, changed, changed))).toBe(changed);
      }),
    );
  });

  it('has the whole text of a side when each conflict takes that side, but for what only the other changed', () => {
    fc.assert(
      fc.property(lines, lines, lines, (base, ours, theirs) => {
        const parts = mergeTexts(base, ours, theirs);
        if (parts.some(({ kind }) => kind === 'conflict')) expect(mergedText(parts)).toBeNull();
      }),
    );
  });
});
