import { and, eq, getTableColumns, ne, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import { entries, pages, revisions } from './schema/content.ts';
import { textRows } from './text-rows.ts';
import { differsBetween, isInVersion, type Version } from './versions.ts';

export type { StoredPageSettings, StoredPart, StoredTarget } from './schema/content.ts';

/** A page of one or more versions. */
export type PageRow = Omit<typeof pages.$inferSelect, 'historyId' | 'since' | 'until'>;

/** The slugs of the specifications that a page is computed from. */
export function specsOf({ settings }: PageRow): readonly string[] {
  return Object.values(settings?.computed?.dependencies ?? {}).flatMap(({ kind, spec }) =>
    kind === 'openapi' && spec !== undefined ? [spec] : [],
  );
}

/** The computed pages of a version, or only the one with this id, by id. */
export async function listComputedPages(db: Db, at: Version, id: string | null): Promise<readonly PageRow[]> {
  return await db
    .select(fields)
    .from(pages)
    .where(
      and(isInVersion(pages, at), eq(pages.type, 'computed'), id === null ? undefined : eq(pages.id, id)),
    )
    .orderBy(sql`${pages.id} collate "C"`);
}

/** The pages of a version in the order of the navigation, depth first. */
export async function listPages(db: Db, at: Version): Promise<readonly PageRow[]> {
  return toNavigation(await db.select(fields).from(pages).where(isInVersion(pages, at)), null);
}

/** The pages of a revision, as they were read before. */
export interface KnownPages {
  readonly revision: Version & { readonly id: string };
  readonly rows: readonly PageRow[];
}

/** As {@link listPages}; of what is known of another version of the same history, only the differences are read. */
export async function listPagesSince(db: Db, at: Version, known: KnownPages): Promise<readonly PageRow[]> {
  const { revision, rows } = known;
  if (revision.historyId !== at.historyId) return await listPages(db, at);
  const differences = await db
    .select({ page: fields, isThere: sql<boolean | null>`${isInVersion(pages, at)}` })
    .from(revisions)
    .leftJoin(pages, differsBetween(pages, revision, at))
    .where(eq(revisions.id, revision.id));
  // Rows are deleted with the last revision that has them, so those of one that is gone are not known any more.
  if (differences.length === 0) return await listPages(db, at);
  const added = new Map<string, PageRow>();
  const removed = new Set<string>();
  for (const { page, isThere } of differences) {
    if (page === null) continue;
    if (isThere === true) added.set(page.id, page);
    else removed.add(page.id);
  }
  const replaced = replaceInPlace(rows, added, removed);
  if (replaced !== null) return replaced;
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const id of removed) byId.delete(id);
  for (const [id, page] of added) byId.set(id, page);
  return toNavigation([...byId.values()], null);
}

/** The pages in their order, where none came, went or moved, as after most pushes; null for anything else. */
function replaceInPlace(
  rows: readonly PageRow[],
  added: ReadonlyMap<string, PageRow>,
  removed: ReadonlySet<string>,
): readonly PageRow[] | null {
  if (removed.size !== added.size || [...removed].some((id) => !added.has(id))) return null;
  let places = 0;
  const replaced = rows.map((row) => {
    const page = added.get(row.id);
    if (page === undefined) return row;
    if (page.parentId === row.parentId && page.position === row.position) places += 1;
    return page;
  });
  return places === added.size ? replaced : null;
}

export async function loadPage(db: Db, at: Version, id: string): Promise<PageRow | null> {
  const [row] = await db
    .select(fields)
    .from(pages)
    .where(and(isInVersion(pages, at), eq(pages.id, id)));
  return row ?? null;
}

/** Those of these pages that a version has, in no order. */
export async function findPages(db: Db, at: Version, ids: readonly string[]): Promise<readonly PageRow[]> {
  if (ids.length === 0) return [];
  return await db
    .select(fields)
    .from(pages)
    .where(and(isInVersion(pages, at), sql`${pages.id} in ${textRows(ids)}`));
}

/** The id of the page at an address relative to its space, `''` for the home page; null when there is none. */
export async function findPageAt(db: Db, at: Version, path: string): Promise<string | null> {
  const [row] = await db
    .select({ id: pages.id })
    .from(pages)
    .where(and(isInVersion(pages, at), eq(pages.path, path), ne(pages.type, 'link')))
    .limit(1);
  return row?.id ?? null;
}

/** The id of the page made from a file of the repository; null when there is none. */
export async function findPageOfFile(db: Db, at: Version, gitPath: string): Promise<string | null> {
  const [row] = await db
    .select({ id: entries.pageId })
    .from(entries)
    .where(and(isInVersion(entries, at), eq(entries.path, gitPath)));
  return row?.id ?? null;
}

/** A page and all pages below it, in the order of the navigation; empty when there is no such page. */
export async function loadPageTree(db: Db, at: Version, id: string): Promise<readonly PageRow[]> {
  const below = sql`(
    with recursive tree(id) as (
      select ${id}::text
      union
      select child.id from ${pages} child join tree on child.parent_id = tree.id
      where child.history_id = ${at.historyId} and child.since <= ${at.version} and child.until > ${at.version}
    ) select id from tree)`;
  const rows = await db
    .select(fields)
    .from(pages)
    .where(and(isInVersion(pages, at), sql`${pages.id} in ${below}`));
  const root = rows.find((row) => row.id === id);
  return root === undefined ? [] : [root, ...toNavigation(rows, id)];
}

const { historyId: _history, since: _since, until: _until, ...fields } = getTableColumns(pages);

/** All rows below a parent, depth first, parents before their children. */
function toNavigation(rows: readonly PageRow[], parentId: string | null): PageRow[] {
  const byParent = Map.groupBy(rows, (row) => row.parentId);
  for (const siblings of byParent.values()) siblings.sort((a, b) => a.position - b.position);
  const ordered: PageRow[] = [];
  const waiting = (byParent.get(parentId) ?? []).toReversed();
  for (let row = waiting.pop(); row !== undefined; row = waiting.pop()) {
    ordered.push(row);
    waiting.push(...(byParent.get(row.id) ?? []).toReversed());
  }
  return ordered;
}
