import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import { insertRows } from './insert-rows.ts';
import { contentIds } from './schema/content.ts';
import { spaces } from './schema/platform.ts';
import { textRows } from './text-rows.ts';

/** What an id is assigned to: a page or file by its path in the repository, another navigation entry by its position. */
export interface ContentKey {
  readonly kind: string;
  readonly gitPath: string;
}

export interface ContentId extends ContentKey {
  readonly id: string;
}

/** All ids that a space has assigned, including those of pages and files that are gone. */
export async function loadContentIds(db: Db, spaceId: string): Promise<readonly ContentId[]> {
  return await db
    .select({ kind: contentIds.kind, gitPath: contentIds.gitPath, id: contentIds.id })
    .from(contentIds)
    .where(eq(contentIds.spaceId, spaceId));
}

/** Deletes the ids of `released` keys, and stores `assigned` ones, which replace earlier ids of their keys. */
export async function saveContentIds(
  db: Db,
  spaceId: string,
  changes: { readonly released: readonly ContentKey[]; readonly assigned: readonly ContentId[] },
): Promise<void> {
  const keys = [...changes.released, ...changes.assigned];
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
          inArray(contentIds.gitPath, textRows(members.map((member) => member.gitPath))),
        ),
      );
  }
  await insertRows(
    db,
    contentIds,
    changes.assigned.map(({ kind, gitPath, id }) => ({ spaceId, kind, gitPath, id })),
  );
}
