import { and, asc, count, eq, gt, inArray, type SQL, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import { links } from './schema/platform.ts';

export type LinkRow = typeof links.$inferSelect;

/** Whose links: those of a whole revision, or of one of its pages. */
export interface LinkScope {
  readonly revisionId: string;
  readonly pageId: string | null;
}

export interface LinkCounts {
  readonly total: number;
  readonly broken: number;
  readonly inApp: number;
  readonly unchecked: number;
}

interface Keyset {
  readonly after: number | null;
  readonly limit: number;
}

interface LinkList {
  readonly count: number;
  readonly rows: readonly LinkRow[];
}

/** The links of a page or revision with one of these verdicts (all when null), in the order of the content. */
export async function listLinks(
  db: Db,
  scope: LinkScope,
  options: Keyset & { readonly verdicts: readonly string[] | null },
): Promise<LinkList> {
  return await selectLinks(
    db,
    and(inScope(scope), options.verdicts ? inArray(links.status, [...options.verdicts]) : undefined),
    options,
  );
}

/** Counts over all links of a page. Those of a revision are kept with it. */
export async function countLinks(db: Db, scope: LinkScope): Promise<LinkCounts> {
  const ofVerdict = (verdict: string) =>
    sql<number>`(count(*) filter (where ${links.status} = ${verdict}))::int`;
  const [row] = await db
    .select({
      total: count(),
      broken: ofVerdict('broken'),
      inApp: ofVerdict('in-app'),
      unchecked: ofVerdict('unchecked'),
    })
    .from(links)
    .where(inScope(scope));
  return row ?? { total: 0, broken: 0, inApp: 0, unchecked: 0 };
}

/** The links that lead to a page, also those whose anchor is missing there. */
export async function listLinksToPage(
  db: Db,
  revisionId: string,
  pageId: string,
  options: Keyset,
): Promise<LinkList> {
  return await selectLinks(
    db,
    and(eq(links.revisionId, revisionId), eq(links.targetPageId, pageId)),
    options,
  );
}

export async function listLinksToFile(
  db: Db,
  revisionId: string,
  fileId: string,
  options: Keyset,
): Promise<LinkList> {
  return await selectLinks(
    db,
    and(eq(links.revisionId, revisionId), eq(links.targetFileId, fileId)),
    options,
  );
}

async function selectLinks(db: Db, condition: SQL | undefined, options: Keyset): Promise<LinkList> {
  const [total] = await db.select({ count: count() }).from(links).where(condition);
  const rows = await db
    .select()
    .from(links)
    .where(and(condition, options.after === null ? undefined : gt(links.position, options.after)))
    .orderBy(asc(links.position))
    .limit(options.limit);
  return { count: total?.count ?? 0, rows };
}

function inScope(scope: LinkScope): SQL | undefined {
  return and(
    eq(links.revisionId, scope.revisionId),
    scope.pageId === null ? undefined : eq(links.pageId, scope.pageId),
  );
}
