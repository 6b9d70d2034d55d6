/** What the byte store lost of what spaces received: it lacks the bytes, or has others. */
import { and, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import { entries, revisions, spaceBlobs } from './schema/content.ts';
import { spaces } from './schema/platform.ts';
import { translations } from './schema/translations.ts';
import { textRows } from './text-rows.ts';

/** The blobs of a space whose bytes are lost, with the time when an import looked for them in vain; null before. */
export type LostBytes = ReadonlyMap<string, Date | null>;

/** Files and pages of a space's current content whose bytes are lost. */
export interface LostContent {
  /** How many blobs. */
  readonly count: number;
  /** Since when the first is known to be. */
  readonly since: Date;
  /** Whether no import has looked for all of them in vain. */
  readonly isDue: boolean;
}

/**
 * Records that bytes which a space received are lost. Returns when an import looked for them in vain; null where none has,
 * and undefined where the space did not receive them. `isFirst` says that no other lost bytes of the space are due.
 */
export async function recordLostBytes(
  db: Db,
  spaceId: string,
  oid: string,
): Promise<{ readonly soughtAt: Date | null; readonly isFirst: boolean } | null> {
  const { rows } = await db.execute<{ sought_at: string | null; is_first: boolean }>(sql`
    update ${spaceBlobs} set lost_at = coalesce(lost_at, now())
    where space_id = ${spaceId} and oid = ${oid}
    returning sought_at, not exists (
      select from space_blobs others
      where others.space_id = ${spaceId} and others.lost_at is not null and others.sought_at is null) as is_first`);
  const [row] = rows;
  if (row === undefined) return null;
  return { soughtAt: row.sought_at === null ? null : new Date(row.sought_at), isFirst: row.is_first };
}

/** Records that bytes which were lost are there, as when the store answers as it should again. */
export async function recordFoundBytes(db: Db, spaceId: string, oids: readonly string[]): Promise<void> {
  if (oids.length === 0) return;
  await db
    .update(spaceBlobs)
    .set({ lostAt: null, soughtAt: null })
    .where(
      and(
        eq(spaceBlobs.spaceId, spaceId),
        isNotNull(spaceBlobs.lostAt),
        inArray(spaceBlobs.oid, textRows(oids)),
      ),
    );
}

/** The space from which the bytes were copied, as a translation copies pictures; null where they were not. */
export async function findSourceOfBytes(db: Db, spaceId: string, oid: string): Promise<string | null> {
  const [source] = await db
    .select({ spaceId: spaceBlobs.spaceId })
    .from(translations)
    .innerJoin(spaceBlobs, and(eq(spaceBlobs.spaceId, translations.sourceSpaceId), eq(spaceBlobs.oid, oid)))
    .where(eq(translations.resultSpaceId, spaceId))
    .limit(1);
  return source?.spaceId ?? null;
}

export async function listLostBytes(db: Db, spaceId: string): Promise<LostBytes> {
  const rows = await db
    .select({ oid: spaceBlobs.oid, soughtAt: spaceBlobs.soughtAt })
    .from(spaceBlobs)
    .where(and(eq(spaceBlobs.spaceId, spaceId), isNotNull(spaceBlobs.lostAt)));
  return new Map(rows.map(({ oid, soughtAt }) => [oid, soughtAt]));
}

/** Records that the repository of a space did not have those of these bytes that are still lost; returns how many are not. */
export async function recordSoughtBytes(db: Db, spaceId: string, oids: readonly string[]): Promise<number> {
  if (oids.length === 0) return 0;
  const still = await db
    .update(spaceBlobs)
    .set({ soughtAt: sql`now()` })
    .where(
      and(
        eq(spaceBlobs.spaceId, spaceId),
        isNotNull(spaceBlobs.lostAt),
        inArray(spaceBlobs.oid, textRows(oids)),
      ),
    )
    .returning({ oid: spaceBlobs.oid });
  return oids.length - still.length;
}

/** What is lost of the current content of these spaces, by space; those that lost nothing are left out. */
export async function loadLostContent(
  db: Db,
  spaceIds: readonly string[],
): Promise<ReadonlyMap<string, LostContent>> {
  if (spaceIds.length === 0) return new Map();
  const rows = await db
    .select({
      spaceId: spaceBlobs.spaceId,
      count: sql<number>`count(*)::int`,
      since: sql<string>`min(${spaceBlobs.lostAt})`,
      isDue: sql<boolean>`bool_or(${spaceBlobs.soughtAt} is null)`,
    })
    .from(spaceBlobs)
    .innerJoin(spaces, eq(spaces.id, spaceBlobs.spaceId))
    .innerJoin(revisions, eq(revisions.id, spaces.revisionId))
    .where(
      and(
        inArray(spaceBlobs.spaceId, textRows(spaceIds)),
        isNotNull(spaceBlobs.lostAt),
        isNull(spaces.deletedAt),
        sql`exists (select from ${entries}
          where ${entries.oid} = ${spaceBlobs.oid} and ${entries.historyId} = ${revisions.historyId}
            and ${entries.since} <= ${revisions.version} and ${revisions.version} < ${entries.until})`,
      ),
    )
    .groupBy(spaceBlobs.spaceId);
  return new Map(rows.map(({ spaceId, since, ...row }) => [spaceId, { ...row, since: new Date(since) }]));
}

/** Which of these spaces lost bytes of their current content that no import has looked for in vain. */
export async function findLossySpaces(db: Db, spaceIds: readonly string[]): Promise<ReadonlySet<string>> {
  const lost = await loadLostContent(db, spaceIds);
  return new Set([...lost].flatMap(([spaceId, { isDue }]) => (isDue ? [spaceId] : [])));
}

/** How many blobs of spaces are lost: `due` are looked for in their repositories, `gone` were looked for in vain. */
export async function countLostBytes(db: Db): Promise<{ readonly due: number; readonly gone: number }> {
  const [row] = await db
    .select({
      due: sql<number>`(count(*) filter (where ${spaceBlobs.soughtAt} is null))::int`,
      gone: sql<number>`(count(${spaceBlobs.soughtAt}))::int`,
    })
    .from(spaceBlobs)
    .where(isNotNull(spaceBlobs.lostAt));
  return row ?? { due: 0, gone: 0 };
}
