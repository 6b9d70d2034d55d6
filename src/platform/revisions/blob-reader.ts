import type { GitBlob } from '../../git/index.ts';

/** Reads blobs by their oids, in any order. A blob that is not available is left out, or the reader throws the reason. */
export type BlobReader = (oids: readonly string[]) => AsyncIterable<GitBlob>;
