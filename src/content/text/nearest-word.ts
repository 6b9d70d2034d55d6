/** The known word that a mistyped one clearly means, or null: at most two letters off, or one is the other's start. */
export function nearestWord(word: string, known: readonly string[]): string | null {
  const lower = word.toLowerCase();
  const near = known.filter((one) => {
    const other = one.toLowerCase();
    return other.startsWith(lower) || lower.startsWith(other) || differsLittle(lower, other);
  });
  return near.length === 1 && lower !== '' ? (near[0] ?? null) : null;
}

/** Whether at most two letters were left out, added, changed or swapped: what is between the equal ends is short. */
function differsLittle(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 2) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  return Math.max(a.length, b.length) - start - end <= 2;
}

/** “Did you mean …?” where that is clear, else all that is possible. */
export function hintAt(word: string, known: readonly string[]): string {
  const near = nearestWord(word, known);
  return near === null ? `Possible: ${known.join(', ')}.` : `Did you mean \`${near}\`?`;
}
