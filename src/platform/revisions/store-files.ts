import type { SpaceAnalysis, TreeEntry } from '../../content/index.ts';
import { isLfsPointer } from '../../content/text/index.ts';
import { BlobMissing, type BlobStore, type FileRow } from '../../store/index.ts';
import type { BlobReader } from './blob-reader.ts';
import { contentTypeOf, lfsPointerType } from './content-type.ts';
import { readPictureSize } from './picture-size.ts';
import type { PictureSize } from './svg-size.ts';

/** A file of the space that is not a page. */
export interface StoredFile {
  readonly path: string;
  readonly oid: string;
  /** A lower bound for a `too-large` file, since git hosts do not report sizes. */
  readonly size: number;
  readonly dimensions: PictureSize | null;
  /** Whether its bytes are `stored`, are those of a Git LFS `pointer`, or are missing because it is `too-large`. */
  readonly state: 'stored' | 'pointer' | 'too-large';
}

/** A larger file is listed but not stored; no page shows a picture of this size. In bytes. */
export const maxFileBytes = 100 * 1024 * 1024;

/** The most concurrent writes to the disk, since each has its bytes in memory. */
const maxWrites = 16;

/** The most bytes of concurrent writes; the file that exceeds it is still written. */
const maxWriteBytes = 32 * 1024 * 1024;

export interface ReceivedBlobs {
  find(oids: readonly string[]): Promise<ReadonlySet<string>>;
  record(oids: readonly string[]): Promise<void>;
}

export interface StoreFilesOptions {
  readonly analysis: SpaceAnalysis;
  readonly tree: readonly TreeEntry[];
  /** The files of the previous revision. */
  readonly previous: ReadonlyMap<string, FileRow>;
  /** Bytes that the space received and that were lost. */
  readonly lost: ReadonlySet<string>;
  readonly blobs: BlobStore;
  /** Which blobs the space has received so far, and those that it received now. */
  readonly received: ReceivedBlobs;
  readonly readBlobs: BlobReader;
  readonly onProgress: (done: number, total: number) => Promise<void>;
}

type Measure = Pick<StoredFile, 'size' | 'dimensions' | 'state'>;

/**
 * Stores the bytes of the files of a space that are not pages, and returns the files. Those of the previous revision are
 * known to be stored and are not checked again, unless some are lost. Other bytes that are stored already count only if the
 * space received them: its tree may name the blob of another one. Lost bytes that cannot be read again stay as they were.
 */
export async function storeFiles(options: StoreFilesOptions): Promise<StoredFile[]> {
  const symlinks = new Set<string>();
  for (const { path, mode } of options.tree) if (mode === 'symlink') symlinks.add(path);
  const assets = options.analysis.assets.filter((asset) => !symlinks.has(asset.path));
  const stored = assets.filter((asset) => (asset.size ?? 0) <= maxFileBytes);
  const pictures = new Set(
    stored.filter((asset) => contentTypeOf(asset.path).startsWith('image/')).map((asset) => asset.oid),
  );
  const measures = new Map([...options.previous.values()].map((file) => [file.gitOid, measureOf(file)]));
  const measure = (oid: string, bytes: Uint8Array) => {
    const dimensions = pictures.has(oid) ? readPictureSize(bytes) : null;
    measures.set(oid, { size: bytes.length, dimensions, state: isLfsPointer(bytes) ? 'pointer' : 'stored' });
  };

  await fetchMissing(options, new Set(stored.map((asset) => asset.oid)), measures, measure);
  return assets.map(({ path, oid, size }) => ({
    path,
    oid,
    ...(measures.get(oid) ?? { size: size ?? maxFileBytes + 1, dimensions: null, state: 'too-large' }),
  }));
}

/** The measures of the same bytes in the previous revision. */
function measureOf({ size, width, height, contentType }: FileRow): Measure {
  return {
    size,
    dimensions: width === null || height === null ? null : { width, height },
    state: contentType === lfsPointerType ? 'pointer' : size > maxFileBytes ? 'too-large' : 'stored',
  };
}

/** Measures the files whose bytes are stored, and stores and measures those that are missing, as far as they can be read. */
async function fetchMissing(
  options: StoreFilesOptions,
  wanted: ReadonlySet<string>,
  known: ReadonlyMap<string, Measure>,
  measure: (oid: string, bytes: Uint8Array) => void,
): Promise<void> {
  const { blobs, received, readBlobs, onProgress } = options;
  const missing = await findMissing(options, wanted, known, measure);
  if (missing.size === 0) return;
  const replaced = new Set([...missing].filter(([, isDamaged]) => isDamaged).map(([oid]) => oid));
  const stored: string[] = [];
  let done = 0;
  const failures: unknown[] = [];
  const writes = new Set<Promise<void>>();
  let pendingBytes = 0;
  for await (const { oid, bytes } of readBlobs([...missing.keys()])) {
    stored.push(oid);
    measure(oid, bytes);
    const { length } = bytes;
    pendingBytes += length;
    const write = blobs
      .write(oid, bytes, { replaces: replaced.has(oid) })
      .catch((error: unknown) => void failures.push(error))
      .finally(() => {
        writes.delete(write);
        pendingBytes -= length;
      });
    writes.add(write);
    while (writes.size >= maxWrites || (pendingBytes > maxWriteBytes && writes.size > 0))
      await Promise.race(writes);
    if (failures.length > 0) break;
    await onProgress(++done, missing.size);
  }
  await Promise.all(writes);
  if (failures.length > 0) throw failures[0];
  await received.record(stored);
}

/** How many blobs are looked for at once. */
const LOOKUPS = 16;

/**
 * Which of the wanted blobs are to be read and stored, and whether what is stored of them is to be replaced. The others are
 * measured.
 */
async function findMissing(
  { blobs, received, lost }: StoreFilesOptions,
  wanted: ReadonlySet<string>,
  known: ReadonlyMap<string, Measure>,
  measure: (oid: string, bytes: Uint8Array) => void,
): Promise<ReadonlyMap<string, boolean>> {
  // Where some bytes are lost, others may be, too.
  const doubtful = [...wanted].filter((oid) => {
    const state = known.get(oid)?.state;
    return state === undefined || (lost.size > 0 && state !== 'too-large');
  });
  const own = await received.find(doubtful);
  const missing = new Map<string, boolean>();
  const unmeasured: string[] = [];
  async function look(oid: string): Promise<void> {
    if (lost.has(oid)) return void missing.set(oid, true);
    if (!own.has(oid) || !(await blobs.has(oid))) return void missing.set(oid, false);
    if (!known.has(oid)) unmeasured.push(oid);
  }
  const waiting = doubtful.values();
  await Promise.all(
    Array.from({ length: LOOKUPS }, async () => {
      for (const oid of waiting) await look(oid);
    }),
  );
  // One after the other: each is in memory as a whole.
  for (const oid of unmeasured) {
    try {
      measure(oid, await blobs.read(oid));
    } catch (error) {
      if (!(error instanceof BlobMissing)) throw error;
      missing.set(oid, true);
    }
  }
  return missing;
}
