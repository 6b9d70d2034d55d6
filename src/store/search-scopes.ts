import { and, eq, isNull } from 'drizzle-orm';
import type { Db } from './db.ts';
import { revisions } from './schema/content.ts';
import { spaces } from './schema/platform.ts';
import { isSelected, type SpaceSelection } from './space-selection.ts';

/** The content of a space that readers see, and what a search in it needs. */
export interface SpaceScope {
  readonly spaceId: string;
  readonly title: string;
  readonly revisionId: string;
  readonly language: string | null;
  readonly historyId: string;
  readonly version: number;
}

/** The spaces of an organization that have content; only those that are selected. */
export async function loadSearchScopes(
  db: Db,
  organizationId: string,
  selection: SpaceSelection | null,
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
    .where(and(eq(spaces.organizationId, organizationId), isNull(spaces.deletedAt), isSelected(selection)));
}

/** The languages of an organization's spaces; null where one has none. */
export async function listSpaceLanguages(
  db: Db,
  organizationId: string,
): Promise<readonly (string | null)[]> {
  const rows = await db
    .selectDistinct({ language: spaces.language })
    .from(spaces)
    .where(and(eq(spaces.organizationId, organizationId), isNull(spaces.deletedAt)));
  return rows.map(({ language }) => language);
}
