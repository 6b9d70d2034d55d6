import { MAX_CONFIG_TEXT_BYTES, type Oid, type TreeEntry } from '../model/index.ts';
import { decodeText } from '../text/index.ts';

/** Hands over the bytes of the blobs asked for, in any order, each once; those that cannot be had are left out. */
export type ReadBlobs = (
  entries: readonly TreeEntry[],
) => AsyncIterable<{ readonly oid: Oid; readonly bytes: Uint8Array }>;

/** The text of a small file; null when it cannot be had, undefined when it was not read yet. */
export type TextOf = (entry: TreeEntry) => string | null | undefined;

/** Configuration files may name each other this deep; what is named beyond is taken as missing. */
const MAX_ROUNDS = 8;

/**
 * Runs `ask`, which may ask for texts that were not read yet, and once those are read runs it again from the start, until
 * it asks for no more. Then runs what it answered. `texts` holds those that are known, and takes in those that are read.
 */
export async function untilRead<Answer>(
  read: ReadBlobs,
  ask: (textOf: TextOf) => Promise<() => Promise<Answer>> | (() => Promise<Answer>),
  texts = new Map<Oid, string | null>(),
): Promise<Answer> {
  for (let round = 1; ; round += 1) {
    const missed = new Map<Oid, TreeEntry>();
    const next = await ask((entry) => {
      const text = texts.get(entry.oid);
      if (text === undefined) missed.set(entry.oid, entry);
      return text;
    });
    if (missed.size === 0 || round === MAX_ROUNDS) {
      const answer = await next();
      // What was answered may have asked for a text that nobody asked for before.
      if (missed.size === 0 || round === MAX_ROUNDS) return answer;
    }
    await readTexts(read, [...missed.values()], texts);
  }
}

async function readTexts(
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
