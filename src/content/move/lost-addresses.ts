import type { AnalysedSpace, ReadBlobs } from '../engine/index.ts';
import type { PublishedFiles, RedirectTable } from '../format-port/index.ts';
import { loadFormatMoves } from '../formats/index.ts';
import type { DetectedSpace, Rename, RepoPath, TreeEntry } from '../model/index.ts';
import type { EntriesEdit } from '../text/index.ts';
import { addressesOf, type MoveSide, pagePaths, withFiles } from './published-files.ts';

/** An address that readers and other sites may use, and that has no page after a change. */
export interface LostAddress {
  /** Relative to the root of the site, with a leading slash. */
  readonly address: string;
  /** The page's file before the change. */
  readonly file: RepoPath;
  /** The page after the change; null when it was removed. */
  readonly now: { readonly file: RepoPath; readonly address: string } | null;
  /** The redirect that would lead readers to the page, as it is written in its file; null when none can be written. */
  readonly redirect: { readonly file: RepoPath; readonly from: string; readonly to: string } | null;
}

/** The addresses of a space that a change removes. */
export interface LostAddresses {
  readonly addresses: readonly LostAddress[];
  /**
   * The edit that adds all their redirects to the file as it is after the change; null when there are none, or the file
   * cannot be edited with certainty.
   */
  readonly edit: EntriesEdit | null;
}

const NOTHING: LostAddresses = { addresses: [], edit: null };

/** A tree with the analyses of its spaces. */
export interface AnalysedTree<Space extends DetectedSpace = DetectedSpace> {
  readonly tree: readonly TreeEntry[];
  readonly read: ReadBlobs;
  readonly spaces: readonly AnalysedSpace<Space>[];
}

export interface LostInSpace<Space extends DetectedSpace = DetectedSpace> extends LostAddresses {
  readonly space: Space;
}

/** The addresses that a change removes, by space of the newer tree. */
export async function findLostInSpaces<Space extends DetectedSpace>(
  before: AnalysedTree,
  after: AnalysedTree<Space>,
  renames: readonly Rename[],
): Promise<readonly LostInSpace<Space>[]> {
  const found: LostInSpace<Space>[] = [];
  for (const { space, analysis } of after.spaces) {
    const old = before.spaces.find((candidate) => candidate.space.directory === space.directory);
    if (old === undefined) continue;
    const sides = [
      { ...before, space: old.analysis },
      { ...after, space: analysis },
    ] as const;
    const lost = await findLostAddresses(...sides, renames);
    if (lost.addresses.length > 0) found.push({ ...lost, space });
  }
  return found;
}

/**
 * The addresses of a space that a change removes without a redirect, because it removes, renames or moves their pages.
 * Formats without addresses of their own, such as plain Markdown on GitHub, have none.
 */
export async function findLostAddresses(
  before: MoveSide,
  after: MoveSide,
  renames: readonly Rename[],
): Promise<LostAddresses> {
  const moves = await loadFormatMoves(before.space.format);
  if (moves === null || after.space.format !== before.space.format || hasSamePaths(before, after))
    return NOTHING;
  const [old, now] = [await addressesOf(moves, before), await addressesOf(moves, after)];
  const { live, table, ...target } = await withFiles(after, (files) => {
    const table = moves.redirects(files);
    const live = new Set([...now.values(), ...(moves.liveAddresses?.(files) ?? [])]);
    return { live, table, ...inspectTarget(files, table) };
  });
  const redirected = new Set(typeof table === 'string' ? [] : table.entries.map(({ from }) => from));
  const newPaths = new Map(renames.map(({ from, to }) => [from, to]));
  const addresses: LostAddress[] = [];
  const entries: (readonly [from: string, to: string])[] = [];
  for (const [file, from] of old) {
    if (from === '' || from === 'index.html' || live.has(from) || redirected.has(from)) continue;
    const newFile = newPaths.get(file) ?? file;
    const to = now.get(newFile);
    // On sites that ignore case, the address would redirect to itself.
    const canRedirect =
      to !== undefined && to.toLowerCase() !== from.toLowerCase() && typeof table !== 'string';
    const entry = canRedirect ? table.write({ from, to, oldFile: file, newFile }) : null;
    if (entry !== null) entries.push(entry);
    addresses.push({
      address: `/${from}`,
      file,
      now: to === undefined ? null : { file: newFile, address: `/${to}` },
      redirect:
        entry === null || typeof table === 'string'
          ? null
          : { file: table.file, from: entry[0], to: entry[1] },
    });
  }
  const canWrite = typeof table !== 'string' && entries.length > 0 && (target.isNew || target.isReadable);
  const edit = canWrite ? table.insert(entries) : null;
  return {
    addresses: addresses.sort((a, b) => (a.address < b.address ? -1 : 1)),
    edit:
      edit === null || typeof table === 'string' ? null : { file: table.file, isNew: target.isNew, ...edit },
  };
}

/** The state of the file that redirects are written to. A symbolic link, or a file that is too large, exists but is not readable. */
function inspectTarget({ repository }: PublishedFiles, table: RedirectTable | string) {
  if (typeof table === 'string') return { isNew: false, isReadable: false };
  const isNew = repository.index.entry(table.file) === undefined;
  return { isNew, isReadable: repository.text(table.file) !== null };
}

/** Describes what happened and what to do, in one or two sentences. */
export function explainLost({ address, file, now, redirect }: LostAddress): string {
  if (now === null)
    return `There is no longer a page at ${address}: ${file} was removed. Redirect its readers to another page.`;
  const moved = `There is no longer a page at ${address}: it is now at ${now.address}.`;
  return redirect === null
    ? `${moved} Redirect its readers in the settings of the site's host.`
    : `${moved} Add to the redirects of ${redirect.file}: ${redirect.from} → ${redirect.to}`;
}

/** Whether the paths of all pages are unchanged, which is true for most changes and needs no file to be read. */
function hasSamePaths(before: MoveSide, after: MoveSide): boolean {
  const now = pagePaths(after.space.pages);
  return pagePaths(before.space.pages)
    .entries()
    .every(([file, path]) => now.get(file) === path);
}
