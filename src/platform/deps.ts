import type { RemoteGuard, RepositoryCache } from '../git/index.ts';
import type { Queue } from '../queue/index.ts';
import type { BlobStore, Database, Sealer } from '../store/index.ts';
import type { Deriver } from './revisions/deriver.ts';
import type { TranslationSettings } from './translations/providers/settings.ts';

/** A fixed message, and fields that hold no secrets. */
export interface PlatformLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** What the platform is built from. */
export interface PlatformDeps {
  readonly db: Database;
  readonly queue: Queue;
  readonly git: RepositoryCache;
  readonly blobs: BlobStore;
  /** Shared by all that derive content, so that nothing is read twice. */
  readonly deriver: Deriver;
  readonly sealer: Sealer;
  readonly guard: RemoteGuard;
  /** The address under which people and other programs reach this server, without a slash at its end. */
  readonly publicUrl: string;
  readonly log: PlatformLog;
  /** Translators besides the one that only marks texts. */
  readonly translators?: TranslationSettings;
  /** Answers 500 in place of an error that the operation does not declare; without it such an error is only logged. */
  readonly refuseUndeclaredErrors?: boolean;
  /** Called after each run of an import or export. */
  readonly measured?: (run: {
    readonly direction: string;
    readonly outcome: 'success' | 'failure';
    readonly seconds: number;
  }) => void;
}
