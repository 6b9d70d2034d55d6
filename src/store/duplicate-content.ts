import { and, eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { Db } from './db.ts';
import type { RevisionRow } from './revisions.ts';
import { contentIds, entries, links, movedPages, revisions } from './schema/content.ts';
import { copySpaceBlobs } from './space-blobs.ts';
import { copyVersion, insertHistory, isInVersion } from './versions.ts';

/**
 * Copies a revision into a space that has no content yet, as the first of a new history. Pages, files and sets of links
 * have the same ids as in the original, since ids are unique within a space: nothing is derived again. The bytes are
 * shared, since they are stored under their oids. Call it in a transaction.
 */
export async function duplicateContent(
  db: Db,
  from: RevisionRow,
  target: { readonly spaceId: string; readonly historyId: string; readonly revisionId: string },
): Promise<void> {
  const { spaceId, historyId, revisionId } = target;
  await insertHistory(db, { id: historyId, spaceId });
  await copyVersion(db, from, historyId);
  const sets = sql`(
    select ${entries.linksId} from ${entries} where ${isInVersion(entries, from)} and ${entries.linksId} is not null)`;
  await copyRows(db, links, spaceId, and(eq(links.spaceId, from.spaceId), sql`${links.setId} in ${sets}`));
  await copyRows(db, contentIds, spaceId, eq(contentIds.spaceId, from.spaceId));
  await copyRows(db, movedPages, spaceId, eq(movedPages.spaceId, from.spaceId));
  const oids = sql`(select ${entries.oid} from ${entries} where ${isInVersion(entries, from)})`;
  await copySpaceBlobs(db, { spaceId: from.spaceId, oids }, spaceId);
  const { createdAt: _createdAt, ...facts } = from;
  await db.insert(revisions).values({
    ...facts,
    id: revisionId,
    spaceId,
    historyId,
    version: 1,
    parents: [],
    standalone: false,
  });
}

/** Copies rows of a table that are unique within their space into another space. */
async function copyRows(db: Db, table: PgTable, spaceId: string, condition: SQL | undefined): Promise<void> {
  const names = sql.join(
    Object.values(getTableColumns(table))
      .filter((column) => column.name !== 'space_id')
      .map((column) => sql.identifier(column.name)),
    sql`, `,
  );
  await db.execute(
    sql`insert into ${table} (space_id, ${names}) select ${spaceId}, ${names} from ${table} where ${condition}`,
  );
}
