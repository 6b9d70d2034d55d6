import { and, desc, eq } from 'drizzle-orm';
import type { Db } from './db.ts';
import { insertRows } from './insert-rows.ts';
import { files, links, pages, revisions } from './schema/platform.ts';

export type RevisionRow = typeof revisions.$inferSelect;
export type NewRevision = typeof revisions.$inferInsert;
export type NewPage = typeof pages.$inferInsert;
export type NewFile = typeof files.$inferInsert;
export type NewLink = typeof links.$inferInsert;

/** How much a revision holds; see `counts` of the table. */
export interface RevisionCounts {
  readonly pages: number;
  readonly files: number;
  readonly links: number;
  readonly broken: number;
  readonly inApp: number;
  readonly unchecked: number;
}

/** A revision of this space, or null: also when there is one with this id in another space. */
export async function loadRevision(db: Db, spaceId: string, id: string): Promise<RevisionRow | null> {
  const [row] = await db
    .select()
    .from(revisions)
    .where(and(eq(revisions.id, id), eq(revisions.spaceId, spaceId)));
  return row ?? null;
}

/** The latest revision of a space that was made from the same, or null. */
export async function findRevisionByInputs(
  db: Db,
  spaceId: string,
  inputs: string,
): Promise<RevisionRow | null> {
  const [row] = await db
    .select()
    .from(revisions)
    .where(and(eq(revisions.spaceId, spaceId), eq(revisions.inputs, inputs)))
    .orderBy(desc(revisions.createdAt))
    .limit(1);
  return row ?? null;
}

/** Writes a revision with all that it holds. Call it in a transaction: a revision is there whole or not at all. */
export async function insertRevision(
  db: Db,
  revision: NewRevision,
  content: {
    readonly pages: readonly NewPage[];
    readonly files: readonly NewFile[];
    readonly links: readonly NewLink[];
  },
): Promise<void> {
  await insertRows(db, revisions, [revision]);
  await insertRows(db, pages, content.pages);
  await insertRows(db, files, content.files);
  await insertRows(db, links, content.links);
}

/** Notes that a newer commit has the same content. */
export async function moveRevisionCommit(
  db: Db,
  id: string,
  commit: Pick<
    RevisionRow,
    'commitOid' | 'treeOid' | 'rootTreeOid' | 'inputs' | 'ref' | 'message' | 'commitUrl'
  >,
): Promise<void> {
  await db.update(revisions).set(commit).where(eq(revisions.id, id));
}
