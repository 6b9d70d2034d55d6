/** Beyond this many inserted and deleted lines, only lines that both texts have once are matched. */
const MAX_EDITS = 1_000;

/** Pairs of equal lines of two texts, as indexes into both, in order. Bounded: it never takes more than linear time in the number of lines. */
export function matchLines(
  a: readonly string[],
  b: readonly string[],
): readonly (readonly [number, number])[] {
  let start = 0;
  const shorter = Math.min(a.length, b.length);
  while (start < shorter && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < shorter - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  const pairs: (readonly [number, number])[] = [];
  for (let at = 0; at < start; at++) pairs.push([at, at]);
  const inner = [a.slice(start, a.length - end), b.slice(start, b.length - end)] as const;
  for (const [x, y] of matchBetween(...inner)) pairs.push([start + x, start + y]);
  for (let at = end; at > 0; at--) pairs.push([a.length - at, b.length - at]);
  return pairs;
}

function matchBetween(a: readonly string[], b: readonly string[]): readonly (readonly [number, number])[] {
  if (a.length === 0 || b.length === 0) return [];
  return matchShortest(a, b) ?? matchUnique(a, b);
}

/** The shortest edit (E. Myers, 1986); null if it has more than `MAX_EDITS` lines. */
function matchShortest(
  a: readonly string[],
  b: readonly string[],
): readonly (readonly [number, number])[] | null {
  const limit = Math.min(MAX_EDITS, a.length + b.length);
  const furthest = new Int32Array(2 * limit + 3);
  const trace: Int32Array[] = [];
  const middle = limit + 1;
  for (let edits = 0; edits <= limit; edits++) {
    trace.push(furthest.slice(middle - edits - 1, middle + edits + 2));
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const below = furthest[middle + diagonal - 1] ?? 0;
      const above = furthest[middle + diagonal + 1] ?? 0;
      let x = diagonal === -edits || (diagonal !== edits && below < above) ? above : below + 1;
      while (x < a.length && x - diagonal < b.length && a[x] === b[x - diagonal]) x += 1;
      furthest[middle + diagonal] = x;
      if (x >= a.length && x - diagonal >= b.length) return walkBack(a.length, b.length, trace);
    }
  }
  return null;
}

/** `trace[n]` has the furthest points before step `n`, for the diagonals from `-n - 1` to `n + 1`. */
function walkBack(
  endA: number,
  endB: number,
  trace: readonly Int32Array[],
): readonly (readonly [number, number])[] {
  const pairs: (readonly [number, number])[] = [];
  let [x, y] = [endA, endB];
  for (let edits = trace.length - 1; edits >= 0; edits--) {
    const before = trace[edits];
    const at = (diagonal: number) => before?.[diagonal + edits + 1] ?? 0;
    const diagonal = x - y;
    const isDown = diagonal === -edits || (diagonal !== edits && at(diagonal - 1) < at(diagonal + 1));
    const from = edits === 0 ? 0 : isDown ? at(diagonal + 1) : at(diagonal - 1) + 1;
    while (x > from) {
      x -= 1;
      y -= 1;
      pairs.push([x, y]);
    }
    if (isDown) y -= 1;
    else x -= 1;
  }
  return pairs.reverse();
}

/** The lines that both texts have exactly once, as far as they are in the same order. */
function matchUnique(a: readonly string[], b: readonly string[]): readonly (readonly [number, number])[] {
  const inB = uniqueIn(b);
  const candidates = [...uniqueIn(a)].flatMap(([line, x]) => {
    const y = inB.get(line);
    return y === undefined ? [] : [[x, y] as const];
  });
  // The longest increasing sequence, by patience sorting.
  const tops: number[] = [];
  const previous: number[] = [];
  candidates.forEach(([, y], index) => {
    let low = 0;
    let high = tops.length;
    while (low < high) {
      const half = (low + high) >> 1;
      if ((candidates[tops[half] ?? 0]?.[1] ?? 0) < y) low = half + 1;
      else high = half;
    }
    previous[index] = low === 0 ? -1 : (tops[low - 1] ?? -1);
    tops[low] = index;
  });
  const pairs: (readonly [number, number])[] = [];
  for (let at = tops.at(-1) ?? -1; at >= 0; at = previous[at] ?? -1) {
    const pair = candidates[at];
    if (pair !== undefined) pairs.push(pair);
  }
  return pairs.reverse();
}

function uniqueIn(lines: readonly string[]): ReadonlyMap<string, number> {
  const seen = new Map<string, number | null>();
  lines.forEach((line, index) => {
    seen.set(line, seen.has(line) ? null : index);
  });
  return new Map([...seen].filter((entry): entry is [string, number] => entry[1] !== null));
}
