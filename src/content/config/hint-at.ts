import { nearestWord } from './nearest-word.ts';

/** “Did you mean …?” where that is clear, else all that is possible. */
export function hintAt(word: string, known: readonly string[]): string {
  const near = nearestWord(word, known);
  return near === null ? `Possible: ${known.join(', ')}.` : `Did you mean \`${near}\`?`;
}
