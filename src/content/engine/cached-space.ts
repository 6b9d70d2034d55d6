import { markdownReading } from '../facts/index.ts';
import type { Format } from '../format-port/index.ts';
import {
  type FileFacts,
  type FormatName,
  MAX_SUGGESTION_WORK,
  type Oid,
  type RepoPath,
  type SpaceAnalysis,
  type TreeEntry,
} from '../model/index.ts';
import { LayeredMap, treeIndexOf } from '../tree/index.ts';
import { advanceSpace } from './advance-space.ts';
import { analysisOfState, knownPagesOf, type OlderPages } from './analysis-of-state.ts';
import { type CheckedPart, type DependencyTracking, estimateVerdictBytes } from './check-file.ts';
import { DependencyRecorder } from './dependency-recorder.ts';
import { Dependents } from './dependents.ts';
import { gatherFacts, type KnownFacts, type Wanted } from './gather-facts.ts';
import { addedSources, compareWithState, type NextTree } from './next-tree.ts';
import {
  filesToRead,
  isOpenedAlike,
  type OpenedSpace,
  openSpace,
  type PreviousSpace,
  type SpaceOptions,
} from './open-space.ts';
import { changedBytes } from './patch-pages.ts';
import { CompleteReader, type ReadBlobs, type ReadValues, readTexts, untilRead } from './read-texts.ts';
import { checkSpace, type FactsOf, type SpaceState } from './space-state.ts';
import { doInTurns } from './steps.ts';

export interface SpaceRequest extends SpaceOptions {
  readonly name: FormatName;
  readonly format: Format;
  readonly read: ReadBlobs;
}

/** Counters of an engine's work. */
export interface EngineWork {
  /** Blobs read. */
  blobs: number;
  /** Links checked. */
  links: number;
}

/** Rounds of reading the targets of links that lead outside a space; links to what is then still unread stay unchecked. */
const MAX_ROUNDS = 4;

/** How far the recorded dependencies may grow before all are recorded again, as a multiple of their first number. */
const MAX_GROWTH = 3;

interface CachedState {
  readonly state: SpaceState;
  readonly facts: LayeredMap<RepoPath, FileFacts>;
  readonly dependents: Dependents<CheckedPart>;
  readonly analysis: SpaceAnalysis;
  /** The texts of configuration files. */
  readonly texts: Map<Oid, string | null>;
  /** The size of `dependents` above which all dependencies are recorded again. */
  readonly limit: number;
  readonly bytes: number;
}

/** A space of a repository with the verdicts of its last tree, from which those of the next tree are derived. */
export class CachedSpace {
  readonly #known: KnownFacts;
  readonly #recorder: DependencyRecorder | null;
  #cached: CachedState | null = null;
  #isDropped = false;

  constructor(known: KnownFacts, cachesVerdicts: boolean) {
    this.#known = known;
    this.#recorder = cachesVerdicts ? new DependencyRecorder() : null;
  }

  /** Estimated size in bytes, without the facts. */
  get bytes(): number {
    return this.#cached?.bytes ?? 0;
  }

  /** Releases everything; nothing is cached from now on. */
  drop(): void {
    this.#isDropped = true;
    this.#store(null);
  }

