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
import { LayeredMap } from '../tree/index.ts';
import { advanceSpace } from './advance-space.ts';
import { analysisOfState, knownPagesOf, type OlderPages } from './analysis-of-state.ts';
import type { JudgedPart, Notes } from './check-file.ts';
import { CompleteReader } from './complete-reader.ts';
import { Questions } from './dependency-recorder.ts';
import { Askers } from './dependents.ts';
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
import { type ReadBlobs, untilRead } from './read-texts.ts';
import { type FactsOf, judgeSpace, type SpaceState } from './space-state.ts';
import { weighVerdicts } from './verdict-size.ts';

export interface SpaceRequest extends SpaceOptions {
  readonly name: FormatName;
  readonly format: Format;
  readonly read: ReadBlobs;
}

/** Counts what was done. */
export interface Work {
  /** Blobs that were read. */
  blobs: number;
  /** Links that were judged. */
  links: number;
}

/** Rounds of reading what links outside a space ask for; what is still unread then makes links unchecked. */
const MAX_ROUNDS = 4;

/** How much is noted of who asked what before it is noted anew, as a multiple of what it was at first. */
const MAX_GROWTH = 3;

interface Kept {
  readonly state: SpaceState;
  readonly facts: LayeredMap<RepoPath, FileFacts>;
  readonly askers: Askers<JudgedPart>;
  readonly analysis: SpaceAnalysis;
  /** The texts of configuration files. */
  readonly texts: Map<Oid, string | null>;
  /** Entries of `askers` at which all is noted anew. */
  readonly limit: number;
  readonly weight: number;
}

/** One space of a repository with the verdicts of the last tree, from which those of the next one are derived. */
export class KeptSpace {
  readonly #known: KnownFacts;
  readonly #questions: Questions | null;
  #kept: Kept | null = null;
  #isForgotten = false;

  constructor(known: KnownFacts, keepsVerdicts: boolean) {
    this.#known = known;
    this.#questions = keepsVerdicts ? new Questions() : null;
  }

  /** In bytes, roughly, without the facts. */
  get weight(): number {
    return this.#kept?.weight ?? 0;
  }

  /** Lets go of everything, for good. */
  forget(): void {
    this.#isForgotten = true;
    this.#keep(null);
  }

