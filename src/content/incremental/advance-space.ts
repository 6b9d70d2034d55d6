import type { Publication } from '../formats/format.ts';
import { MAX_SUGGESTION_WORK } from '../limits.ts';
import type { FileFacts, RepoPath, TreeEntry } from '../model.ts';
import type { OpenedSpace } from '../open-space.ts';
import type { LayeredMap } from '../tree/layered-map.ts';
import type { Askers } from './askers.ts';
import { type JudgedFile, judgeFile } from './judge-file.ts';
import type { NextTree } from './next-tree.ts';
import type { Questions } from './questions.ts';
import { haveSameLines, isSameJson, looksSame } from './same-facts.ts';
import { linesKey, type Made, madeKey, type Snapshot } from './space-files.ts';
import { askForPages, type FactsOf, judgeContextOf, type SpaceState } from './space-state.ts';

export interface Advance {
  readonly options: SpaceState['options'];
  readonly next: NextTree;
  /** The state's own where neither paths nor configuration changed. */
  readonly space: OpenedSpace;
  /** By path, with those of changed and added files as they are now. */
  readonly facts: LayeredMap<RepoPath, FileFacts>;
  readonly older: LayeredMap<RepoPath, FileFacts>;
  readonly factsOf: FactsOf;
  readonly questions: Questions;
  readonly askers: Askers;
}

export interface Advanced {
  readonly state: SpaceState;
  /** The files that were judged; all others have the verdicts that they had. */
  readonly judged: readonly JudgedFile[];
}

/**
 * Judges the next tree of a space from the last one: only sources that changed or came, and those that asked a question
 * which has another answer now. Null when what could have changed cannot be told, so that all is to be judged.
 */
export function advanceSpace(state: SpaceState, advance: Advance): Advanced | null {
  const { options, next, space, factsOf, questions } = advance;
  const seen = compareContents(advance);
  if (seen === null) return null;
  const touched = new Set([...next.touched, ...seen.touched]);
  const snapshot: Snapshot = {
    index: next.index.watched(questions.ask),
    open: space.open,
    factsOf,
    made: stillMade(state.snapshot.made, touched),
  };
  const { files } = state;
  return files.within(snapshot, () => {
    const isKept =
      space === state.space && !seen.isReshaped && snapshot.made.size === state.snapshot.made.size;
    const publication = isKept ? state.publication : space.open.publish(files);
    if (!isKept) {
      const changes = changedPaths(publication, state.publication);
      if (changes === null) return null;
      for (const path of changes) touched.add(path);
    }
    const sources = sourcesOf(state, advance);
    if (sources === null) return null;
    const context = judgeContextOf(options, snapshot, files);
    const judged = new Map<RepoPath, JudgedFile | undefined>();
    let { steps } = state;
    for (const { path } of next.diff.removed) {
      if (!state.judged.has(path)) continue;
      steps -= state.judged.get(path)?.steps ?? 0;
      judged.set(path, undefined);
    }
    const anew: JudgedFile[] = [];
    for (const entry of entriesToJudge(state, advance, touched)) {
      const file = judgeFile(context, publication, entry, questions);
      steps += file.steps - (state.judged.get(entry.path)?.steps ?? 0);
      judged.set(entry.path, file);
      anew.push(file);
    }
    if (steps > MAX_SUGGESTION_WORK) return null;
    askForPages(publication, snapshot.index);
    return {
      state: {
        options,
        space,
        snapshot,
        files,
        publication,
        sources,
        judged: state.judged.with(judged),
        steps,
      },
      judged: anew,
    };
  });
}

/** Which changed files look different to others, and whether the rules may. Null when one could not be read. */
function compareContents({ next, older, facts, space }: Advance) {
  const touched = new Set<string>();
  let isReshaped = false;
  const { open } = space;
  for (const { after } of next.diff.changed) {
    const { path } = after;
    const [before, now] = [older.get(path), facts.get(path)];
    if (before === undefined) continue;
    if (now === undefined) return null;
    const isAlike = looksSame(before, now);
    if (!isAlike) touched.add(path);
    if (!isAlike || !haveSameLines(before, now)) touched.add(linesKey(path));
    isReshaped ||=
      open.shapedBy === undefined || !isSameJson(open.shapedBy(path, before), open.shapedBy(path, now));
  }
  return { touched, isReshaped };
}

/** What formats made from questions that still have the same answers. What falls away touches those who asked for it. */
function stillMade(made: ReadonlyMap<string, Made>, touched: Set<string>): Map<string, Made> {
  const left = new Map(made);
  for (let size = -1; size !== left.size; ) {
    size = left.size;
    for (const [key, { asked }] of left) {
      if (touched.isDisjointFrom(asked)) continue;
      left.delete(key);
      touched.add(madeKey(key));
    }
  }
  return left;
}

function changedPaths(publication: Publication, previous: Publication): Iterable<RepoPath> | null {
  return publication.changesSince?.(previous) ?? null;
}

/** The sources of the next tree; null when they differ by more than the files that came and went. */
function sourcesOf(state: SpaceState, { next, space }: Advance): readonly RepoPath[] | null {
  if (space === state.space) return state.sources;
  const added = new Set(next.diff.added.map((entry) => entry.path));
  const gone = next.diff.removed.filter(({ path }) => state.judged.has(path)).length;
  const sources = space.open.sources.map((entry) => entry.path);
  const come = sources.filter((path) => added.has(path)).length;
  return sources.length === state.sources.length + come - gone ? sources : null;
}

/** In no order: verdicts do not depend on it. */
function* entriesToJudge(
  state: SpaceState,
  { next, space, askers }: Advance,
  touched: ReadonlySet<string>,
): Iterable<TreeEntry> {
  const paths = new Set<RepoPath>();
  for (const { after } of next.diff.changed) if (state.judged.has(after.path)) paths.add(after.path);
  const added = new Set(next.diff.added);
  if (added.size > 0) for (const entry of space.open.sources) if (added.has(entry)) paths.add(entry.path);
  for (const key of touched) {
    if (state.judged.has(key)) paths.add(key);
    for (const path of askers.of(key)) {
      if (state.judged.get(path)?.asked.includes(key) === true) paths.add(path);
    }
  }
  for (const path of paths) {
    const entry = next.index.entry(path);
    if (entry !== undefined) yield entry;
  }
}