  /** `twin` is a space of another scope with the same request but for the tree, if one is in memory. */
  async analyse(
    request: SpaceRequest,
    work: EngineWork,
    twin: CachedSpace | null = null,
  ): Promise<SpaceAnalysis> {
    const reader = new CompleteReader(request.read);
    const cached = this.#cached;
    const shared = cached === null && twin !== null ? await this.#share(twin, request, reader) : null;
    if (shared !== null) return shared;
    const next = cached === null ? null : compareWithState(cached.state, request);
    if (cached !== null && next?.isSame === true) return cached.analysis;
    const advanced =
      cached === null || next === null ? null : await this.#advance(cached, next, request, reader, work);
    return advanced ?? (await this.#analyseAll(request, reader, work));
  }

  async #analyseAll(request: SpaceRequest, reader: CompleteReader, work: EngineWork): Promise<SpaceAnalysis> {
    const { read } = reader;
    const texts = new Map(this.#cached?.texts);
    const facts = new Map<RepoPath, FileFacts>();
    return await untilRead(
      read,
      (files) => {
        const space = openSpace({ ...request, files }, this.#recorder?.addKey ?? null);
        return async () => {
          await gatherFacts(filesToRead(space.open, request.tree), this.#known, facts, read);
          for (let round = 1; ; round += 1) {
            const { factsOf, missed } = factsAmong(facts);
            const tracking =
              this.#recorder === null
                ? null
                : { recorder: this.#recorder, dependents: new Dependents<CheckedPart>() };
            const state = await doInTurns(checkSpace(optionsOf(request), space, factsOf, tracking));
            for (const { links } of state.checked.values()) work.links += links.length;
            // Pages outside the space whose headings are linked to are known only now.
            const isLast = missed.size === 0 || round === MAX_ROUNDS;
            if (!isLast && (await gatherFacts([...missed.values()], this.#known, facts, read)) > 0) continue;
            const analysis = analysisOfState(state);
            const isRead = missed.size === 0 && space.unread.size === 0 && reader.isComplete;
            const isWhole = isRead && state.steps <= MAX_SUGGESTION_WORK;
            if (tracking !== null)
              this.#store(isWhole ? cachedState(state, tracking, { facts, texts, analysis }) : null);
            return analysis;
          }
        };
      },
      { texts, readValues: this.#known.readValues },
    );
  }

  /**
   * The analysis of the same tree in another scope, if this one receives all bytes that it was made of; otherwise null. Its
   * state stays with the other scope, which may change it with its next tree.
   */
  async #share(
    twin: CachedSpace,
    request: SpaceRequest,
    { read }: CompleteReader,
  ): Promise<SpaceAnalysis | null> {
    const cached = twin.#cached;
    if (cached === null || compareWithState(cached.state, request)?.isSame !== true) return null;
    const { space } = cached.state;
    const index = treeIndexOf(request.tree);
    const entriesAt = (paths: Iterable<RepoPath>) => [...paths].flatMap((path) => index.entry(path) ?? []);
    const texts = new Map<Oid, string | null>();
    const configs = entriesAt(space.texts).filter(({ mode }) => mode === 'file' || mode === 'executable');
    await readTexts(read, configs, texts);
    for (const [oid, text] of texts) if (text === null || text !== cached.texts.get(oid)) return null;
    const wanted = entriesAt(cached.facts.keys()).map((entry) => ({
      entry,
      reading: (entry.mode === 'symlink' ? null : space.open.readingOf(entry.path)) ?? markdownReading,
    }));
    const own = new Map<RepoPath, FileFacts | undefined>();
    await gatherFacts(wanted, this.#known, own, read);
    // Facts in memory are the same object only where this scope received the bytes.
    for (const [path, facts] of cached.facts.entries()) if (own.get(path) !== facts) return null;
    return cached.analysis;
  }

  /** Null when everything must be checked. */
  async #advance(
    cached: CachedState,
    next: NextTree,
    request: SpaceRequest,
    reader: CompleteReader,
    work: EngineWork,
  ): Promise<SpaceAnalysis | null> {
    const { state, dependents } = cached;
    const dependencies = dependents.size;
    const recorder = this.#recorder;
    if (recorder === null) return null;
    const texts = new Map(cached.texts);
    const previous = { entries: state.space.entries, diff: next.diff };
    const space = next.isReshaped
      ? await reopen(request, reader.read, { texts, readValues: this.#known.readValues }, recorder, previous)
      : state.space;
    if (!isOpenedAlike(state.space, space)) return null;
    const added = addedSources(next, space);
    const changes = new Map<RepoPath, FileFacts | undefined>();
    for (const { path } of next.diff.removed) changes.set(path, undefined);
    for (const { after } of next.diff.changed)
      if (cached.facts.has(after.path)) changes.set(after.path, undefined);
    await gatherFacts(changedFiles(cached, next, space, added), this.#known, changes, reader.read);
    for (let round = 1; round <= MAX_ROUNDS; round += 1) {
      const facts = cached.facts.with(changes);
      const { factsOf, missed } = factsAmong(facts);
      const advanced = await doInTurns(
        advanceSpace(state, {
          options: optionsOf(request),
          next,
          space,
          added,
          facts,
          older: cached.facts,
          factsOf,
          tracking: { recorder, dependents },
        }),
      );
      if (advanced === null) return null;
      work.links += countLinks(advanced.checked);
      if (missed.size > 0) {
        if ((await gatherFacts([...missed.values()], this.#known, changes, reader.read)) === 0) return null;
        continue;
      }
      if (!reader.isComplete || space.unread.size > 0) return null;
      const analysis = analysisOfState(advanced.state, olderPages(cached, next, facts));
      const bytes =
        cached.bytes +
        estimateVerdictBytes(advanced.checked) +
        DEPENDENCY_BYTES * (dependents.size - dependencies);
      const grown = {
        ...cached,
        state: advanced.state,
        facts,
        analysis,
        bytes,
        texts: textsOf(space, texts),
      };
      if (dependents.size > cached.limit) this.#store(null);
      else if (this.#cached === cached) this.#store(grown, changes.keys());
      else this.#store(grown);
      return analysis;
    }
    return null;
  }

  /** Retains the facts of the state and releases those of the previous one. `changed` are the only paths whose facts may differ. */
  #store(wanted: CachedState | null, changed: Iterable<RepoPath> | null = null): void {
    const before = this.#cached;
    const cached = this.#isDropped ? null : wanted;
    this.#cached = cached;
    const paths = changed === null || cached === null ? null : [...changed];
    for (const facts of factsAt(cached, paths)) this.#known.cache.retain(facts);
    for (const facts of factsAt(before, paths)) this.#known.cache.release(facts);
  }
}

/** The navigation of the previous tree, if it was computed and is the same except for oids. */
function olderPages(
  cached: CachedState,
  next: NextTree,
  facts: { get(path: RepoPath): FileFacts | undefined },
): OlderPages | null {
  const pages = next.isReshaped ? null : knownPagesOf(cached.analysis);
  const changes = pages === null ? null : changedBytes(next.diff, cached.facts, facts);
  return pages === null || changes === null ? null : { pages, changes };
}

/** The facts of some paths, or of all when `paths` is null. */
function factsAt(cached: CachedState | null, paths: readonly RepoPath[] | null): Iterable<FileFacts> {
  if (cached === null) return [];
  return paths === null ? cached.facts.values() : paths.flatMap((path) => cached.facts.get(path) ?? []);
}

function cachedState(
  state: SpaceState,
  { dependents }: DependencyTracking,
  {
    facts,
    texts,
    analysis,
  }: {
    readonly facts: ReadonlyMap<RepoPath, FileFacts>;
    readonly texts: ReadonlyMap<Oid, string | null>;
    readonly analysis: SpaceAnalysis;
  },
): CachedState {
  state.space.index.prepare();
  return {
    state,
    facts: new LayeredMap(facts),
    dependents,
    analysis,
    texts: textsOf(state.space, texts),
    limit: 1_000 + dependents.size * MAX_GROWTH,
    bytes:
      ENTRY_BYTES * state.options.tree.length +
      DEPENDENCY_BYTES * dependents.size +
      estimateVerdictBytes(state.checked.values()),
  };
}

/** The texts of a space's configuration files. */
function textsOf(
  { texts, index }: OpenedSpace,
  known: ReadonlyMap<Oid, string | null>,
): Map<Oid, string | null> {
  const own = new Map<Oid, string | null>();
  for (const path of texts) {
    const oid = index.entry(path)?.oid ?? '';
    const text = known.get(oid);
    if (text !== undefined) own.set(oid, text);
  }
  return own;
}

async function reopen(
  request: SpaceRequest,
  read: ReadBlobs,
  {
    texts,
    readValues,
  }: { readonly texts: Map<Oid, string | null>; readonly readValues: ReadValues | undefined },
  recorder: DependencyRecorder,
  previous: PreviousSpace,
): Promise<OpenedSpace> {
  return await untilRead(
    read,
    (files) => {
      const space = openSpace({ ...request, files }, recorder.addKey, previous);
      return async () => space;
    },
    { texts, readValues },
  );
}

/** Changed files whose facts were used, and new sources. */
function changedFiles(
  { facts }: CachedState,
  { diff }: NextTree,
  { open }: OpenedSpace,
  added: readonly TreeEntry[],
): readonly Wanted[] {
  const changed = diff.changed.flatMap(({ after }) => (facts.has(after.path) ? [after] : []));
  return [...changed, ...added].flatMap((entry) => {
    const reading = open.readingOf(entry.path);
    return reading === null ? [] : [{ entry, reading }];
  });
}

/** Returns the available facts, and records which others were requested. */
function factsAmong(facts: { get(path: RepoPath): FileFacts | undefined }): {
  readonly factsOf: FactsOf;
  readonly missed: ReadonlyMap<RepoPath, Wanted>;
} {
  const missed = new Map<RepoPath, Wanted>();
  return {
    missed,
    factsOf(entry, reading) {
      const found = facts.get(entry.path);
      if (found === undefined) missed.set(entry.path, { entry, reading });
      return found;
    },
  };
}

function optionsOf({ format: _format, read: _read, ...options }: SpaceRequest): SpaceState['options'] {
  return options;
}

function countLinks(parts: readonly CheckedPart[]): number {
  return parts.reduce((sum, part) => sum + part.links.length, 0);
}

/** Estimated memory of one entry of a tree, with its part of the index and of the navigation. */
const ENTRY_BYTES = 300;

/** Estimated memory of one dependency of one part. */
const DEPENDENCY_BYTES = 24;
