import type { GitBlob } from '../../git/index.ts';

/** Reads blobs by their oids, in any order. A blob that is not available is left out, or fails the reading with the reason. */
export type BlobReader = (oids: readonly string[]) => AsyncIterable<GitBlob>;
