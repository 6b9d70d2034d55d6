import { BlobDamaged, BlobMissing, type BlobStore } from './blob-store.ts';

export interface CopiedBlobs {
  /** How many the source has. */
  readonly seen: number;
  readonly copied: number;
  /** The oids of those whose bytes are not what their oid says: they are not copied. */
  readonly damaged: readonly string[];
}

/** How many are under way at once; each has its bytes in memory. */
const CONCURRENCY = 8;

/**
 * Copies the blobs that the target lacks, while both are in use. What is written to the source meanwhile may be missing:
 * it is copied by the next run.
 */
export async function copyBlobs(
  source: BlobStore,
  target: BlobStore,
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: (seen: number) => void },
): Promise<CopiedBlobs> {
  let seen = 0;
  let copied = 0;
  const damaged: string[] = [];

  async function copy(oid: string): Promise<void> {
    if (await target.has(oid)) return;
    let bytes: Buffer;
    try {
      bytes = await source.read(oid);
    } catch (error) {
      if (!(error instanceof BlobMissing)) throw error;
      // Otherwise it was deleted since it was listed.
      if (error instanceof BlobDamaged) damaged.push(oid);
      return;
    }
    await target.write(oid, bytes);
    copied++;
  }

  const everything = new Date(Date.now() + 24 * 60 * 60 * 1000);
  const running = new Set<Promise<void>>();
  const failures: unknown[] = [];
  for await (const oid of source.listOlder(everything)) {
    signal.throwIfAborted();
    seen++;
    onProgress(seen);
    const run = copy(oid)
      .catch((error: unknown) => void failures.push(error))
      .finally(() => running.delete(run));
    running.add(run);
    if (running.size >= CONCURRENCY) await Promise.race(running);
    if (failures.length > 0) break;
  }
  await Promise.all(running);
  if (failures.length > 0) throw failures[0];
  return { seen, copied, damaged };
}
