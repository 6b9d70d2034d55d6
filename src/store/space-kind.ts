import { isNull, type SQL, sql } from 'drizzle-orm';
import { daysAgo } from './days-ago.ts';
import { spaces } from './schema/platform.ts';

/** Spaces that are not deleted, or deleted ones that can be restored. */
export type SpaceKind = 'live' | 'restorable';

/** How long a deleted space can be restored, in days; then it is purged. */
export const RESTORABLE_DAYS = 7;

export function isOfKind(kind: SpaceKind): SQL {
  return kind === 'live' ? isNull(spaces.deletedAt) : isRestorable();
}

export function isRestorable(): SQL {
  return sql`${spaces.deletedAt} > ${daysAgo(RESTORABLE_DAYS)}`;
}
