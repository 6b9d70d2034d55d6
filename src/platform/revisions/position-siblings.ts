/** The gap between siblings, so that a page can be inserted between them without changing other positions. */
const GAP = 1_024;

/** Positions stay below this; PostgreSQL's integer ends a little above. */
const MAX_POSITION = 2_000_000_000;

/**
 * Ascending positions for siblings in this order. As many as possible stay as they were (`before`), so that few rows are
 * written when a page is added, removed or moved.
 */
export function positionSiblings(before: readonly (number | undefined)[]): readonly number[] {
  const unmoved = longestIncreasing(before);
  const positions = new Array<number>(before.length);
  for (let start = 0; start < before.length; ) {
    if (unmoved.has(start)) {
      positions[start] = before[start] as number;
      start += 1;
      continue;
    }
    let end = start;
    while (end < before.length && !unmoved.has(end)) end += 1;
    const low = start === 0 ? -GAP : (positions[start - 1] as number);
    const high = end === before.length ? low + GAP * (end - start + 1) : (before[end] as number);
    const step = Math.floor((high - low) / (end - start + 1));
    if (step < 1 || high > MAX_POSITION) return before.map((_, index) => index * GAP);
    for (let at = start; at < end; at += 1) positions[at] = low + step * (at - start + 1);
    start = end;
  }
  return positions;
}

/** The indexes of a longest strictly increasing subsequence of the defined numbers, by patience sorting. */
function longestIncreasing(numbers: readonly (number | undefined)[]): ReadonlySet<number> {
  const tails: number[] = [];
  const previous = new Array<number>(numbers.length);
  numbers.forEach((number, index) => {
    if (number === undefined) return;
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((numbers[tails[middle] as number] as number) < number) low = middle + 1;
      else high = middle;
    }
    previous[index] = low === 0 ? -1 : (tails[low - 1] as number);
    tails[low] = index;
  });
  const indexes = new Set<number>();
  for (let at = tails.at(-1) ?? -1; at !== -1; at = previous[at] as number) indexes.add(at);
  return indexes;
}
