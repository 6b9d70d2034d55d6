import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutText, statusContexts } from '../../../src/github/api/commit-status.ts';

test.each([
  ['short', 'short'],
  ['two\nlines', 'two lines'],
  ['x'.repeat(140), 'x'.repeat(140)],
  ['x'.repeat(141), `${'x'.repeat(139)}…`],
  ['🙂'.repeat(80), `${'🙂'.repeat(69)}…`],
])('%j is cut to %j', (text, cut) => {
  expect(cutText(text, 140)).toBe(cut);
});

test('no text is ever longer than the limit, or ends in half a character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
      const cut = cutText(text, 140);
      expect(cut.length).toBeLessThanOrEqual(140);
      expect(cut.isWellFormed()).toBe(true);
    }),
  );
});

test('a status is named by its space’s title, or by the directory where titles are shared', () => {
  expect(
    statusContexts([
      { directory: 'guide', title: 'Docs' },
      { directory: '', title: 'Docs' },
      { directory: 'api', title: 'API' },
    ]),
  ).toEqual(['docloom/guide', 'docloom/Docs', 'docloom/API']);
});
