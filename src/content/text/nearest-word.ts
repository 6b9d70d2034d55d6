/** Returns the known word that a mistyped word clearly means: at most two letters differ, or one is a prefix; else null. */
export function nearestWord(word: string, known: readonly string[]): string | null {
  const lower = word.toLowerCase();
  const near = known.filter((candidate) => {
    const lowerCandidate = candidate.toLowerCase();
    return (
      lowerCandidate.startsWith(lower) ||
      lower.startsWith(lowerCandidate) ||
      isNearlyEqual(lower, lowerCandidate)
    );
  });
  return near.length === 1 && lower !== '' ? (near[0] ?? null) : null;
}

/** Whether at most two letters were left out, added, changed or swapped between the equal start and end. */
function isNearlyEqual(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 2) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  return Math.max(a.length, b.length) - start - end <= 2;
}

/** Returns “Did you mean …?” where that is clear, else the list of known words. */
export function hintAt(word: string, known: readonly string[]): string {
  const near = nearestWord(word, known);
  return near === null ? `Possible: ${known.join(', ')}.` : `Did you mean \`${near}\`?`;
}
