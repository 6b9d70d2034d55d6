import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import { revisions } from './schema/content.ts';
import { spaces } from './schema/platform.ts';
import { textRows } from './text-rows.ts';

/** The content of a space that readers see, and what a search in it needs. */
export interface SpaceScope {
  readonly spaceId: string;
  readonly title: string;
  readonly revisionId: string;
  readonly language: string | null;
  readonly historyId: string;
  readonly version: number;
}

/** The spaces of an organization that have content; only those with one of `ids` unless that is null. */
export async function loadSearchScopes(
  db: Db,
  organizationId: string,
  ids: readonly string[] | null,
): Promise<readonly SpaceScope[]> {
  return await db
    .select({
      spaceId: spaces.id,
      title: spaces.title,
      revisionId: revisions.id,
      language: spaces.language,
      historyId: revisions.historyId,
      version: revisions.version,
    })
    .from(spaces)
    .innerJoin(revisions, eq(revisions.id, spaces.revisionId))
    .where(
      and(
        eq(spaces.organizationId, organizationId),
        isNull(spaces.deletedAt),
        ids === null ? undefined : sql`${spaces.id} in ${textRows(ids)}`,
      ),
    );
}
