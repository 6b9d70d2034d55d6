import { MAX_CONFIG_TEXT_BYTES, type Oid, type TreeEntry } from '../model/index.ts';
import { decodeText } from '../text/index.ts';

/** Yields the bytes of the requested blobs, in any order, each once; blobs that cannot be read are left out. */
export type ReadBlobs = (
  entries: readonly TreeEntry[],
) => AsyncIterable<{ readonly oid: Oid; readonly bytes: Uint8Array }>;

/** Returns the text of a small file; null when it cannot be read, undefined when it was not read yet. */
export type TextOf = (entry: TreeEntry) => string | null | undefined;

/** How deep configuration files may refer to each other; files beyond that count as missing. */
const MAX_ROUNDS = 8;

/**
 * Runs `attempt`, which may request texts that were not read yet; reads those and runs it again from the start until it
 * requests no more. Then runs the function that it returned. `texts` are the known texts; those that are read are added.
 */
export async function untilRead<Result>(
  read: ReadBlobs,
  attempt: (textOf: TextOf) => Promise<() => Promise<Result>> | (() => Promise<Result>),
  texts = new Map<Oid, string | null>(),
): Promise<Result> {
  for (let round = 1; ; round += 1) {
    const missed = new Map<Oid, TreeEntry>();
    const next = await attempt((entry) => {
      const text = texts.get(entry.oid);
      if (text === undefined) missed.set(entry.oid, entry);
      return text;
    });
    if (missed.size === 0 || round === MAX_ROUNDS) {
      const result = await next();
      // The returned function may have requested further texts.
      if (missed.size === 0 || round === MAX_ROUNDS) return result;
    }
    await readTexts(read, [...missed.values()], texts);
  }
}

/** Adds the texts of small files to `texts`; null for what cannot be read. */
export async function readTexts(
  read: ReadBlobs,
  entries: readonly TreeEntry[],
  texts: Map<Oid, string | null>,
): Promise<void> {
  for (const { oid } of entries) texts.set(oid, null);
  const small = entries.filter((entry) => (entry.size ?? 0) <= MAX_CONFIG_TEXT_BYTES);
  if (small.length === 0) return;
  for await (const { oid, bytes } of read(small)) {
    if (bytes.length <= MAX_CONFIG_TEXT_BYTES) texts.set(oid, decodeText(bytes).text);
  }
}

/** A reader that records whether a requested blob was left out, so that an analysis without it is not cached. */
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
