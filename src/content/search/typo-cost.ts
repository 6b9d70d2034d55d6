import { wordCost } from '../text/index.ts';

/**
 * How far a typed word is from one that may have been meant: 0 for the same word, null for another one. Two letters that
 * changed places are one slip, as in `isntall`.
 */
export function typoCost(typed: string, meant: string): number | null {
  return isSwapped(typed, meant) ? 1 : wordCost(typed, meant);
}

function isSwapped(typed: string, meant: string): boolean {
  if (typed.length !== meant.length) return false;
  const at = [...typed].findIndex((_letter, place) => typed[place] !== meant[place]);
  return (
    at !== -1 &&
    typed[at] === meant[at + 1] &&
    typed[at + 1] === meant[at] &&
    typed.slice(at + 2) === meant.slice(at + 2)
  );
}
