import { type AnalyseOptions, analyseSpace } from './analyse-space.ts';
import { factsKey, readFacts } from './facts/read-facts.ts';
import type { FileFacts, Oid, RepoPath, SpaceAnalysis, TreeEntry } from './model.ts';
import { filesToRead } from './tree/page-files.ts';

/** Hands over the bytes of the blobs asked for, in any order, each once; those that cannot be had are left out. */
export type ReadBlobs = (
  entries: readonly TreeEntry[],
) => AsyncIterable<{ readonly oid: Oid; readonly bytes: Uint8Array }>;

export interface Engine {
  /** Facts that are in memory. */
  factsOf(oid: Oid, path: RepoPath): FileFacts | undefined;
  /** Reads the blobs of `filesToRead` that are not in memory yet, then analyses the space. */
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
      const needed = filesToRead(options.tree, options.directory);
      const facts = new Map<string, FileFacts>();
      const missing = new Map<Oid, TreeEntry[]>();
      for (const entry of needed) {
        const known = kept.get(factsKey(entry.oid, entry.path));
        if (known !== undefined) facts.set(factsKey(entry.oid, entry.path), known);
        else missing.set(entry.oid, [...(missing.get(entry.oid) ?? []), entry]);
      }
      if (missing.size > 0) {
        for await (const { oid, bytes } of read([...missing.values()].flatMap((same) => same.slice(0, 1)))) {
          for (const entry of missing.get(oid) ?? []) {
            const key = factsKey(oid, entry.path);
            if (facts.has(key)) continue;
            facts.set(key, readFacts(entry.path, bytes));
          }
        }
      }
      for (const [key, one] of facts) kept.set(key, one);
      return analyseSpace({ ...options, factsOf: (oid, path) => facts.get(factsKey(oid, path)) });
    },
  };
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
