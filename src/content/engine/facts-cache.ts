import type { FileFacts } from '../model/index.ts';

interface Kept {
  readonly key: string;
  readonly facts: FileFacts;
  readonly weight: number;
  /** How many states of spaces hold them. */
  pins: number;
}

/** Facts by `readingKey`. Those that nobody holds are dropped when they weigh too much, the longest unused first. */
export class FactsCache {
  readonly #held = new Map<string, Kept>();
  readonly #loose = new Map<string, Kept>();
  readonly #byFacts = new WeakMap<FileFacts, Kept>();
  /** In bytes, roughly. */
  weight = 0;

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
    const kept = { key, facts, weight: weighFacts(facts), pins: 0 };
    this.#loose.set(key, kept);
    this.#byFacts.set(facts, kept);
    this.weight += kept.weight;
  }

  /** Keeps facts that came out of here until they are let go as often as they were held. */
  hold(facts: FileFacts): void {
    const kept = this.#byFacts.get(facts);
    if (kept === undefined) return;
    kept.pins += 1;
    if (kept.pins > 1) return;
    this.#loose.delete(kept.key);
    this.#held.set(kept.key, kept);
  }

  letGo(facts: FileFacts): void {
    const kept = this.#byFacts.get(facts);
    if (kept === undefined || kept.pins === 0) return;
    kept.pins -= 1;
    if (kept.pins > 0) return;
    this.#held.delete(kept.key);
    this.#loose.set(kept.key, kept);
  }

  /** Drops facts that nobody holds until all weigh no more than this, or none of them is left. */
  shrink(maxWeight: number): void {
    for (const [key, kept] of this.#loose) {
      if (this.weight <= maxWeight) break;
      this.#loose.delete(key);
      this.#byFacts.delete(kept.facts);
      this.weight -= kept.weight;
    }
  }
}

/** Roughly what V8 takes for the objects and strings of one file's facts. */
function weighFacts(facts: FileFacts): number {
  let weight = 500;
  for (const one of facts.references) weight += 180 + 2 * (one.target.length + one.text.length);
  for (const one of facts.anchors) weight += 120 + 2 * (one.name.length + (one.heading?.length ?? 0));
  return weight;
}
