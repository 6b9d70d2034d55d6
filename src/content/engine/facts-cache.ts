import type { FileFacts } from '../model/index.ts';

interface CachedFacts {
  readonly key: string;
  readonly facts: FileFacts;
  readonly bytes: number;
  /** How many states of spaces hold them. */
  pins: number;
}

/** Facts by `readingKey`. Those that nobody holds are dropped when they weigh too much, the longest unused first. */
export class FactsCache {
  readonly #held = new Map<string, CachedFacts>();
  readonly #loose = new Map<string, CachedFacts>();
  readonly #byFacts = new WeakMap<FileFacts, CachedFacts>();
  /** In bytes, roughly. */
  bytes = 0;

  get(key: string): FileFacts | undefined {
    const held = this.#held.get(key);
    if (held !== undefined) return held.facts;
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

  /** Keeps facts that came out of here until they are let go as often as they were held. */
  retain(facts: FileFacts): void {
    const cached = this.#byFacts.get(facts);
    if (cached === undefined) return;
    cached.pins += 1;
    if (cached.pins > 1) return;
    this.#loose.delete(cached.key);
    this.#held.set(cached.key, cached);
  }

  release(facts: FileFacts): void {
    const cached = this.#byFacts.get(facts);
    if (cached === undefined || cached.pins === 0) return;
    cached.pins -= 1;
    if (cached.pins > 0) return;
    this.#held.delete(cached.key);
    this.#loose.set(cached.key, cached);
  }

  /** Drops facts that nobody holds until all weigh no more than this, or none of them is left. */
  shrink(maxWeight: number): void {
    for (const [key, cached] of this.#loose) {
      if (this.bytes <= maxWeight) break;
      this.#loose.delete(key);
      this.#byFacts.delete(cached.facts);
      this.bytes -= cached.bytes;
    }
  }
}

/** Roughly what V8 takes for the objects and strings of one file's facts. */
function estimateFactsBytes(facts: FileFacts): number {
  let bytes = 500;
  for (const one of facts.references) bytes += 180 + 2 * (one.target.length + one.text.length);
  for (const one of facts.anchors) bytes += 120 + 2 * (one.name.length + (one.heading?.length ?? 0));
  return bytes;
}