  async analyse(request: SpaceRequest, work: Work): Promise<SpaceAnalysis> {
    const reader = new CompleteReader(request.read);
    const kept = this.#kept;
    const next = kept === null ? null : compareWithState(kept.state, request);
    if (kept !== null && next?.isSame === true) return kept.analysis;
    const advanced =
      kept === null || next === null ? null : await this.#advance(kept, next, request, reader, work);
    return advanced ?? (await this.#analyseAll(request, reader, work));
  }

  async #analyseAll(request: SpaceRequest, reader: CompleteReader, work: Work): Promise<SpaceAnalysis> {
    const { read } = reader;
    const texts = new Map(this.#kept?.texts);
    const facts = new Map<RepoPath, FileFacts>();
    return await untilRead(
      read,
      (textOf) => {
        const space = openSpace({ ...request, textOf }, this.#questions?.ask ?? null);
        return async () => {
          await gatherFacts(filesToRead(space.open, request.tree), this.#known, facts, read);
          for (let round = 1; ; round += 1) {
            const { factsOf, missed } = factsAmong(facts);
            const notes =
              this.#questions === null
                ? null
                : { questions: this.#questions, askers: new Askers<JudgedPart>() };
            const state = judgeSpace(optionsOf(request), space, factsOf, notes);
            for (const { links } of state.judged.values()) work.links += links.length;
            // Pages outside the space whose headings are linked to show only now.
            const isLast = missed.size === 0 || round === MAX_ROUNDS;
            if (!isLast && (await gatherFacts([...missed.values()], this.#known, facts, read)) > 0) continue;
            const analysis = analysisOfState(state);
            const isRead = missed.size === 0 && space.unread.size === 0 && reader.isComplete;
            const isWhole = isRead && state.steps <= MAX_SUGGESTION_WORK;
            if (notes !== null) this.#keep(isWhole ? toKeep(state, notes, { facts, texts, analysis }) : null);
            return analysis;
          }
        };
      },
      texts,
    );
  }

  /** Null when all is to be judged. */
  async #advance(
    kept: Kept,
    next: NextTree,
    request: SpaceRequest,
    reader: CompleteReader,
    work: Work,
  ): Promise<SpaceAnalysis | null> {
    const { state, askers } = kept;
    const asked = askers.size;
    const questions = this.#questions;
    if (questions === null) return null;
    const texts = new Map(kept.texts);
    const previous = { entries: state.space.entries, diff: next.diff };
    const space = next.isReshaped
      ? await reopen(request, reader.read, texts, questions, previous)
      : state.space;
    if (!isOpenedAlike(state.space, space)) return null;
    const added = addedSources(next, space);
    const changes = new Map<RepoPath, FileFacts | undefined>();
    for (const { path } of next.diff.removed) changes.set(path, undefined);
    for (const { after } of next.diff.changed)
      if (kept.facts.has(after.path)) changes.set(after.path, undefined);
    await gatherFacts(changedFiles(kept, next, space, added), this.#known, changes, reader.read);
    for (let round = 1; round <= MAX_ROUNDS; round += 1) {
      const facts = kept.facts.with(changes);
      const { factsOf, missed } = factsAmong(facts);
      const advanced = advanceSpace(state, {
        options: optionsOf(request),
        next,
        space,
        added,
        facts,
        older: kept.facts,
        factsOf,
        notes: { questions, askers },
      });
      if (advanced === null) return null;
      work.links += countLinks(advanced.judged);
      if (missed.size > 0) {
        if ((await gatherFacts([...missed.values()], this.#known, changes, reader.read)) === 0) return null;
        continue;
      }
      if (!reader.isComplete || space.unread.size > 0) return null;
      const analysis = analysisOfState(advanced.state, olderPages(kept, next, facts));
      const weight = kept.weight + weighVerdicts(advanced.judged) + ASKED_WEIGHT * (askers.size - asked);
      const grown = { ...kept, state: advanced.state, facts, analysis, weight, texts: textsOf(space, texts) };
      if (askers.size > kept.limit) this.#keep(null);
      else if (this.#kept === kept) this.#keep(grown, changes.keys());
      else this.#keep(grown);
      return analysis;
    }
    return null;
  }

  /** Holds the facts of what is kept. `changed` are the paths alone whose facts may differ from those kept before. */
  #keep(wanted: Kept | null, changed: Iterable<RepoPath> | null = null): void {
    const before = this.#kept;
    const kept = this.#isForgotten ? null : wanted;
    this.#kept = kept;
    const paths = changed === null || kept === null ? null : [...changed];
    for (const facts of factsAt(kept, paths)) this.#known.cache.hold(facts);
    for (const facts of factsAt(before, paths)) this.#known.cache.letGo(facts);
  }
}

/** The navigation of the tree before, when somebody asked for it and it is the same but for oids. */
function olderPages(
  kept: Kept,
  next: NextTree,
  facts: { get(path: RepoPath): FileFacts | undefined },
): OlderPages | null {
  const pages = next.isReshaped ? null : knownPagesOf(kept.analysis);
  const changes = pages === null ? null : changedBytes(next.diff, kept.facts, facts);
  return pages === null || changes === null ? null : { pages, changes };
}

/** The facts of some paths, or of all. */
function factsAt(kept: Kept | null, paths: readonly RepoPath[] | null): Iterable<FileFacts> {
  if (kept === null) return [];
  return paths === null ? kept.facts.values() : paths.flatMap((path) => kept.facts.get(path) ?? []);
}

function toKeep(
  state: SpaceState,
  { askers }: Notes,
  {
    facts,
    texts,
    analysis,
  }: {
    readonly facts: ReadonlyMap<RepoPath, FileFacts>;
    readonly texts: ReadonlyMap<Oid, string | null>;
    readonly analysis: SpaceAnalysis;
  },
): Kept {
  state.space.index.prepare();
  return {
    state,
    facts: new LayeredMap(facts),
    askers,
    analysis,
    texts: textsOf(state.space, texts),
    limit: 1_000 + askers.size * MAX_GROWTH,
    weight:
      ENTRY_WEIGHT * state.options.tree.length +
      ASKED_WEIGHT * askers.size +
      weighVerdicts(state.judged.values()),
  };
}

/** The texts that a space's configuration consists of. */
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
  texts: Map<Oid, string | null>,
  questions: Questions,
  previous: PreviousSpace,
): Promise<OpenedSpace> {
  return await untilRead(
    read,
    (textOf) => {
      const space = openSpace({ ...request, textOf }, questions.ask, previous);
      return async () => space;
    },
    texts,
  );
}

/** Changed files whose contents were asked for, and new sources. */
function changedFiles(
  { facts }: Kept,
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

/** Answers the facts at hand, and notes which more were asked for. */
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

function countLinks(parts: readonly JudgedPart[]): number {
  return parts.reduce((sum, part) => sum + part.links.length, 0);
}

/** Roughly what V8 takes for one entry of a tree, its places in the index and its part of the navigation. */
const ENTRY_WEIGHT = 300;

/** Roughly what V8 takes for one question of one part. */
const ASKED_WEIGHT = 24;
