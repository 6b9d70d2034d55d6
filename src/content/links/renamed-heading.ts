import type { Anchor, FileFacts } from '../model/index.ts';

type Page = Pick<FileFacts, 'anchors' | 'lines'>;

/** Pages whose changed parts hold more headings than this squared are not compared. */
const MAX_COMPARED = 250_000;

/**
 * What a heading is called now that was renamed: it stands between the same headings (or behind the same one, at the end of
 * the page), as many lines from both as before, or it kept its text and another of that text went. Null when that is not certain, or the page never had the anchor.
 */
export function findRenamedHeading(before: Page, after: Page, anchor: string): string | null {
  const old = headingsIn(before.anchors);
  const now = headingsIn(after.anchors);
  const at = old.findIndex((one) => one.names.includes(anchor));
  const heading = old[at === -1 ? old.findIndex((one) => one.names.some(isSame(anchor))) : at];
  if (heading === undefined) return null;
  const pairs = pairEqual(old, now);
  if (pairs === null) return null;
  const kept = pairs.get(heading);
  const ends = { before: before.lines, after: after.lines };
  const found = kept ?? standIn(heading, old, now, pairs) ?? lastAgain(heading, old, now, pairs, ends);
  const name = found?.names[0] ?? null;
  return name === anchor ? null : name;
}

interface Heading {
  readonly line: number;
  readonly level: number;
  readonly text: string;
  /** The publisher's own name first. */
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

/** The new heading between the partners of the old one's neighbours, when nothing else changed around it. */
function standIn(
  heading: Heading,
  old: readonly Heading[],
  now: readonly Heading[],
  pairs: ReadonlyMap<Heading, Heading>,
): Heading | undefined {
  const at = old.indexOf(heading);
  const [previous, next] = [old[at - 1], old[at + 1]];
  if (next === undefined) return undefined;
  const following = pairs.get(next);
  const place = following === undefined ? -1 : now.indexOf(following) - 1;
  const found = now[place];
  if (found === undefined || following === undefined || found.level !== heading.level) return undefined;
  const preceding = now[place - 1];
  if ((previous === undefined ? undefined : pairs.get(previous)) !== preceding) return undefined;
  const isInPlace = heading.line - (previous?.line ?? 0) === found.line - (preceding?.line ?? 0);
  return isInPlace && next.line - heading.line === following.line - found.line ? found : undefined;
}

/** The last heading, when the one before it is still there and as many lines stand around both. */
function lastAgain(
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

/** Pairs headings of equal text and level in their order, as many as can be; null when there are too many. */
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
  // Longest common subsequence: how many can still be paired from each place on.
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
