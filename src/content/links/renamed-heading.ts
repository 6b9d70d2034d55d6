import type { Anchor, FileFacts } from '../model/index.ts';

type Page = Pick<FileFacts, 'anchors' | 'lines'>;

/** Pages are not compared when the product of the numbers of their changed headings is larger. */
const MAX_COMPARED = 250_000;

/**
 * Returns the new name of a renamed heading: it is between the same headings (or after the same one, at the end of the
 * page) at the same distance in lines as before, or its text is unchanged and another heading with that text was removed.
 * Null unless that is certain, and when the page never had the anchor.
 */
export function findRenamedHeading(before: Page, after: Page, anchor: string): string | null {
  const old = headingsIn(before.anchors);
  const now = headingsIn(after.anchors);
  const at = old.findIndex(({ names }) => names.includes(anchor));
  const heading = old[at === -1 ? old.findIndex(({ names }) => names.some(isSame(anchor))) : at];
  if (heading === undefined) return null;
  const pairs = pairEqual(old, now);
  if (pairs === null) return null;
  const unchanged = pairs.get(heading);
  const ends = { before: before.lines, after: after.lines };
  const found =
    unchanged ?? headingBetween(heading, old, now, pairs) ?? lastHeading(heading, old, now, pairs, ends);
  const name = found?.names[0] ?? null;
  return name === anchor ? null : name;
}

interface Heading {
  readonly line: number;
  readonly level: number;
  readonly text: string;
  /** The publisher's name comes first. */
  readonly names: string[];
}

function headingsIn(anchors: readonly Anchor[]): readonly Heading[] {
  const headings: Heading[] = [];
  for (const { name, line, heading, level } of anchors) {
    const last = headings.at(-1);
    if (heading === null) continue;
    if (last?.line === line && last.text === heading) last.names.push(name);
    else headings.push({ line, level, text: heading, names: [name] });
  }
  return headings;
}

/** As GitHub's script compares. */
function isSame(anchor: string): (name: string) => boolean {
  const wanted = anchor.toLowerCase().replace(/^user-content-/, '');
  return (name) => name.toLowerCase() === wanted;
}

/** The new heading between the counterparts of the old heading's neighbours, when nothing else changed around it. */
function headingBetween(
  heading: Heading,
  old: readonly Heading[],
  now: readonly Heading[],
  pairs: ReadonlyMap<Heading, Heading>,
): Heading | undefined {
  const at = old.indexOf(heading);
  const [previous, next] = [old[at - 1], old[at + 1]];
  if (next === undefined) return undefined;
  const following = pairs.get(next);
  const position = following === undefined ? -1 : now.indexOf(following) - 1;
  const found = now[position];
  if (found === undefined || following === undefined || found.level !== heading.level) return undefined;
  const preceding = now[position - 1];
  if ((previous === undefined ? undefined : pairs.get(previous)) !== preceding) return undefined;
  const isInPlace = heading.line - (previous?.line ?? 0) === found.line - (preceding?.line ?? 0);
  return isInPlace && next.line - heading.line === following.line - found.line ? found : undefined;
}

/** The new last heading, when the heading before it is unchanged and the distances in lines are equal. */
function lastHeading(
  heading: Heading,
  old: readonly Heading[],
  now: readonly Heading[],
  pairs: ReadonlyMap<Heading, Heading>,
  lines: { readonly before: number | undefined; readonly after: number | undefined },
): Heading | undefined {
  const found = now.at(-1);
  const [previous, preceding] = [old.at(-2), now.at(-2)];
  if (heading !== old.at(-1) || found?.level !== heading.level) return undefined;
  if (previous === undefined || preceding === undefined || pairs.get(previous) !== preceding)
    return undefined;
  if (lines.before === undefined || lines.after === undefined) return undefined;
  const isInPlace = heading.line - previous.line === found.line - preceding.line;
  return isInPlace && lines.before - heading.line === lines.after - found.line ? found : undefined;
}

/** Pairs as many headings of equal text and level as possible, in their order; null when there are too many. */
function pairEqual(old: readonly Heading[], now: readonly Heading[]): ReadonlyMap<Heading, Heading> | null {
  const pairs = new Map<Heading, Heading>();
  const isPair = (a: Heading | undefined, b: Heading | undefined) =>
    a !== undefined && b !== undefined && a.text === b.text && a.level === b.level;
  const pair = (a: Heading | undefined, b: Heading | undefined) => {
    if (a !== undefined && b !== undefined) pairs.set(a, b);
  };
  let start = 0;
  while (isPair(old[start], now[start])) {
    pair(old[start], now[start]);
    start += 1;
  }
  let [a, b] = [old.length, now.length];
  while (a > start && b > start && isPair(old[a - 1], now[b - 1])) {
    a -= 1;
    b -= 1;
    pair(old[a], now[b]);
  }
  const [rows, columns] = [a - start, b - start];
  if (rows * columns > MAX_COMPARED) return null;
  // Longest common subsequence: how many can still be paired from each position on.
  const width = columns + 1;
  const left = new Uint16Array((rows + 1) * width);
  for (let row = rows - 1; row >= 0; row -= 1) {
    for (let column = columns - 1; column >= 0; column -= 1) {
      left[row * width + column] = isPair(old[start + row], now[start + column])
        ? (left[(row + 1) * width + column + 1] ?? 0) + 1
        : Math.max(left[(row + 1) * width + column] ?? 0, left[row * width + column + 1] ?? 0);
    }
  }
  for (let row = 0, column = 0; row < rows && column < columns; ) {
    if (isPair(old[start + row], now[start + column])) {
      pair(old[start + row], now[start + column]);
      row += 1;
      column += 1;
    } else if ((left[(row + 1) * width + column] ?? 0) >= (left[row * width + column + 1] ?? 0)) row += 1;
    else column += 1;
  }
  return pairs;
}
