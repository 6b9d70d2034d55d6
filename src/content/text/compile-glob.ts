import { matchesWildcards } from './match-wildcards.ts';

/**
 * Makes a test of a glob pattern: `*` stands for any characters but `/`, `?` for one of them, and a whole segment `**`
 * for any number of segments, also none. A slash at the end means all that is below. Everything else stands for itself,
 * and the pattern must fit the whole text. Takes at most the product of both lengths: nothing backtracks further.
 */
export function compileGlob(pattern: string): (text: string) => boolean {
  const whole = pattern.endsWith('/') ? `${pattern}**` : pattern;
  if (!/[*?]/.test(whole)) return (text) => text === whole;
  const segments = whole.split('/');
  return (text) => matchesWildcards(segments, text.split('/'), (segment) => segment === '**', fitsSegment);
}

function fitsSegment(pattern: string, text: string): boolean {
  return matchesWildcards(
    [...pattern],
    [...text],
    (sign) => sign === '*',
    (sign, other) => sign === '?' || sign === other,
  );
}
