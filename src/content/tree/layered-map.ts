/** An immutable map stored as a few changes on top of another map, so that a second tree of 50,000 files costs only what changed. */
export class LayeredMap<Key, Value> {
  readonly #base: ReadonlyMap<Key, Value>;
  /** Undefined for removed keys. */
  readonly #changes: ReadonlyMap<Key, Value | undefined>;

  constructor(base: ReadonlyMap<Key, Value>, changes: ReadonlyMap<Key, Value | undefined> = new Map()) {
    this.#base = base;
    this.#changes = changes;
  }

  get(key: Key): Value | undefined {
    if (this.#changes.size > 0) {
      const changed = this.#changes.get(key);
      if (changed !== undefined || this.#changes.has(key)) return changed;
    }
    return this.#base.get(key);
  }

  has(key: Key): boolean {
    return this.get(key) !== undefined;
  }

  get size(): number {
    let { size } = this.#base;
    for (const [key, value] of this.#changes) {
      const before = this.#base.has(key);
      if (before !== (value !== undefined)) size += before ? -1 : 1;
    }
    return size;
  }

  /** Returns the keys whose values may differ from those of another map: few when both share their base. */
  differingKeys(map: LayeredMap<Key, Value>): Iterable<Key> {
    if (this.#base === map.#base) return new Set([...this.#changes.keys(), ...map.#changes.keys()]);
    return new Set([...this.keys(), ...map.keys()]);
  }

  *entries(): Iterable<readonly [Key, Value]> {
    for (const key of this.keys()) yield [key, this.get(key) as Value];
  }

  *keys(): Iterable<Key> {
    for (const key of this.#base.keys()) if (!this.#changes.has(key)) yield key;
    for (const [key, value] of this.#changes) if (value !== undefined) yield key;
  }

  *values(): Iterable<Value> {
    for (const [key, value] of this.#base) if (!this.#changes.has(key)) yield value;
    for (const value of this.#changes.values()) if (value !== undefined) yield value;
  }

  /** Returns a map with some values changed, or removed where they are undefined; this map does not change. */
  with(changes: ReadonlyMap<Key, Value | undefined>): LayeredMap<Key, Value> {
    if (changes.size === 0) return this;
    const all = new Map(this.#changes);
    for (const [key, value] of changes) all.set(key, value);
    if (all.size * FLATTENED_AT <= this.#base.size) return new LayeredMap(this.#base, all);
    const flat = new Map(this.#base);
    for (const [key, value] of all) {
      if (value === undefined) flat.delete(key);
      else flat.set(key, value);
    }
    return new LayeredMap(flat);
  }
}

/** Changes are merged into the base when there are more than one for this many entries of the base. */
const FLATTENED_AT = 32;
