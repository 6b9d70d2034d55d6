import { type AnalyseOptions, analyseSpace } from './analyse-space.ts';
import { factsKey, readFacts, tooLargeFacts } from './facts/read-facts.ts';
import { MAX_PAGE_BYTES } from './limits.ts';
import type { FileFacts, Oid, RepoPath, SpaceAnalysis, TreeEntry } from './model.ts';
import { filesToRead } from './tree/page-files.ts';
import { treeIndexOf } from './tree/tree-index.ts';

/** Hands over the bytes of the blobs asked for, in any order, each once; those that cannot be had are left out. */
export type ReadBlobs = (
  entries: readonly TreeEntry[],
) => AsyncIterable<{ readonly oid: Oid; readonly bytes: Uint8Array }>;

export interface Engine {
  /** Facts that are in memory. */
  factsOf(oid: Oid, path: RepoPath): FileFacts | undefined;
  /**
   * Analyses a space, reading only what is not in memory yet: its pages, symbolic links, and pages outside it whose
   * headings are linked to. `read` is called at most twice.
   */
  analyse(options: Omit<AnalyseOptions, 'factsOf'> & { readonly read: ReadBlobs }): Promise<SpaceAnalysis>;
  /** What the facts in memory weigh, in bytes, roughly. */
  readonly weight: number;
}

export interface EngineOptions {
  /** Facts are dropped, the longest unused first, while they weigh more. In bytes; 256 MB when left out. */
  readonly maxWeight?: number;
}

/**
 * Keeps facts per blob, so that a second tree of a repository reads and parses only what changed. Nothing is dropped
 * while an analysis needs it: the limit holds between analyses.
 */
export function createEngine({ maxWeight = 256 * 1024 * 1024 }: EngineOptions = {}): Engine {
  const kept = new FactsCache(maxWeight);
  return {
    factsOf: (oid, path) => kept.get(factsKey(oid, path)),
    get weight() {
      return kept.weight;
    },
    async analyse({ read, ...options }) {
      const facts = new Map<string, FileFacts>();
      await gather(filesToRead(options.tree, options.directory), kept, facts, read);
      const first = analyseWith(options, facts);
      // Pages outside the space whose headings are linked to show only now.
      const found = await gather(first.missed, kept, facts, read);
      return found === 0 ? first.analysis : analyseWith(options, facts).analysis;
    },
  };
}

type SpaceOptions = Omit<AnalyseOptions, 'factsOf'>;

/** Analyses with the facts at hand, and tells which more were asked for. */
function analyseWith(options: SpaceOptions, facts: ReadonlyMap<string, FileFacts>) {
  const missed = new Map<string, TreeEntry>();
  const index = treeIndexOf(options.tree);
  const factsOf = (oid: Oid, path: RepoPath) => {
    const key = factsKey(oid, path);
    const found = facts.get(key);
    const entry = found === undefined ? index.entry(path) : undefined;
    if (entry !== undefined) missed.set(key, entry);
    return found;
  };
  return { analysis: analyseSpace({ ...options, factsOf }), missed: [...missed.values()] };
}

/** Puts the facts of the entries into `facts`, from memory or by reading; answers how many came in. */
async function gather(
  entries: readonly TreeEntry[],
  kept: FactsCache,
  facts: Map<string, FileFacts>,
  read: ReadBlobs,
): Promise<number> {
  const before = facts.size;
  const missing = new Map<Oid, TreeEntry[]>();
  for (const entry of entries) {
    const key = factsKey(entry.oid, entry.path);
    const known = facts.get(key) ?? kept.get(key);
    const same = missing.get(entry.oid);
    if (known !== undefined) facts.set(key, known);
    else if ((entry.size ?? 0) > MAX_PAGE_BYTES) facts.set(key, tooLargeFacts());
    else if (same === undefined) missing.set(entry.oid, [entry]);
    else same.push(entry);
  }
  if (missing.size > 0) {
    for await (const { oid, bytes } of read([...missing.values()].flatMap((same) => same.slice(0, 1)))) {
      for (const entry of missing.get(oid) ?? []) {
        const key = factsKey(oid, entry.path);
        if (!facts.has(key)) facts.set(key, readFacts(entry.path, bytes));
      }
    }
  }
  for (const [key, one] of facts) kept.set(key, one);
  return facts.size - before;
}

/** Least recently used first out, by weight. */
class FactsCache {
  readonly #maxWeight: number;
  readonly #facts = new Map<string, { readonly facts: FileFacts; readonly weight: number }>();
  weight = 0;

  constructor(maxWeight: number) {
    this.#maxWeight = maxWeight;
  }

  get(key: string): FileFacts | undefined {
    const found = this.#facts.get(key);
    if (found === undefined) return undefined;
    this.#facts.delete(key);
    this.#facts.set(key, found);
    return found.facts;
  }

  set(key: string, facts: FileFacts): void {
    if (this.get(key) !== undefined) return;
    const weight = weigh(facts);
    this.#facts.set(key, { facts, weight });
    this.weight += weight;
    for (const [oldest, { weight: freed }] of this.#facts) {
      if (this.weight <= this.#maxWeight) break;
      this.#facts.delete(oldest);
      this.weight -= freed;
    }
  }
}

/** Roughly what V8 takes for the objects and strings of one file's facts. */
function weigh(facts: FileFacts): number {
  let weight = 500;
  for (const one of facts.references) weight += 180 + 2 * (one.target.length + one.text.length);
  for (const one of facts.anchors) weight += 120 + 2 * (one.name.length + (one.heading?.length ?? 0));
  return weight;
}
