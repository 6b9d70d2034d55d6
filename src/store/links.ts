import { and, asc, count, eq, getTableColumns, inArray, or, type SQL, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import { entries, links } from './schema/content.ts';
import { standsIn, type Version } from './versions.ts';

/** A link of a set, without where the set stands. */
export type SetLinkRow = Omit<typeof links.$inferSelect, 'spaceId' | 'setId'>;

/** A link of a version, with the file and page that hold it. */
export type LinkRow = Omit<SetLinkRow, 'ordinal'> & LinkPlace & { readonly pageId: string | null };

/** Where a link stands among all of a version, which is the order of lists. */
export interface LinkPlace {
  readonly gitPath: string;
  /** Order in the file. */
  readonly ordinal: number;
}

/** Whose links: those of a whole version, or of one of its pages with the files that stand in its text. */
export interface LinkScope {
  readonly spaceId: string;
  readonly at: Version;
  readonly pageId: string | null;
  /** The paths of those files. */
  readonly parts?: readonly string[];
}

export interface LinkCounts {
  readonly total: number;
  readonly broken: number;
  readonly inApp: number;
  readonly unchecked: number;
}

interface Keyset {
  readonly after: LinkPlace | null;
  readonly limit: number;
}

interface LinkList {
  readonly count: number;
  readonly rows: readonly LinkRow[];
}

/** The links of a page or version with one of these verdicts (all when null), by file and place; how many there are is counted apart. */
export async function listLinks(
  db: Db,
  scope: LinkScope,
  options: Keyset & { readonly verdicts: readonly string[] | null },
): Promise<readonly LinkRow[]> {
  return await selectRows(
    db,
    and(inScope(scope), options.verdicts ? inArray(links.status, [...options.verdicts]) : undefined),
    options,
  );
}

/** Counts over all links of a page. Those of a version are kept with its revision. */
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
    .from(entries)
    .innerJoin(links, eq(links.setId, entries.linksId))
    .where(inScope(scope));
  return row ?? { total: 0, broken: 0, inApp: 0, unchecked: 0 };
}

/** The links that lead to a page, also those whose anchor is missing there. */
export async function listLinksToPage(
  db: Db,
  scope: Omit<LinkScope, 'pageId'>,
  pageId: string,
  options: Keyset,
): Promise<LinkList> {
  return await selectLinks(db, and(inScope(scope), eq(links.targetPageId, pageId)), options);
}

export async function listLinksToFile(
  db: Db,
  scope: Omit<LinkScope, 'pageId'>,
  fileId: string,
  options: Keyset,
): Promise<LinkList> {
  return await selectLinks(db, and(inScope(scope), eq(links.targetFileId, fileId)), options);
}

/**
 * How many links are broken in a version and not in its base, of all pages or of one. A link is the same when it stands
 * in the same file and says the same, wherever in it; each one in the base excuses one.
 */
export async function countIntroduced(db: Db, scope: LinkScope, base: Version): Promise<number> {
  const brokenIn = (own: LinkScope) => sql`(
    select ${entries.path} as path, ${links.target} as target, count(*) as times
    from ${entries} join ${links} on ${links.setId} = ${entries.linksId}
    where ${and(inScope(own), eq(links.status, 'broken'))}
    group by 1, 2)`;
  const { rows } = await db.execute(sql`
    select coalesce(sum(greatest(head.times - coalesce(base.times, 0), 0)), 0)::int as introduced
    from ${brokenIn(scope)} head
    left join ${brokenIn({ spaceId: scope.spaceId, at: base, pageId: null })} base on base.path = head.path and base.target = head.target`);
  return (rows[0] as { introduced: number }).introduced;
}

const { spaceId: _space, setId: _set, ...fields } = getTableColumns(links);

async function selectLinks(db: Db, condition: SQL | undefined, options: Keyset): Promise<LinkList> {
  const [total] = await db
    .select({ count: count() })
    .from(entries)
    .innerJoin(links, eq(links.setId, entries.linksId))
    .where(condition);
  return { count: total?.count ?? 0, rows: await selectRows(db, condition, options) };
}

async function selectRows(
  db: Db,
  condition: SQL | undefined,
  { after, limit }: Keyset,
): Promise<readonly LinkRow[]> {
  return await db
    .select({ ...fields, gitPath: entries.path, pageId: entries.pageId })
    .from(entries)
    .innerJoin(links, eq(links.setId, entries.linksId))
    .where(
      and(
        condition,
        // The first half lets the index find the file; the second is what is meant.
        after === null ? undefined : sql`${entries.path} >= ${after.gitPath}`,
        after === null
          ? undefined
          : sql`(${entries.path}, ${links.ordinal}) > (${after.gitPath}, ${after.ordinal}::int)`,
      ),
    )
    .orderBy(asc(entries.path), asc(links.ordinal))
    .limit(limit);
}

function inScope({
  spaceId,
  at,
  pageId = null,
  parts = [],
}: Partial<LinkScope> & Omit<LinkScope, 'pageId'>): SQL | undefined {
  return and(
    standsIn(entries, at),
    eq(links.spaceId, spaceId),
    pageId === null
      ? undefined
      : parts.length === 0
        ? eq(entries.pageId, pageId)
        : or(eq(entries.pageId, pageId), inArray(entries.path, [...parts])),
  );
}
