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
import { haveSameLines, isSameJson, leadToSameVerdicts } from './same-facts.ts';
import type { SiteTable } from './site-table.ts';
import type { Made, Snapshot } from './space-files.ts';
import { type FactsOf, linkContextOf, requestPages, type SpaceState } from './space-state.ts';
import type { Steps } from './steps.ts';

export interface Advance {
  readonly options: SpaceState['options'];
  readonly next: NextTree;
  /** The state's own space when neither paths nor configuration changed. */
  readonly space: OpenedSpace;
  /** New files that are sources. */
  readonly added: readonly TreeEntry[];
  /** By path; of changed and added files as they are in the next tree. */
  readonly facts: LayeredMap<RepoPath, FileFacts>;
  readonly older: LayeredMap<RepoPath, FileFacts>;
  readonly factsOf: FactsOf;
  readonly tracking: DependencyTracking;
}

export interface Advanced {
  readonly state: SpaceState;
  /** The parts of files that were checked again; the verdicts of all others are unchanged. */
  readonly checked: readonly CheckedPart[];
}

/**
 * Checks the next tree of a space, starting from the state of the last one: only sources that were changed or added, and
 * those with a dependency that changed. Null when the changes cannot be determined, so that everything must be checked.
 */
export function* advanceSpace(state: SpaceState, advance: Advance): Steps<Advanced | null> {
  const { next, space, factsOf, tracking } = advance;
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
  const snapshot: Snapshot = { ...now, made: stillValid(state.snapshot.made, touched), tables };
  return yield* files.stepsWithin(
    snapshot,
    advanceWithin(state, advance, snapshot, touched, seen.isReshaped),
  );
}

function* advanceWithin(
  state: SpaceState,
  advance: Advance,
  snapshot: Snapshot,
  touched: { readonly keys: Set<string>; readonly contents: ReadonlySet<string> },
  isReshaped: boolean,
): Steps<Advanced | null> {
  const { options, next, space, tracking } = advance;
  const { files } = state;
  const isMade = snapshot.made.size === state.snapshot.made.size && !hasTouched(snapshot.made);
  const isReused = space === state.space && !isReshaped && isMade;
  const publication = isReused ? state.publication : space.open.publish(files);
  if (!isReused) {
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
  const rechecked: CheckedPart[] = [];
  for (const [path, parts] of partsToCheck(state, advance, touched)) {
    const entry = next.index.entry(path);
    if (entry === undefined) continue;
    const before = state.checked.get(path);
    const reuse = (at: number) => (parts?.has(at) === false ? before?.parts[at] : undefined);
    const file = yield* checkFile(context, publication, entry, tracking, reuse);
    steps += stepsOf(file) - stepsOf(before);
    checked.set(path, file);
    rechecked.push(...file.parts.filter((part) => part !== before?.parts[part.at]));
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
    checked: rechecked,
  };
}

/** The files with a broken link, after some were checked again or removed. */
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

/** Which changed files differ for links from other files, and whether the rules may. Null when a file could not be read. */
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
    const hasSameVerdicts = leadToSameVerdicts(before, now);
    if (!hasSameVerdicts) contents.add(path);
    if (!hasSameVerdicts || !haveSameLines(before, now)) keys.add(linesKey(path));
    isReshaped ||=
      open.shapedBy === undefined || !isSameJson(open.shapedBy(path, before), open.shapedBy(path, now));
  }
  return { keys, contents, isReshaped };
}

/** The tables with the rows of the next tree. Adds the keys whose rows differ to `touched`. */
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
  // Rows depend on the tree and on files alone, and not on other tables.
  const sources = { keys: new Set(touched.keys), contents: touched.contents };
  for (const [name, table] of tables) {
    const { table: newer, changed } = table.next(
      entries,
      sources,
      (path) => index.entry(path),
      tracking.recorder,
    );
    nexts.set(name, newer);
    for (const key of changed) touched.keys.add(tableKey(name, key));
  }
  return nexts;
}

function hasTouched(made: ReadonlyMap<string, Made>): boolean {
  return made.values().some((value) => value.touched !== undefined);
}

/** The values whose dependencies are unchanged. Adds the keys of all others to `touched`, for what depends on them. */
function stillValid(
  made: ReadonlyMap<string, Made>,
  touched: { readonly keys: Set<string>; readonly contents: ReadonlySet<string> },
): Map<string, Made> {
  const valid = new Map(made);
  const patched = new Map<string, Made>();
  for (let isMore = true; isMore; ) {
    isMore = false;
    for (const [key, value] of valid) {
      if (patched.has(key) || !touches(touched, value.dependencies)) continue;
      isMore = true;
      touched.keys.add(madeKey(key));
      if (value.isPatched === true && touched.contents.isDisjointFrom(value.dependencies.contents))
        patched.set(key, value);
      else valid.delete(key);
    }
  }
  for (const [key, value] of patched) {
    const keys = touched.keys.intersection(value.dependencies.keys);
    valid.set(key, { ...value, touched: keys.union(value.touched ?? new Set()) });
  }
  return valid;
}

function changedPaths(publication: Publication, previous: Publication): Iterable<RepoPath> | null {
  return publication.changesSince?.(previous) ?? null;
}

/** The sources of the next tree; null when they differ by more than the added and removed files. */
function sourcesOf(state: SpaceState, { next, space, added }: Advance): readonly TreeEntry[] | null {
  if (space === state.space) return state.sources;
  const removed = next.diff.removed.filter(({ path }) => state.checked.has(path)).length;
  const { sources } = space.open;
  return sources.length === state.sources.length + added.length - removed ? sources : null;
}

/** Which parts of which sources to check, null for all parts. In no order: verdicts do not depend on it. */
function partsToCheck(
  state: SpaceState,
  { next, added, tracking }: Advance,
  touched: Touched,
): ReadonlyMap<RepoPath, ReadonlySet<number> | null> {
  const parts = new Map<RepoPath, Set<number> | null>();
  for (const part of tracking.dependents.of(touched)) {
    const { file, at } = part;
    // A part that was checked again since has been replaced.
    if (state.checked.get(file)?.parts[at] !== part) continue;
    const known = parts.get(file);
    if (known === undefined) parts.set(file, new Set([at]));
    else known?.add(at);
  }
  // Files at touched paths may have other rules.
  for (const key of touched.keys) if (state.checked.has(key)) parts.set(key, null);
  for (const { after } of next.diff.changed) if (state.checked.has(after.path)) parts.set(after.path, null);
  for (const { path } of added) parts.set(path, null);
  return parts;
}
