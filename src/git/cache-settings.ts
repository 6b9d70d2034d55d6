import type { RemoteGuard } from './repository.ts';

/** Settings that both adapters share. */
export interface CacheSettings {
  readonly guard: RemoteGuard;
  /** For one fetch including the time it waits for the repository's lock, in milliseconds. */
  readonly timeoutMs: number;
  /** For one fetch's pack. */
  readonly maxPackBytes: number;
  /** Blobs above this are fetched only on request, where git and the host support that. */
  readonly blobLimitBytes: number;
  /** Blobs above this are never read; see `GitRepository.readBlobs`. */
  readonly maxBlobBytes: number;
  /** Called with a fixed message and fields; addresses in them contain no credentials. */
  readonly log?: (message: string, fields: Readonly<Record<string, unknown>>) => void;
}
