import type { GitBlob } from '../../git/index.ts';

/** Reads blobs by their oids, in any order. One that is not to be had is left out, or ends the reading with the reason. */
export type BlobReader = (oids: readonly string[]) => AsyncIterable<GitBlob>;
