import type { FileFacts } from '../model/index.ts';

interface CachedFacts {
  readonly key: string;
  readonly facts: FileFacts;
  readonly bytes: number;
  /** How many spaces retain them. */
  pins: number;
}

/** Facts by `scopedFactsKey`. Facts that are not retained are dropped above a size, least recently used first. */
export class FactsCache {
  readonly #retained = new Map<string, CachedFacts>();
  readonly #loose = new Map<string, CachedFacts>();
  readonly #byFacts = new WeakMap<FileFacts, CachedFacts>();
  /** Estimated size in bytes. */
  bytes = 0;

  get(key: string): FileFacts | undefined {
    const retained = this.#retained.get(key);
    if (retained !== undefined) return retained.facts;
    const loose = this.#loose.get(key);
    if (loose === undefined) return undefined;
    this.#loose.delete(key);
    this.#loose.set(key, loose);
    return loose.facts;
  }

  set(key: string, facts: FileFacts): void {
    if (this.get(key) !== undefined) return;
    const cached = { key, facts, bytes: estimateFactsBytes(facts), pins: 0 };
    this.#loose.set(key, cached);
    this.#byFacts.set(facts, cached);
    this.bytes += cached.bytes;
  }

  /** Retains facts of this cache until they are released as often as they were retained. */
  retain(facts: FileFacts): void {
    const cached = this.#byFacts.get(facts);
    if (cached === undefined) return;
    cached.pins += 1;
    if (cached.pins > 1) return;
    this.#loose.delete(cached.key);
    this.#retained.set(cached.key, cached);
  }

  release(facts: FileFacts): void {
    const cached = this.#byFacts.get(facts);
    if (cached === undefined || cached.pins === 0) return;
    cached.pins -= 1;
    if (cached.pins > 0) return;
    this.#retained.delete(cached.key);
    this.#loose.set(cached.key, cached);
  }

  /** Drops facts that are not retained until the cache is no larger than `maxBytes`, or none of them is left. */
  shrink(maxBytes: number): void {
    for (const [key, cached] of this.#loose) {
      if (this.bytes <= maxBytes) break;
      this.#loose.delete(key);
      this.#byFacts.delete(cached.facts);
      this.bytes -= cached.bytes;
    }
  }
}

/** Estimates the memory of the objects and strings of one file's facts. */
function estimateFactsBytes(facts: FileFacts): number {
  let bytes = 500;
  for (const reference of facts.references)
    bytes += 180 + 2 * (reference.target.length + reference.text.length);
  for (const anchor of facts.anchors) bytes += 120 + 2 * (anchor.name.length + (anchor.heading?.length ?? 0));
  return bytes;
}
