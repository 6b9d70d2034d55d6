import type { RemoteGuard } from './repository.ts';

/** What both adapters are told. */
export interface CacheSettings {
  readonly guard: RemoteGuard;
  /** For one fetch with its waiting for others, in milliseconds. */
  readonly timeoutMs: number;
  /** For one fetch's pack. */
  readonly maxPackBytes: number;
  /** Blobs above this are fetched only when asked for, where git and host can do that. */
  readonly blobLimitBytes: number;
  /** Blobs above this are never read; see `GitRepository.readBlobs`. */
  readonly maxBlobBytes: number;
  /** A fixed message with fields; addresses in it hold no credentials. */
  readonly log?: (message: string, fields: Readonly<Record<string, unknown>>) => void;
}
