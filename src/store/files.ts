import { and, asc, count, eq, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import { files } from './schema/platform.ts';

export type FileRow = typeof files.$inferSelect;

/** All files of a revision by path; the import that wrote it bounds their number. */
export async function loadFiles(db: Db, revisionId: string): Promise<readonly FileRow[]> {
  return await db
    .select()
    .from(files)
    .where(eq(files.revisionId, revisionId))
    .orderBy(asc(files.gitPath), asc(files.id));
}

/** How many files a revision has, and those after `after`, by path. */
export async function listFiles(
  db: Db,
  revisionId: string,
  options: {
    readonly after: { readonly gitPath: string; readonly id: string } | null;
    readonly limit: number;
  },
): Promise<{ readonly count: number; readonly rows: readonly FileRow[] }> {
  const ofRevision = eq(files.revisionId, revisionId);
  const [total] = await db.select({ count: count() }).from(files).where(ofRevision);
  const rows = await db
    .select()
    .from(files)
    .where(
      and(
        ofRevision,
        options.after
          ? sql`(${files.gitPath}, ${files.id}) > (${options.after.gitPath}, ${options.after.id})`
          : undefined,
      ),
    )
    .orderBy(asc(files.gitPath), asc(files.id))
    .limit(options.limit);
  return { count: total?.count ?? 0, rows };
}

export async function loadFile(db: Db, revisionId: string, id: string): Promise<FileRow | null> {
  const [row] = await db
    .select()
    .from(files)
    .where(and(eq(files.revisionId, revisionId), eq(files.id, id)));
  return row ?? null;
}
