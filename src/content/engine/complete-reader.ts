import type { ReadBlobs } from './read-texts.ts';

/** Notices when a blob that was asked for did not come, so that what was made without it is not kept. */
export class CompleteReader {
  readonly read: ReadBlobs;
  isComplete = true;

  constructor(read: ReadBlobs) {
    const reader = this;
    this.read = async function* (entries) {
      const missing = new Set(entries.map((entry) => entry.oid));
      for await (const blob of read(entries)) {
        missing.delete(blob.oid);
        yield blob;
      }
      if (missing.size > 0) reader.isComplete = false;
    };
  }
}
