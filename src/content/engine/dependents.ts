import type { Dependencies, Touched } from './dependency-recorder.ts';
import { SplitMap } from './split-map.ts';

/**
 * The parts of sources by what they depend on. It only grows: parts that were replaced since stay in it, and the caller
 * must skip them.
 */
export class Dependents<Part extends object> {
  readonly #ofKeys = new SplitMap<Part | Part[]>();
  readonly #ofContents = new SplitMap<Part | Part[]>();
  /** The number of entries under all keys. */
  size = 0;

  add(part: Part, { keys, contents }: Dependencies): void {
    for (const key of keys) addTo(this.#ofKeys, key, part);
    for (const path of contents) addTo(this.#ofContents, path, part);
    this.size += keys.size + contents.size;
  }

  *of({ keys, contents }: Touched): Iterable<Part> {
    for (const key of keys) yield* partsIn(this.#ofKeys, key);
    for (const path of contents) yield* partsIn(this.#ofContents, path);
  }
}

/** Many keys have one dependent, which needs no list. */
function addTo<Part extends object>(dependents: SplitMap<Part | Part[]>, key: string, part: Part): void {
  const known = dependents.get(key);
  if (known === undefined) dependents.set(key, part);
  else if (Array.isArray(known)) known.push(part);
  else dependents.set(key, [known, part]);
}

function partsIn<Part extends object>(dependents: SplitMap<Part | Part[]>, key: string): readonly Part[] {
  const known = dependents.get(key) ?? [];
  return Array.isArray(known) ? known : [known];
}
