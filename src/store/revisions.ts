import { and, desc, eq } from 'drizzle-orm';
import type { Db } from './db.ts';
import type { EntryRow } from './entries.ts';
import type { FileRow } from './files.ts';
import { insertRows } from './insert-rows.ts';
import type { SetLinkRow } from './links.ts';
import type { PageRow } from './pages.ts';
import { entries, files, links, OPEN_ENDED, pages, revisions, settings } from './schema/content.ts';
import type { SettingRow } from './settings.ts';
import { closeRows, type Version, type VersionedRows } from './versions.ts';

export type RevisionRow = typeof revisions.$inferSelect;
export type NewRevision = typeof revisions.$inferInsert;

/** Counts over a revision; see `counts` of the table. */
export interface RevisionCounts {
  readonly pages: number;
  readonly files: number;
  readonly links: number;
  readonly broken: number;
  readonly inApp: number;
  readonly unchecked: number;
  /** The links that name specifications of the organization, which may be deleted at any time. */
  readonly specs?: number;
  /** For a change request, the links that are broken there and not in its base. */
  readonly introduced?: number;
}

/** What a person should know of one file; see `ContentNotice` in the contract. */
export interface Notice {
  readonly code: string;
  readonly path: string;
  readonly line?: number;
  readonly message: string;
  /** Of an entry whose name is refused: why, without the rest of the message. */
  readonly reason?: string;
}

/** The first notices of a revision; see `notices` of the table. */
export interface Notices {
  readonly count: number;
  readonly items: readonly Notice[];
}

/** The web addresses of a revision's repository; see `origin` of the table. */
export interface RevisionOrigin {
  /** The prefix of the addresses of its files. */
  readonly treeUrl?: string;
  readonly repository?: { readonly fullName: string; readonly branch: string; readonly htmlHost: string };
}

/** The differences from the previous version: keys of removed rows, and added rows. A changed row is in both. */
export interface ContentChanges {
  readonly pages: Changes<PageRow>;
  readonly files: Changes<FileRow>;
  readonly entries: Changes<EntryRow>;
  readonly settings: Changes<SettingRow>;
  /** Sets of links by id; those that are stored already stay. */
  readonly links: ReadonlyMap<string, readonly SetLinkRow[]>;
}

export interface Changes<Row> {
  readonly removed: readonly string[];
  readonly added: readonly Row[];
}

/** A revision of this space; null when there is none, also when another space has one with this id. */
export async function loadRevision(db: Db, spaceId: string, id: string): Promise<RevisionRow | null> {
  const [row] = await db
    .select()
    .from(revisions)
    .where(and(eq(revisions.id, id), eq(revisions.spaceId, spaceId)));
  return row ?? null;
}

/** The latest revision of a space with the same inputs, or null. */
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

/**
 * Writes a revision: its own row, and its changes to the history. Call it in a transaction that locks the space's row, so
 * that a revision is written completely or not at all, and no two have the same predecessor.
 */
export async function insertRevision(db: Db, revision: NewRevision, changes: ContentChanges): Promise<void> {
  await insertRows(db, revisions, [{ ...revision, blobsRecorded: true }]);
  await applyChanges(db, revision.spaceId, revision, changes);
}

/** Writes changes into the newest version of a history. */
export async function applyChanges(
  db: Db,
  spaceId: string,
  at: Version,
  changes: ContentChanges,
): Promise<void> {
  await applyRows(db, pages, pages.id, at, changes.pages);
  await applyRows(db, files, files.id, at, changes.files);
  await applyRows(db, entries, entries.path, at, changes.entries);
  await applyRows(db, settings, settings.key, at, changes.settings);
  await insertRows(db, links, linkRows(spaceId, changes.links), { skipExisting: true });
}

function* linkRows(spaceId: string, sets: ContentChanges['links']): Iterable<typeof links.$inferInsert> {
  for (const [setId, rows] of sets) for (const row of rows) yield { spaceId, setId, ...row };
}

async function applyRows<Row extends object>(
  db: Db,
  table: VersionedRows,
  key: Parameters<typeof closeRows>[2],
  at: Version,
  { removed, added }: Changes<Row>,
): Promise<void> {
  await closeRows(db, table, key, at, removed);
  const rows = added.map((row) => ({
    ...row,
    historyId: at.historyId,
    since: at.version,
    until: OPEN_ENDED,
  }));
  await insertRows(db, table, rows as unknown as (typeof table.$inferInsert)[]);
}

export async function updateRevisionCounts(db: Db, id: string, counts: RevisionCounts): Promise<void> {
  await db.update(revisions).set({ counts }).where(eq(revisions.id, id));
}

export async function updateRevisionNotices(db: Db, id: string, notices: Notices | null): Promise<void> {
  await db.update(revisions).set({ notices }).where(eq(revisions.id, id));
}

/** Records that a newer commit has the same content. */
export async function moveRevisionCommit(
  db: Db,
  id: string,
  commit: Pick<
    RevisionRow,
    'commitOid' | 'treeOid' | 'rootTreeOid' | 'inputs' | 'ref' | 'message' | 'commitUrl' | 'createdByService'
  >,
): Promise<void> {
  await db.update(revisions).set(commit).where(eq(revisions.id, id));
}
