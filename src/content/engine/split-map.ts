/** More keys than this are split. */
const WHOLE = 10_000;

/** A power of two. */
const PARTS = 256;

/** How much of a key, from its end, decides where it is kept: paths differ there. */
const TAIL = 16;

/**
 * A map that may get millions of keys. A `Map` that outgrows its table is copied at once, which takes a tenth of a second
 * at a million keys, and nobody else is served meanwhile; the parts of this one are copied one at a time.
 */
export class SplitMap<Value> {
  #parts = [new Map<string, Value>()];

  get(key: string): Value | undefined {
    return this.#partOf(key).get(key);
  }

  set(key: string, value: Value): void {
    this.#partOf(key).set(key, value);
    const [whole] = this.#parts;
    if (this.#parts.length > 1 || whole === undefined || whole.size <= WHOLE) return;
    this.#parts = Array.from({ length: PARTS }, () => new Map<string, Value>());
    for (const [known, of] of whole) this.#partOf(known).set(known, of);
  }

  #partOf(key: string): Map<string, Value> {
    let hash = key.length;
    for (let at = Math.max(0, key.length - TAIL); at < key.length; at += 1)
      hash = (Math.imul(hash, 31) + key.charCodeAt(at)) | 0;
    const part = (hash ^ (hash >>> 15)) & (this.#parts.length - 1);
    return this.#parts[part] as Map<string, Value>;
  }
}
