import { expect, it } from 'vitest';
import { conclude } from '../../../src/github/pull-request/conclude.ts';

it.each([
  ['introduced', 0, 3, 'success', null],
  ['introduced', 1, 0, 'failure', null],
  ['any', 0, 0, 'success', null],
  ['any', 0, 1, 'failure', /There is a link that was broken before/],
  ['any', 0, 2, 'failure', /There are 2 links/],
  ['any', 1, 2, 'failure', null],
  ['never', 0, 3, 'success', null],
  ['never', 2, 3, 'neutral', /fail-on is never/],
] as const)(
  'fail-on %s, %i introduced, %i existing: %s',
  (failOn, introduced, existing, conclusion, note) => {
    const verdict = conclude({ introduced, existing, fixed: 0, untouchedFiles: 0 }, failOn);
    expect(verdict.conclusion).toBe(conclusion);
    expect(verdict.note ?? '').toMatch(note ?? /^$/);
  },
);
