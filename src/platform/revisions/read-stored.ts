import type { GitBlob } from '../../git/index.ts';
import {
  BlobMissing,
  type BlobStore,
  type Db,
  listSpaceBlobs,
  loadTexts,
  recordLostBytes,
} from '../../store/index.ts';
import type { BlobReader } from './blob-reader.ts';

/** Texts that are read by one statement. */
const BATCH = 200;

/**
 * Reads bytes that a space received and the platform has stored, and `fresh` ones that it has not stored yet. What is not
 * stored (files outside a space to which nothing links) or came from elsewhere is left out.
 */
export function createStoredReader(
  deps: { readonly db: Db; readonly blobs: BlobStore },
  spaceId: string,
  fresh: ReadonlyMap<string, Uint8Array> = new Map(),
): BlobReader {
  return async function* read(oids) {
    for (let start = 0; start < oids.length; start += BATCH) {
      const batch = oids.slice(start, start + BATCH);
      const texts = await loadTexts(
        deps.db,
        spaceId,
        batch.filter((oid) => !fresh.has(oid)),
      );
      const others = batch.filter((oid) => !fresh.has(oid) && !texts.has(oid));
      const files = await listSpaceBlobs(deps.db, spaceId, others);
      for (const oid of batch) {
        const bytes =
          fresh.get(oid) ?? texts.get(oid) ?? (files.has(oid) ? await readFile(deps, spaceId, oid) : null);
        if (bytes !== null) yield { oid, bytes } satisfies GitBlob;
      }
    }
  };
}

async function readFile(
  { db, blobs }: { readonly db: Db; readonly blobs: BlobStore },
  spaceId: string,
  oid: string,
): Promise<Uint8Array | null> {
  try {
    return await blobs.read(oid);
  } catch (error) {
    if (!(error instanceof BlobMissing)) throw error;
    // The space received it, so it was here.
    await recordLostBytes(db, spaceId, oid);
    return null;
  }
}
