import type { ForgeCaller } from '../api/caller.ts';
import type { ForgeContext } from '../forge-context.ts';
import { fullName } from '../state/find-records.ts';
import type { RepositoryRecord } from '../state/records.ts';
import { type SafeHtml, safeHtml } from './html.ts';

/** What a page is made of: who looks at which repository. */
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
export type PageAnswer = SafeHtml | Buffer | null;

/** The steps from the start page to a page of a repository. */
export function trailOf({ context, repository }: RepositoryPageCall, ...further: SafeHtml[]): SafeHtml[] {
  const name = fullName(context.data, repository);
  return [safeHtml`<a href="/${name}">${name}</a>`, ...further];
}
