import { getTableColumns } from 'drizzle-orm';
import type { Db } from './db.ts';
import { entries } from './schema/content.ts';
import { isInVersion, type Version } from './versions.ts';

/** A file in the repository's tree of one or more versions. */
export type EntryRow = Omit<typeof entries.$inferSelect, 'historyId' | 'since' | 'until'>;

const { historyId: _history, since: _since, until: _until, ...fields } = getTableColumns(entries);

/** The complete tree of a version, in no order. */
export async function loadEntries(db: Db, at: Version): Promise<readonly EntryRow[]> {
  return await db.select(fields).from(entries).where(isInVersion(entries, at));
}
