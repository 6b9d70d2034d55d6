import type { GitBlob } from '../../git/index.ts';
import {
  BlobMissing,
  hashBytes,
  listSpaceBlobs,
  loadTexts,
  loadTextsWithin,
  recordLostBytes,
} from '../../store/index.ts';
import { answerLostBytes, type MissedBytes } from '../content/lost-bytes.ts';
import type { PlatformDeps } from '../deps.ts';
import type { BlobReader } from './blob-reader.ts';
import { MAX_INCLUDED_BYTES } from './store-texts.ts';

/** Texts that are read by one statement. */
const BATCH = 200;

type StoredBytesDeps = Pick<PlatformDeps, 'db' | 'blobs' | 'log' | 'refetch'>;

interface StoredReaderOptions {
  /** Bytes that are not stored yet, by oid. */
  readonly fresh?: ReadonlyMap<string, Uint8Array>;
  /**
   * What is done about bytes that the space received, and that are lost: whoever needs them is told while they may be
   * fetched again, or they are recorded and left out, as an import does, which fetches them itself.
   */
  readonly lost?: 'refuse' | 'leave-out';
  /** What those who are told of lost bytes wanted. */
  readonly of?: MissedBytes['of'];
  /** Larger files are left out. */
  readonly maxFileBytes?: number;
}

/**
 * Reads bytes that a space received and the platform has stored, after they were compared with their oids. What is not
 * stored (files outside a space to which nothing links), came from elsewhere or was lost for good is left out. The reader
 * throws an `ApiError` `unavailable` when bytes were lost, and may be fetched again.
 */
export function createStoredReader(
  deps: StoredBytesDeps,
  spaceId: string,
  options: StoredReaderOptions = {},
): BlobReader {
  const { fresh = new Map(), of = 'file' } = options;
  return async function* read(oids) {
    for (let start = 0; start < oids.length; start += BATCH) {
      const batch = oids.slice(start, start + BATCH);
      const stored = batch.filter((oid) => !fresh.has(oid));
      const texts = rightOnes(await loadTexts(deps.db, spaceId, stored));
      const others = stored.filter((oid) => !texts.has(oid));
      const files = await listSpaceBlobs(deps.db, spaceId, others);
      for (const oid of batch) {
        const bytes =
          fresh.get(oid) ??
          texts.get(oid) ??
          (files.has(oid) ? await readFile(deps, { spaceId, oid, of }, options) : null);
        if (bytes !== null) yield { oid, bytes } satisfies GitBlob;
      }
    }
  };
}

/**
 * The texts of files that a page includes, as many of them as fit into `maxBytes` together; otherwise as
 * `createStoredReader`. A file that was too large to be included when it was received is left out.
 */
export async function readIncluded(
  deps: StoredBytesDeps,
  spaceId: string,
  oids: readonly string[],
  maxBytes: number,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const { texts: found, absent } = await loadTextsWithin(deps.db, spaceId, oids, maxBytes);
  const texts = rightOnes(found);
  const damaged = [...found.keys()].filter((oid) => !texts.has(oid));
  let left = [...texts.values()].reduce((rest, { length }) => rest - length, maxBytes);
  const options = { maxFileBytes: MAX_INCLUDED_BYTES };
  for await (const { oid, bytes } of createStoredReader(deps, spaceId, options)([...absent, ...damaged])) {
    left -= bytes.length;
    if (left >= 0) texts.set(oid, bytes);
  }
  return texts;
}

function rightOnes(texts: ReadonlyMap<string, Uint8Array>): Map<string, Uint8Array> {
  return new Map([...texts].filter(([oid, bytes]) => hashBytes(bytes, oid) === oid));
}

async function readFile(
  deps: StoredBytesDeps,
  wanted: MissedBytes,
  { lost = 'refuse', maxFileBytes = Number.POSITIVE_INFINITY }: StoredReaderOptions,
): Promise<Uint8Array | null> {
  try {
    if (maxFileBytes < Number.POSITIVE_INFINITY && (await deps.blobs.size(wanted.oid)) > maxFileBytes)
      return null;
    return await deps.blobs.read(wanted.oid);
  } catch (error) {
    if (!(error instanceof BlobMissing)) throw error;
    // The space received it, so it was here.
    if (lost === 'leave-out') {
      await recordLostBytes(deps.db, wanted.spaceId, wanted.oid);
      return null;
    }
    const answer = await answerLostBytes(deps, wanted);
    if (answer?.reason === 'unavailable') throw answer;
    return null;
  }
}
