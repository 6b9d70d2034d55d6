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
    const verdict = conclude(
      { counts: { introduced, existing, fixed: 0, untouchedFiles: 0 } },
      { failOn, lostAddresses: 'fail' },
    );
    expect(verdict.conclusion).toBe(conclusion);
    expect(verdict.explanation ?? '').toMatch(note ?? /^$/);
  },
);

it.each([
  ['introduced', 'fail', 0, 'failure', /lost-addresses is fail/],
  ['never', 'fail', 1, 'failure', /lost-addresses is fail/],
  ['introduced', 'report', 0, 'success', null],
  ['introduced', 'fail', 1, 'failure', null],
] as const)(
  'fail-on %s, lost-addresses %s, %i introduced and a removed address: %s',
  (failOn, lostAddresses, introduced, conclusion, note) => {
    const lost = [{ space: 'Docs', address: '/a', file: 'a.md', now: null, redirect: null }];
    const counts = { introduced, existing: 0, fixed: 0, untouchedFiles: 0 };
    const verdict = conclude({ counts, lost }, { failOn, lostAddresses });
    expect(verdict.conclusion).toBe(conclusion);
    expect(verdict.explanation ?? '').toMatch(note ?? /^$/);
  },
);
