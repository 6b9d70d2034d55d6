import type { ForgeCaller } from '../api/caller.ts';
import type { ForgeContext } from '../forge-context.ts';
import { fullNameOf } from '../state/find-records.ts';
import type { RepositoryRecord } from '../state/records.ts';
import { type SafeHtml, safeHtml } from './html.ts';

/** A request for a page. */
export interface PageCall {
  readonly context: ForgeContext;
  readonly caller: ForgeCaller;
}

export interface RepositoryPageCall extends PageCall {
  readonly repository: RepositoryRecord;
  /** Decoded parts of the address after `/owner/name`. */
  readonly rest: readonly string[];
}

/** A page, or bytes as they are; null when there is none. */
export type PageResult = SafeHtml | Buffer | null;

/** The breadcrumbs of a page of a repository. */
export function trailOf({ context, repository }: RepositoryPageCall, ...further: SafeHtml[]): SafeHtml[] {
  const name = fullNameOf(context.data, repository);
  return [safeHtml`<a href="/${name}">${name}</a>`, ...further];
}
