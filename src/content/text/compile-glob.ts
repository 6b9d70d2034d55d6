import { matchesWildcards } from './match-wildcards.ts';

/**
 * Compiles a glob pattern to a predicate: `*` matches any characters but `/`, `?` one of them, and a whole segment `**`
 * any number of segments, including none. A trailing slash matches everything below. Everything else matches itself, and
 * the pattern must match the whole text. A match costs at most the product of both lengths.
 */
export function compileGlob(pattern: string): (text: string) => boolean {
  const whole = pattern.endsWith('/') ? `${pattern}**` : pattern;
  const wild = whole.search(/[*?]/);
  if (wild === -1) return (text) => text === whole;
  // A repository has thousands of patterns, and asks each for each of its links: most differ from the start.
  const start = whole.slice(0, wild).replace(/\/$/, '');
  const segments = whole.split('/').map(segmentOf);
  return (text) =>
    text.startsWith(start) && matchesWildcards(segments, text.split('/'), isAnyNumber, matchesSegment);
}

interface Segment {
  readonly text: string;
  /** Null where it has no wildcard. */
  readonly characters: readonly string[] | null;
}

function segmentOf(text: string): Segment {
  return { text, characters: /[*?]/.test(text) ? [...text] : null };
}

function isAnyNumber({ text }: Segment): boolean {
  return text === '**';
}

function matchesSegment({ text, characters }: Segment, actual: string): boolean {
  if (characters === null) return text === actual;
  return matchesWildcards(characters, [...actual], isAnyText, matchesCharacter);
}

function isAnyText(character: string): boolean {
  return character === '*';
}

function matchesCharacter(expected: string, actual: string): boolean {
  return expected === '?' || expected === actual;
}
