import type { SiteRow } from '../store/index.ts';

/** What somebody may have of a site. */
export type SiteAccess =
  /** Everybody gets the same, so shared caches may keep it. */
  | { readonly kind: 'everybody' }
  /** These visitors may see it, and no shared cache may keep it. `reason` is shown to them. */
  | { readonly kind: 'visitor'; readonly reason: 'member' }
  | { readonly kind: 'none' };

/** What a request shows about the visitor, asked for only where it matters. */
export interface Visitor {
  /** Whether they are signed in as a member who may see the site. */
  isMember(): Promise<boolean>;
}

/** The one rule of who may read a site, for every surface on which it is shown. */
export async function decideAccess(
  { publishedAt, visibility }: Pick<SiteRow, 'publishedAt' | 'visibility'>,
  visitor: Visitor,
): Promise<SiteAccess> {
  if (publishedAt !== null && (visibility === 'public' || visibility === 'unlisted'))
    return { kind: 'everybody' };
  return (await visitor.isMember()) ? { kind: 'visitor', reason: 'member' } : { kind: 'none' };
}
