import type { Publication } from '../format-port/index.ts';
import { type FileFacts, MAX_SUGGESTION_WORK, type RepoPath, type TreeEntry } from '../model/index.ts';
import { entriesAmong, type LayeredMap } from '../tree/index.ts';
import {
  type CheckedFile,
  type CheckedPart,
  checkFile,
  type DependencyTracking,
  stepsOf,
} from './check-file.ts';
import { linesKey, madeKey, tableKey } from './dependency-keys.ts';
import { type Touched, touches } from './dependency-recorder.ts';
import type { NextTree } from './next-tree.ts';
import type { OpenedSpace } from './open-space.ts';
import { haveSameLines, isSameJson, looksSame } from './same-facts.ts';
import type { SiteTable } from './site-table.ts';
import type { Made, Snapshot } from './space-files.ts';
import { type FactsOf, linkContextOf, requestPages, type SpaceState } from './space-state.ts';

export interface Advance {
  readonly options: SpaceState['options'];
  readonly next: NextTree;
  /** The state's own where neither paths nor configuration changed. */
  readonly space: OpenedSpace;
  /** New files that are sources. */
  readonly added: readonly TreeEntry[];
  /** By path, with those of changed and added files as they are now. */
  readonly facts: LayeredMap<RepoPath, FileFacts>;
  readonly older: LayeredMap<RepoPath, FileFacts>;
  readonly factsOf: FactsOf;
  readonly tracking: DependencyTracking;
}

export interface Advanced {
  readonly state: SpaceState;
  /** The parts of files that were judged; all others have the verdicts that they had. */
  readonly checked: readonly CheckedPart[];
}

/**
 * Judges the next tree of a space from the last one: only sources that changed or came, and those that asked a question
 * which has another answer now. Null when what could have changed cannot be told, so that all is to be judged.
 */
export function advanceSpace(state: SpaceState, advance: Advance): Advanced | null {
  const { options, next, space, factsOf, tracking } = advance;
  const seen = compareContents(advance);
  if (seen === null) return null;
  const touched = { keys: new Set([...next.touched, ...seen.keys]), contents: seen.contents };
  const index = next.index.watched(tracking.recorder.addKey);
  const { entries } = space;
  const now = { index, open: space.open, factsOf, entries };
  const { files } = state;
  const tables = files.within({ ...now, made: new Map(), tables: new Map() }, () =>
    nextTables(state.snapshot.tables, advance, touched),
  );
  const snapshot: Snapshot = { ...now, made: stillMade(state.snapshot.made, touched), tables };
  return files.within(snapshot, () => {
    const isMade = snapshot.made.size === state.snapshot.made.size && !hasTouched(snapshot.made);
    const isKept = space === state.space && !seen.isReshaped && isMade;
    const publication = isKept ? state.publication : space.open.publish(files);
    if (!isKept) {
      const changes = changedPaths(publication, state.publication);
      if (changes === null) return null;
      for (const path of changes) touched.keys.add(path);
    }
    const sources = sourcesOf(state, advance);
    if (sources === null) return null;
    const context = linkContextOf(options, snapshot, files);
    const checked = new Map<RepoPath, CheckedFile | undefined>();
    let { steps } = state;
    for (const { path } of next.diff.removed) {
      if (!state.checked.has(path)) continue;
      steps -= stepsOf(state.checked.get(path));
      checked.set(path, undefined);
    }
    const anew: CheckedPart[] = [];
    for (const [path, parts] of partsToCheck(state, advance, touched)) {
      const entry = next.index.entry(path);
      if (entry === undefined) continue;
      const before = state.checked.get(path);
      const keep = (at: number) => (parts?.has(at) === false ? before?.parts[at] : undefined);
      const file = checkFile(context, publication, entry, tracking, keep);
      steps += stepsOf(file) - stepsOf(before);
      checked.set(path, file);
      anew.push(...file.parts.filter((part) => part !== before?.parts[part.at]));
    }
    if (steps > MAX_SUGGESTION_WORK) return null;
    requestPages(publication, snapshot.index);
    return {
      state: {
        options,
        space,
        snapshot,
        files,
        publication,
        sources,
        checked: state.checked.with(checked),
        broken: brokenWith(state.broken, checked),
        steps,
      },
      checked: anew,
    };
  });
}

/** The files with a broken link, after some were judged again or went. */
function brokenWith(
  before: ReadonlySet<RepoPath>,
  checked: ReadonlyMap<RepoPath, CheckedFile | undefined>,
): ReadonlySet<RepoPath> {
  const broken = new Set(before);
  for (const [path, file] of checked) {
    if (file === undefined || file.broken.length === 0) broken.delete(path);
    else broken.add(path);
  }
  return broken;
}

