import type { Caller } from '../api/caller.ts';
import type { ForgeContext } from '../forge-context.ts';
import type { RepositoryRecord } from '../state/records.ts';
import type { Markup } from './html.ts';

/** What a page is made of: who looks at which repository. */
export interface PageCall {
  readonly context: ForgeContext;
  readonly caller: Caller;
}

export interface RepositoryPageCall extends PageCall {
  readonly repository: RepositoryRecord;
  /** Decoded parts of the address after `/owner/name`. */
  readonly rest: readonly string[];
}

/** A page, or bytes as they are; null when there is none. */
export type PageAnswer = Markup | Buffer | null;
