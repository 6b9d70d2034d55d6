import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import { insertRows } from './insert-rows.ts';
import { contentIds } from './schema/content.ts';
import { spaces } from './schema/platform.ts';

/** What an id is given to: a page or file by its path in the repository, another entry of the navigation by its place. */
export interface ContentKey {
  readonly kind: string;
  readonly gitPath: string;
}

export interface ContentId extends ContentKey {
  readonly id: string;
}

/** All ids that a space ever gave. */
export async function loadContentIds(db: Db, spaceId: string): Promise<readonly ContentId[]> {
  return await db
    .select({ kind: contentIds.kind, gitPath: contentIds.gitPath, id: contentIds.id })
    .from(contentIds)
    .where(eq(contentIds.spaceId, spaceId));
}

/** Forgets where `moved` files were, and keeps the new ids, also for the places that files moved to. */
export async function saveContentIds(
  db: Db,
  spaceId: string,
  changes: { readonly left: readonly ContentKey[]; readonly given: readonly ContentId[] },
): Promise<void> {
  const keys = [...changes.left, ...changes.given];
  if (keys.length === 0) return;
  await db
    .update(spaces)
    .set({ idsVersion: sql`${spaces.idsVersion} + 1` })
    .where(eq(spaces.id, spaceId));
  for (const [kind, members] of Map.groupBy(keys, (key) => key.kind)) {
    await db
      .delete(contentIds)
      .where(
        and(
          eq(contentIds.spaceId, spaceId),
          eq(contentIds.kind, kind),
          inArray(
            contentIds.gitPath,
            sql`(select json_array_elements_text(${JSON.stringify(members.map((member) => member.gitPath))}::json))`,
          ),
        ),
      );
  }
  await insertRows(
    db,
    contentIds,
    changes.given.map((given) => ({ spaceId, kind: given.kind, gitPath: given.gitPath, id: given.id })),
  );
}