/** Which changed files look different to others, and whether the rules may. Null when one could not be read. */
function compareContents({ next, older, facts, space }: Advance) {
  const keys = new Set<string>();
  const contents = new Set<RepoPath>();
  let isReshaped = false;
  const { open } = space;
  for (const { after } of next.diff.changed) {
    const { path } = after;
    const [before, now] = [older.get(path), facts.get(path)];
    if (before === undefined) continue;
    if (now === undefined) return null;
    const isAlike = looksSame(before, now);
    if (!isAlike) contents.add(path);
    if (!isAlike || !haveSameLines(before, now)) keys.add(linesKey(path));
    isReshaped ||=
      open.shapedBy === undefined || !isSameJson(open.shapedBy(path, before), open.shapedBy(path, now));
  }
  return { keys, contents, isReshaped };
}

/** The tables with what files put into them now. Keys that have other rows touch those who asked for them. */
function nextTables(
  tables: ReadonlyMap<string, SiteTable>,
  { next: { diff, index }, space, tracking }: Advance,
  touched: { readonly keys: Set<string>; readonly contents: ReadonlySet<string> },
): Map<string, SiteTable> {
  const nexts = new Map<string, SiteTable>();
  if (tables.size === 0) return nexts;
  const entries = new Map<RepoPath, TreeEntry | null>();
  for (const { path } of diff.removed) entries.set(path, null);
  for (const entry of entriesAmong(diff.added, space.entries)) entries.set(entry.path, entry);
  const changed = diff.changed.map(({ after }) => after);
  for (const entry of entriesAmong(changed, space.entries)) entries.set(entry.path, entry);
  // What tables are made from is asked of the tree and of files alone.
  const dependencies = { keys: new Set(touched.keys), contents: touched.contents };
  for (const [name, table] of tables) {
    const { table: newer, changed } = table.next(
      entries,
      dependencies,
      (path) => index.entry(path),
      tracking.recorder,
    );
    nexts.set(name, newer);
    for (const key of changed) touched.keys.add(tableKey(name, key));
  }
  return nexts;
}

function hasTouched(made: ReadonlyMap<string, Made>): boolean {
  return made.values().some((one) => one.touched !== undefined);
}

/** What formats made from questions that still have the same answers. What falls away touches those who asked for it. */
function stillMade(
  made: ReadonlyMap<string, Made>,
  touched: { readonly keys: Set<string>; readonly contents: ReadonlySet<string> },
): Map<string, Made> {
  const left = new Map(made);
  const patched = new Map<string, Made>();
  for (let isMore = true; isMore; ) {
    isMore = false;
    for (const [key, one] of left) {
      if (patched.has(key) || !touches(touched, one.dependencies)) continue;
      isMore = true;
      touched.keys.add(madeKey(key));
      if (one.isPatched === true && touched.contents.isDisjointFrom(one.dependencies.contents))
        patched.set(key, one);
      else left.delete(key);
    }
  }
  for (const [key, one] of patched) {
    const keys = touched.keys.intersection(one.dependencies.keys);
    left.set(key, { ...one, touched: keys.union(one.touched ?? new Set()) });
  }
  return left;
}

function changedPaths(publication: Publication, previous: Publication): Iterable<RepoPath> | null {
  return publication.changesSince?.(previous) ?? null;
}

/** The sources of the next tree; null when they differ by more than the files that came and went. */
function sourcesOf(state: SpaceState, { next, space, added }: Advance): readonly TreeEntry[] | null {
  if (space === state.space) return state.sources;
  const gone = next.diff.removed.filter(({ path }) => state.checked.has(path)).length;
  const { sources } = space.open;
  return sources.length === state.sources.length + added.length - gone ? sources : null;
}

/** Which parts of which sources are to be judged, null for all parts. In no order: verdicts do not depend on it. */
function partsToCheck(
  state: SpaceState,
  { next, added, tracking }: Advance,
  touched: Touched,
): ReadonlyMap<RepoPath, ReadonlySet<number> | null> {
  const parts = new Map<RepoPath, Set<number> | null>();
  for (const part of tracking.dependents.of(touched)) {
    const { file, at } = part;
    // One that was judged anew since is another part.
    if (state.checked.get(file)?.parts[at] !== part) continue;
    const known = parts.get(file);
    if (known === undefined) parts.set(file, new Set([at]));
    else known?.add(at);
  }
  // Another place, or other rules for what stands there.
  for (const key of touched.keys) if (state.checked.has(key)) parts.set(key, null);
  for (const { after } of next.diff.changed) if (state.checked.has(after.path)) parts.set(after.path, null);
  for (const { path } of added) parts.set(path, null);
  return parts;
}
