import type { Caller } from '../api/caller.ts';
import type { ForgeContext } from '../forge-context.ts';
import { fullName } from '../state/find-records.ts';
import type { RepositoryRecord } from '../state/records.ts';
import { html, type Markup } from './html.ts';

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

/** The steps from the start page to a page of a repository. */
export function trailOf({ context, repository }: RepositoryPageCall, ...further: Markup[]): Markup[] {
  const name = fullName(context.data, repository);
  return [html`<a href="/${name}">${name}</a>`, ...further];
}
