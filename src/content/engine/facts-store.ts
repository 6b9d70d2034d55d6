import type { FileFacts, TreeEntry } from '../model/index.ts';
import type { Reading } from '../parse/index.ts';

/** Facts that were found earlier, and are kept for later, outside of the engine. They are plain JSON. */
export interface FactsStore {
  /** What the reading answers for the file's bytes; undefined when that is not known. */
  get(entry: TreeEntry, reading: Reading): FileFacts | undefined;
  /** `bytes` are what the facts were read from. */
  set(entry: TreeEntry, reading: Reading, facts: FileFacts, bytes: Uint8Array): void;
}
