import type { Rename, RepoPath } from '../model/index.ts';

/** An added or removed file with its bytes. */
export interface TextFile {
  readonly path: RepoPath;
  readonly bytes: Uint8Array;
}

/** A line that is in more removed files than this is no evidence of a rename. */
const MAX_OWNERS = 50;
/** The similarity is computed for this many removed files that share the most bytes. */
const MAX_CANDIDATES = 8;

/**
 * Finds removed files of which at least half of the bytes, counted by lines, are in an added file: git's measure of a
 * rename (https://git-scm.com/docs/git-diff, `--find-renames`). The most similar pairs come first, among equally similar
 * ones those with the same name. Linear in the bytes, apart from lines that many files share, which are bounded.
 */
export function findSimilar(removed: readonly TextFile[], added: readonly TextFile[]): readonly Rename[] {
  const olds = removed.map(toLines);
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
      const similarity = similarityOf(old, now);
      return similarity < 0.5 ? [] : [{ from: old.path, to: now.path, similarity }];
    });
  });
  pairs.sort(
    (a, b) =>
      b.similarity - a.similarity ||
      Number(nameOf(b.from) === nameOf(b.to)) - Number(nameOf(a.from) === nameOf(a.to)) ||
      (`${a.from}\0${a.to}` < `${b.from}\0${b.to}` ? -1 : 1),
  );
  const pairedOld = new Set<RepoPath>();
  const pairedNew = new Set<RepoPath>();
  const renames: Rename[] = [];
  for (const { from, to } of pairs) {
    if (pairedOld.has(from) || pairedNew.has(to)) continue;
    pairedOld.add(from);
    pairedNew.add(to);
    renames.push({ from, to });
  }
  return renames;
}

interface Lines {
  readonly path: RepoPath;
  readonly size: number;
  /** Each line with its line break → how often it occurs. */
  readonly lines: ReadonlyMap<string, number>;
}

function toLines({ path, bytes }: TextFile): Lines {
  // One character for each byte, whatever the encoding.
  const text = new TextDecoder('latin1').decode(bytes);
  const lines = new Map<string, number>();
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start);
    const next = end === -1 ? text.length : end + 1;
    // As in git, both kinds of line breaks are equal.
    const line = text.slice(start, next).replace(/\r\n$/, '\n');
    lines.set(line, (lines.get(line) ?? 0) + 1);
    start = next;
  }
  return { path, size: bytes.length, lines };
}

/** The removed files that share the most bytes with an added one. */
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
function similarityOf(old: Lines, now: Lines): number {
  let shared = 0;
  for (const [line, times] of now.lines) shared += line.length * Math.min(times, old.lines.get(line) ?? 0);
  return shared / Math.max(old.size, now.size, 1);
}

function nameOf(path: RepoPath): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
