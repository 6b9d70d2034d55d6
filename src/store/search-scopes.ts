import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import { revisions } from './schema/content.ts';
import { spaces } from './schema/platform.ts';

/** What readers see of a space, and what looking through it needs to know of it. */
export interface SpaceScope {
  readonly spaceId: string;
  readonly title: string;
  readonly revisionId: string;
  readonly language: string | null;
  readonly historyId: string;
  readonly version: number;
}

/** The spaces of an organization with content; of those with one of the ids where they are given. */
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
        ids === null
          ? undefined
          : sql`${spaces.id} in (select json_array_elements_text(${JSON.stringify(ids)}::json))`,
      ),
    );
}
