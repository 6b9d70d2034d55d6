import type { Rename, RepoPath } from '../model/index.ts';

/** A file that came or went, with its bytes. */
export interface TextFile {
  readonly path: RepoPath;
  readonly bytes: Uint8Array;
}

/** A line that stands in more of the gone files says nothing about where a file came from. */
const MAX_OWNERS = 50;
/** Of so many gone files that share the most, the likeness is worked out. */
const MAX_CANDIDATES = 8;

/**
 * Files that are gone and stand under a new path with at least half of their bytes, by lines: git's measure of a rename
 * (https://git-scm.com/docs/git-diff, `--find-renames`). The most alike pairs are made first, of those equally alike the
 * ones that kept their name. Linear in the bytes, but for lines that many of the files share, which are bounded.
 */
export function findSimilar(gone: readonly TextFile[], added: readonly TextFile[]): readonly Rename[] {
  const olds = gone.map(toLines);
  const owners = new Map<string, number[]>();
  for (const [at, old] of olds.entries()) {
    for (const line of old.lines.keys()) {
      const known = owners.get(line);
      if (known === undefined) owners.set(line, [at]);
      else if (known.length <= MAX_OWNERS) known.push(at);
    }
  }
  const pairs = added.flatMap((file) => {
    const now = toLines(file);
    return candidatesOf(now, owners).flatMap((at) => {
      const old = olds[at] as Lines;
      const alike = likeness(old, now);
      return alike < 0.5 ? [] : [{ from: old.path, to: now.path, alike }];
    });
  });
  pairs.sort(
    (a, b) =>
      b.alike - a.alike ||
      Number(nameOf(b.from) === nameOf(b.to)) - Number(nameOf(a.from) === nameOf(a.to)) ||
      (`${a.from}\0${a.to}` < `${b.from}\0${b.to}` ? -1 : 1),
  );
  const left = new Set<RepoPath>();
  const taken = new Set<RepoPath>();
  const renames: Rename[] = [];
  for (const { from, to } of pairs) {
    if (left.has(from) || taken.has(to)) continue;
    left.add(from);
    taken.add(to);
    renames.push({ from, to });
  }
  return renames;
}

interface Lines {
  readonly path: RepoPath;
  readonly size: number;
  /** Each line with its end, and how often it stands there. */
  readonly lines: ReadonlyMap<string, number>;
}

function toLines({ path, bytes }: TextFile): Lines {
  // One letter for each byte, whatever they mean.
  const text = new TextDecoder('latin1').decode(bytes);
  const lines = new Map<string, number>();
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start);
    const next = end === -1 ? text.length : end + 1;
    // As git does, whose ends of lines may be either kind.
    const line = text.slice(start, next).replace(/\r\n$/, '\n');
    lines.set(line, (lines.get(line) ?? 0) + 1);
    start = next;
  }
  return { path, size: bytes.length, lines };
}

/** The gone files that share the most bytes with a new one. */
function candidatesOf(file: Lines, owners: ReadonlyMap<string, readonly number[]>): readonly number[] {
  const shared = new Map<number, number>();
  for (const line of file.lines.keys()) {
    const some = owners.get(line) ?? [];
    if (some.length > MAX_OWNERS) continue;
    for (const at of some) shared.set(at, (shared.get(at) ?? 0) + line.length);
  }
  return [...shared]
    .sort(([, a], [, b]) => b - a)
    .slice(0, MAX_CANDIDATES)
    .map(([at]) => at);
}

/** The share of the larger file's bytes that both have, from 0 to 1. */
function likeness(old: Lines, now: Lines): number {
  let shared = 0;
  for (const [line, times] of now.lines) shared += line.length * Math.min(times, old.lines.get(line) ?? 0);
  return shared / Math.max(old.size, now.size, 1);
}

function nameOf(path: RepoPath): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
