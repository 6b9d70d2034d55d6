import { readingKey, readingOfMarkdown } from '../facts/index.ts';
import { loadFormat } from '../formats/index.ts';
import type { FileFacts, FormatName, Oid, RepoPath, SpaceAnalysis } from '../model/index.ts';
import { KeptSpace, type SpaceRequest, type Work } from './cached-space.ts';
import { FactsCache } from './facts-cache.ts';
import type { FactsStore } from './facts-store.ts';
import type { KnownFacts } from './gather-facts.ts';
import type { SpaceOptions } from './open-space.ts';
import type { ReadBlobs } from './read-texts.ts';

export interface Engine {
  /** Facts of plain Markdown that are in memory. */
  factsOf(oid: Oid, path: RepoPath): FileFacts | undefined;
  /**
   * Analyses a space, reading only what is not in memory yet: its configuration, its pages, symbolic links, and pages
   * outside it whose headings are linked to. Of a tree that is like the one before, only links that could have changed
   * are judged. The format is `github` when left out; `detectSpaces` knows it.
   */
  analyse(
    options: SpaceOptions & { readonly format?: FormatName; readonly read: ReadBlobs },
  ): Promise<SpaceAnalysis>;
  /** What the facts and verdicts in memory weigh, in bytes, roughly. */
  readonly weight: number;
  /** What was done so far. */
  readonly work: Readonly<Work>;
}

export interface EngineOptions {
  /** Verdicts and facts are dropped, the longest unused first, while they weigh more. In bytes; 512 MB when left out. */
  readonly maxWeight?: number;
  /** False for an engine that sees each space once, so that noting what verdicts depend on gains nothing. */
  readonly keepsVerdicts?: boolean;
  /** Facts kept outside of the engine; none when left out. */
  readonly store?: FactsStore | null;
}

/**
 * Keeps facts per blob and the last verdicts per space, so that a second tree of a repository costs what changed. Nothing
 * is dropped while an analysis needs it: the limit holds between analyses.
 */
export function createEngine({
  maxWeight = 512 * 1024 * 1024,
  keepsVerdicts = true,
  store = null,
}: EngineOptions = {}): Engine {
  const facts = new FactsCache();
  const known: KnownFacts = { cache: facts, store };
  const spaces = new KeptSpaces(known);
  const work: Work = { blobs: 0, links: 0 };
  return {
    factsOf: (oid, path) => facts.get(readingKey(oid, readingOfMarkdown(path))),
    get weight() {
      return facts.weight + spaces.weight;
    },
    work,
    async analyse({ read, format: name = 'github', ...options }) {
      const format = await loadFormat(name);
      const request: SpaceRequest = { ...options, name, format, read: counted(read, work) };
      const space = keepsVerdicts ? spaces.take(keyOf(request)) : new KeptSpace(known, false);
      try {
        return await space.analyse(request, work);
      } finally {
        spaces.shrink(maxWeight);
      }
    },
  };
}

/** All that a space's verdicts depend on besides the tree and its renames. */
function keyOf({ name, directory, siblingDirectories, repository }: SpaceRequest): string {
  return JSON.stringify([
    name,
    directory,
    siblingDirectories ?? [],
    repository === undefined ? null : [repository.fullName, repository.branch, repository.htmlHost],
  ]);
}

function counted(read: ReadBlobs, work: Work): ReadBlobs {
  return async function* (entries) {
    for await (const blob of read(entries)) {
      work.blobs += 1;
      yield blob;
    }
  };
}

/** Also spaces of which nothing could be kept take a little. */
const MAX_SPACES = 1_000;

/** The spaces whose verdicts are kept, the longest unused first. */
class KeptSpaces {
  readonly #known: KnownFacts;
  readonly #spaces = new Map<string, KeptSpace>();

  constructor(known: KnownFacts) {
    this.#known = known;
  }

  get weight(): number {
    let weight = 0;
    for (const space of this.#spaces.values()) weight += space.weight;
    return weight;
  }

  take(key: string): KeptSpace {
    const space = this.#spaces.get(key) ?? new KeptSpace(this.#known, true);
    this.#spaces.delete(key);
    this.#spaces.set(key, space);
    return space;
  }

  /** First facts that no space holds, then spaces with theirs. */
  shrink(maxWeight: number): void {
    const { cache } = this.#known;
    for (;;) {
      const { weight } = this;
      cache.shrink(maxWeight - weight);
      const isFull = cache.weight + weight > maxWeight || this.#spaces.size > MAX_SPACES;
      const oldest = isFull ? this.#spaces.entries().next().value : undefined;
      if (oldest === undefined) return;
      this.#spaces.delete(oldest[0]);
      oldest[1].forget();
    }
  }
}
