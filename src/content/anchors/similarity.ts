/** The trigrams of a text, with how often each is in it. Unlike words, they are there in every script. */
export function trigramsOf(text: string): ReadonlyMap<string, number> {
  const padded = ` ${text.toLowerCase()} `;
  const counts = new Map<string, number>();
  for (let at = 0; at + 3 <= padded.length; at += 1) {
    const gram = padded.slice(at, at + 3);
    counts.set(gram, (counts.get(gram) ?? 0) + 1);
  }
  return counts;
}

/** How much two texts have in common: from 0 for nothing to 1 for all (Sørensen–Dice). */
export function similarityOf(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  const [sizeA, sizeB] = [sizeOf(a), sizeOf(b)];
  if (sizeA === 0 || sizeB === 0) return 0;
  const [small, large] = a.size < b.size ? [a, b] : [b, a];
  let common = 0;
  for (const [gram, count] of small) common += Math.min(count, large.get(gram) ?? 0);
  return (2 * common) / (sizeA + sizeB);
}

function sizeOf(counts: ReadonlyMap<string, number>): number {
  let size = 0;
  for (const count of counts.values()) size += count;
  return size;
}
