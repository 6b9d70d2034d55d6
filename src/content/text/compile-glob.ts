import { matchesWildcards } from './match-wildcards.ts';

/**
 * Compiles a glob pattern to a predicate: `*` matches any characters but `/`, `?` one of them, and a whole segment `**`
 * any number of segments, including none. A trailing slash matches everything below. Everything else matches itself, and
 * the pattern must match the whole text. A match costs at most the product of both lengths.
 */
export function compileGlob(pattern: string): (text: string) => boolean {
  const whole = pattern.endsWith('/') ? `${pattern}**` : pattern;
  if (!/[*?]/.test(whole)) return (text) => text === whole;
  const segments = whole.split('/');
  return (text) => matchesWildcards(segments, text.split('/'), (segment) => segment === '**', matchesSegment);
}

function matchesSegment(pattern: string, text: string): boolean {
  return matchesWildcards(
    [...pattern],
    [...text],
    (character) => character === '*',
    (expected, actual) => expected === '?' || expected === actual,
  );
}
