import { and, asc, count, eq, getTableColumns, or, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import { files } from './schema/content.ts';
import { textRows } from './text-rows.ts';
import { isInVersion, type Version } from './versions.ts';

/** A file of one or more versions. */
export type FileRow = Omit<typeof files.$inferSelect, 'historyId' | 'since' | 'until'>;

const { historyId: _history, since: _since, until: _until, ...fields } = getTableColumns(files);

/** All files of a version by path; the import bounds their number. */
export async function loadFiles(db: Db, at: Version): Promise<readonly FileRow[]> {
  return await db
    .select(fields)
    .from(files)
    .where(isInVersion(files, at))
    .orderBy(asc(files.gitPath), asc(files.id));
}

/** The number of files of a version, and those after `after`, by path. */
export async function listFiles(
  db: Db,
  at: Version,
  options: {
    readonly after: { readonly gitPath: string; readonly id: string } | null;
    readonly limit: number;
  },
): Promise<{ readonly count: number; readonly rows: readonly FileRow[] }> {
  const [total] = await db.select({ count: count() }).from(files).where(isInVersion(files, at));
  const rows = await db
    .select(fields)
    .from(files)
    .where(
      and(
        isInVersion(files, at),
        options.after
          ? sql`(${files.gitPath}, ${files.id}) > (${options.after.gitPath}, ${options.after.id})`
          : undefined,
      ),
    )
    .orderBy(asc(files.gitPath), asc(files.id))
    .limit(options.limit);
  return { count: total?.count ?? 0, rows };
}

export async function loadFile(db: Db, at: Version, id: string): Promise<FileRow | null> {
  const [row] = await db
    .select(fields)
    .from(files)
    .where(and(isInVersion(files, at), eq(files.id, id)));
  return row ?? null;
}

/** Those of these files that a version has, by their ids or their paths, in no order. */
export async function findFiles(
  db: Db,
  at: Version,
  { ids, paths }: { readonly ids: readonly string[]; readonly paths: readonly string[] },
): Promise<readonly FileRow[]> {
  if (ids.length === 0 && paths.length === 0) return [];
  const isNamed = [
    ...(ids.length === 0 ? [] : [sql`${files.id} in ${textRows(ids)}`]),
    ...(paths.length === 0 ? [] : [sql`${files.gitPath} in ${textRows(paths)}`]),
  ];
  return await db
    .select(fields)
    .from(files)
    .where(and(isInVersion(files, at), or(...isNamed)));
}
