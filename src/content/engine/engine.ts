import { readingKey, readingOfMarkdown } from '../facts/index.ts';
import { loadFormat } from '../formats/index.ts';
import type { FileFacts, FormatName, Oid, RepoPath, SpaceAnalysis } from '../model/index.ts';
import { CachedSpace, type EngineWork, type SpaceRequest } from './cached-space.ts';
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
  readonly bytes: number;
  /** What was done so far. */
  readonly work: Readonly<EngineWork>;
}

export interface EngineOptions {
  /** Verdicts and facts are dropped, the longest unused first, while they weigh more. In bytes; 512 MB when left out. */
  readonly maxBytes?: number;
  /** False for an engine that sees each space once, so that noting what verdicts depend on gains nothing. */
  readonly cachesVerdicts?: boolean;
  /** Facts kept outside of the engine; none when left out. */
  readonly store?: FactsStore | null;
}

/**
 * Keeps facts per blob and the last verdicts per space, so that a second tree of a repository costs what changed. Nothing
 * is dropped while an analysis needs it: the limit holds between analyses.
 */
export function createEngine({
  maxBytes = 512 * 1024 * 1024,
  cachesVerdicts = true,
  store = null,
}: EngineOptions = {}): Engine {
  const facts = new FactsCache();
  const known: KnownFacts = { cache: facts, store };
  const spaces = new SpaceCache(known);
  const work: EngineWork = { blobs: 0, links: 0 };
  return {
    factsOf: (oid, path) => facts.get(readingKey(oid, readingOfMarkdown(path))),
    get bytes() {
      return facts.bytes + spaces.bytes;
    },
    work,
    async analyse({ read, format: name = 'github', ...options }) {
      const format = await loadFormat(name);
      const request: SpaceRequest = { ...options, name, format, read: counted(read, work) };
      const space = cachesVerdicts ? spaces.get(keyOf(request)) : new CachedSpace(known, false);
      try {
        return await space.analyse(request, work);
      } finally {
        spaces.shrink(maxBytes);
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

function counted(read: ReadBlobs, work: EngineWork): ReadBlobs {
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
class SpaceCache {
  readonly #known: KnownFacts;
  readonly #spaces = new Map<string, CachedSpace>();

  constructor(known: KnownFacts) {
    this.#known = known;
  }

  get bytes(): number {
    let bytes = 0;
    for (const space of this.#spaces.values()) bytes += space.bytes;
    return bytes;
  }

  get(key: string): CachedSpace {
    const space = this.#spaces.get(key) ?? new CachedSpace(this.#known, true);
    this.#spaces.delete(key);
    this.#spaces.set(key, space);
    return space;
  }

  /** First facts that no space holds, then spaces with theirs. */
  shrink(maxWeight: number): void {
    const { cache } = this.#known;
    for (;;) {
      const { bytes } = this;
      cache.shrink(maxWeight - bytes);
      const isFull = cache.bytes + bytes > maxWeight || this.#spaces.size > MAX_SPACES;
      const oldest = isFull ? this.#spaces.entries().next().value : undefined;
      if (oldest === undefined) return;
      this.#spaces.delete(oldest[0]);
      oldest[1].drop();
    }
  }
}
