import type { RemoteGuard, RepositoryCache } from '../git/index.ts';
import type { Mailer } from '../identity/index.ts';
import type { ResolveTxt } from '../net/index.ts';
import type { Queue } from '../queue/index.ts';
import type { BlobStore, Database, Db, Sealer } from '../store/index.ts';
import type { PageOrigins } from './access/page-origins.ts';
import type { Model } from './models/open-model.ts';
import type { Deriver } from './revisions/deriver.ts';
import type { TranslationSettings } from './translations/providers/settings.ts';

/** Messages are fixed, and fields contain no secrets. */
export interface PlatformLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** What the platform is built from. */
export interface PlatformDeps {
  readonly db: Database;
  readonly queue: Queue;
  readonly mailer: Mailer;
  readonly git: RepositoryCache;
  readonly blobs: BlobStore;
  /** Shared by everything that derives content, so that nothing is read twice. */
  readonly deriver: Deriver;
  readonly sealer: Sealer;
  readonly guard: RemoteGuard;
  /** The URL under which people and other programs reach this server, without a trailing slash. */
  readonly publicUrl: string;
  /** Where sites are published: `https://*.docs.example.com`, hosts of organizations; below `publicUrl` when null. */
  readonly sitesUrl: string | null;
  readonly log: PlatformLog;
  /** The translation services that are set up, besides the pseudo-translation, which needs no setup. */
  readonly translators?: TranslationSettings;
  /** The language model that is set up. */
  readonly model?: Model | null;
  /** For calls that this process's own pages make; without it, no call is taken for one. */
  readonly pageOrigins?: PageOrigins;
  /** Answers 500 in place of an error that the operation does not declare; without it, such an error is only logged. */
  readonly refuseUndeclaredErrors?: boolean;
  /** Reads TXT records of the DNS; the system's name servers when absent. */
  readonly resolveTxt?: ResolveTxt;
  /**
   * Has the bytes that a space lost fetched again: starts an import of its repository if these are the first that are due.
   * Returns whether there is a repository that can be asked.
   */
  readonly refetch?: (spaceId: string, lost: { readonly isFirst: boolean }) => Promise<boolean>;
  /** Called in the transaction of what somebody said, changed or deleted in the discussion of a change request. */
  readonly onDiscussionChanged?: (tx: Db, changeRequestId: string) => Promise<void>;
  /** Called after each run of an import or export. */
  readonly measured?: (run: {
    readonly direction: string;
    readonly outcome: 'success' | 'failure';
    readonly seconds: number;
  }) => void;
}
