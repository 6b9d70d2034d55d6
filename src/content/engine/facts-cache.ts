import type { FileFacts } from '../model/index.ts';

interface CachedFacts {
  readonly key: string;
  /** The scopes that received the bytes of which these are the facts. */
  readonly scopes: Set<string>;
  readonly facts: FileFacts;
  bytes: number;
  /** How many spaces retain them. */
  pins: number;
}

/**
 * Facts by `readingKey`. Complete ones follow from the bytes alone, so they are stored once; a scope finds them only if it
 * received those bytes. Facts that are not retained are dropped above a size, least recently used first.
 */
export class FactsCache {
  readonly #retained = new Map<string, CachedFacts>();
  readonly #loose = new Map<string, CachedFacts>();
  readonly #byFacts = new WeakMap<FileFacts, CachedFacts>();
  /** Estimated size in bytes. */
  bytes = 0;

  /** The facts of bytes that the scope received before. */
  get(scope: string, readingKey: string): FileFacts | undefined {
    const cached = this.#find(readingKey);
    return this.#use(cached?.scopes.has(scope) === true ? cached : this.#find(ownKey(scope, readingKey)));
  }

  /** The facts of bytes that the scope has at hand, whichever scope they were read for. */
  receive(scope: string, readingKey: string): FileFacts | undefined {
    const cached = this.#find(readingKey);
    if (cached?.scopes.has(scope) === false) {
      cached.scopes.add(scope);
      cached.bytes += SCOPE_BYTES;
      this.bytes += SCOPE_BYTES;
    }
    return this.#use(cached);
  }

  /**
   * Adds the facts of bytes that the scope received. Returns the object to use: only one that is in the cache can be
   * retained.
   */
  set(scope: string, readingKey: string, facts: FileFacts): FileFacts {
    const known =
      this.get(scope, readingKey) ?? (facts.complete ? this.receive(scope, readingKey) : undefined);
    if (known !== undefined) return known;
    // What exceeded a limit once need not exceed it for another scope.
    const key = facts.complete ? readingKey : ownKey(scope, readingKey);
    const bytes = estimateFactsBytes(facts) + SCOPE_BYTES;
    const cached = { key, scopes: new Set([scope]), facts, bytes, pins: 0 };
    this.#loose.set(key, cached);
    this.#byFacts.set(facts, cached);
    this.bytes += bytes;
    return facts;
  }

  #find(key: string): CachedFacts | undefined {
    return this.#retained.get(key) ?? this.#loose.get(key);
  }

  #use(cached: CachedFacts | undefined): FileFacts | undefined {
    if (cached !== undefined && this.#loose.delete(cached.key)) this.#loose.set(cached.key, cached);
    return cached?.facts;
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

/** Estimated memory of one scope of some facts. */
const SCOPE_BYTES = 40;

function ownKey(scope: string, readingKey: string): string {
  return `${scope} ${readingKey}`;
}

/** Estimates the memory of the objects and strings of one file's facts. */
function estimateFactsBytes(facts: FileFacts): number {
  let bytes = 500;
  for (const reference of facts.references)
    bytes += 180 + 2 * (reference.target.length + reference.text.length);
  for (const anchor of facts.anchors) bytes += 120 + 2 * (anchor.name.length + (anchor.heading?.length ?? 0));
  return bytes;
}
