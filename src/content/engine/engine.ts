import { readingKey, readingOfMarkdown } from '../facts/index.ts';
import { loadFormat } from '../formats/index.ts';
import type { FileFacts, FormatName, Oid, RepoPath, SpaceAnalysis } from '../model/index.ts';
import { CachedSpace, type EngineWork, type SpaceRequest } from './cached-space.ts';
import { withConventions } from './conventions.ts';
import { FactsCache } from './facts-cache.ts';
import type { FactsStore } from './facts-store.ts';
import { type KnownFacts, type ReadFacts, readFactsHere } from './gather-facts.ts';
import type { SpaceOptions } from './open-space.ts';
import type { ReadBlobs, ReadValues } from './read-texts.ts';
import { doInTurns } from './steps.ts';

export interface Engine {
  /** Returns facts of plain Markdown that are in memory. */
  factsOf(oid: Oid, path: RepoPath): FileFacts | undefined;
  /**
   * Analyses a space, reading only what is not in memory yet: its configuration, its pages, symbolic links, and pages
   * outside it whose headings are linked to. In a tree that is similar to the previous one, only links whose verdicts
   * may have changed are checked. The format is `github` when absent; `detectSpaces` returns it.
   */
  analyse(
    options: SpaceOptions & { readonly format?: FormatName; readonly read: ReadBlobs },
  ): Promise<SpaceAnalysis>;
  /**
   * Returns an engine with verdicts of its own, which shares the limit of memory, and the facts of blobs whose bytes it was
   * given, too: whoever only knows the oid of a blob must not get what was read from it elsewhere. Engines of one name are
   * the same.
   */
  within(scope: string): Engine;
  /** Estimated size of the facts and verdicts in memory, in bytes. */
  readonly bytes: number;
  /** The work so far. */
  readonly work: Readonly<EngineWork>;
}

export interface EngineOptions {
  /** Above this size verdicts and facts are dropped, least recently used first. In bytes; 512 MB when absent. */
  readonly maxBytes?: number;
  /** False for an engine that analyses each space once, so that recording dependencies gains nothing. */
  readonly cachesVerdicts?: boolean;
  /** Facts stored outside the engine; none when absent. */
  readonly store?: FactsStore | null;
  /** Reads files elsewhere, within limits; in the calling thread when absent. */
  readonly readFacts?: ReadFacts;
  /** Reads large configurations elsewhere, within limits; in the calling thread when absent. */
  readonly readValues?: ReadValues;
}

/**
 * Creates an engine that caches facts per blob and the last verdicts per space, so that a second tree of a repository
 * costs only what changed. Nothing is dropped while an analysis needs it: the limit applies between analyses.
 */
export function createEngine({
  maxBytes = 512 * 1024 * 1024,
  cachesVerdicts = true,
  store = null,
  readFacts = readFactsHere,
  readValues,
}: EngineOptions = {}): Engine {
  const facts = new FactsCache();
  const spaces = new SpaceCache(facts);
  const work: EngineWork = { blobs: 0, links: 0 };
  const engineOf = (scope: string): Engine => ({
    factsOf: (oid, path) => facts.get(scope, readingKey(oid, readingOfMarkdown(path))),
    within: engineOf,
    get bytes() {
      return facts.bytes + spaces.bytes;
    },
    work,
    async analyse({ read, format: name = 'github', ...options }) {
      const format = await loadFormat(name);
      const request: SpaceRequest = { ...options, name, format, read: counted(read, work) };
      const known: KnownFacts = { scope, cache: facts, store, readFacts, readValues };
      const { space, twin } = cachesVerdicts
        ? spaces.get(keyOf(request), known)
        : { space: new CachedSpace(known, false), twin: null };
      try {
        return await doInTurns(withConventions(await space.analyse(request, work, twin)));
      } finally {
        spaces.shrink(maxBytes);
      }
    },
  });
  return engineOf('');
}

/** Everything that a space's verdicts depend on besides the tree, its renames and the bytes that the scope received. */
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

/** Even spaces without cached verdicts use some memory. */
const MAX_SPACES = 1_000;

/** The spaces with cached verdicts, least recently used first. */
class SpaceCache {
  readonly #facts: FactsCache;
  readonly #spaces = new Map<string, CachedSpace>();
  /** The space that was used last among those of one key in several scopes and has verdicts. */
  readonly #lastOf = new Map<string, CachedSpace>();

  constructor(facts: FactsCache) {
    this.#facts = facts;
  }

  get bytes(): number {
    let bytes = 0;
    for (const space of this.#spaces.values()) bytes += space.bytes;
    return bytes;
  }

  /** The space of a scope, and one of another scope whose analysis may be the same. */
  get(key: string, known: KnownFacts): { readonly space: CachedSpace; readonly twin: CachedSpace | null } {
    const ownKey = `${known.scope} ${key}`;
    const space = this.#spaces.get(ownKey) ?? new CachedSpace(known, true);
    this.#spaces.delete(ownKey);
    this.#spaces.set(ownKey, space);
    const twin = this.#lastOf.get(key) ?? space;
    if (twin === space || space.bytes > 0) this.#lastOf.set(key, space);
    return { space, twin: twin === space ? null : twin };
  }

  /** Drops first the facts that no space retains, then spaces with theirs. */
  shrink(maxBytes: number): void {
    const cache = this.#facts;
    for (;;) {
      const { bytes } = this;
      cache.shrink(maxBytes - bytes);
      const isFull = cache.bytes + bytes > maxBytes || this.#spaces.size > MAX_SPACES;
      const oldest = isFull ? this.#spaces.entries().next().value : undefined;
      if (oldest === undefined) return;
      this.#spaces.delete(oldest[0]);
      for (const [key, space] of this.#lastOf) if (space === oldest[1]) this.#lastOf.delete(key);
      oldest[1].drop();
    }
  }
}
