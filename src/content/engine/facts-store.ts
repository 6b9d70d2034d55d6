import type { FileFacts, TreeEntry } from '../model/index.ts';
import type { Reading } from '../parse/index.ts';

/** A store of facts outside the engine, for later runs. Facts are plain JSON. */
export interface FactsStore {
  /** Returns the facts of the file by the reading; undefined when they are not stored. */
  get(entry: TreeEntry, reading: Reading): FileFacts | undefined;
  /** Stores facts; `bytes` are what they were read from. */
  set(entry: TreeEntry, reading: Reading, facts: FileFacts, bytes: Uint8Array): void;
}
