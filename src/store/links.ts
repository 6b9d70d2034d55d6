import { and, asc, count, eq, getTableColumns, inArray, or, type SQL, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import { entries, links } from './schema/content.ts';
import { openapiOperations, openapiSpecs } from './schema/openapi.ts';
import { isInVersion, type Version } from './versions.ts';

/** A link of a set, without the set's location. */
export type SetLinkRow = Omit<typeof links.$inferSelect, 'spaceId' | 'setId'>;

/**
 * A link of a version, with its file and page. A link to a specification (`targetKind: openapi`, the operation in
 * `targetAnchor`) is `broken` while the specification or operation does not exist.
 */
export type LinkRow = Omit<SetLinkRow, 'ordinal'> & LinkLocation & { readonly pageId: string | null };

/** The position of a link among all links of a version, by which lists are ordered. */
export interface LinkLocation {
  readonly gitPath: string;
  /** Order in the file. */
  readonly ordinal: number;
}

/** Which links: those of a whole version, or of a page with the files that are included in its text. */
export interface LinkScope {
  readonly spaceId: string;
  readonly at: Version;
  readonly pageId: string | null;
  /** The paths of the included files. */
  readonly parts?: readonly string[];
  /** The organization whose specifications the links name. */
  readonly organizationId: string;
}

export interface LinkCounts {
  readonly total: number;
  readonly broken: number;
  readonly inApp: number;
  readonly unchecked: number;
}

interface Keyset {
  readonly after: LinkLocation | null;
  readonly limit: number;
}

interface LinkList {
  readonly count: number;
  readonly rows: readonly LinkRow[];
}

/** The links of a page or version with one of these verdicts (all when null), by file and position. `countLinks` counts them. */
export async function listLinks(
  db: Db,
  scope: LinkScope,
  options: Keyset & { readonly verdicts: readonly string[] | null },
): Promise<readonly LinkRow[]> {
  return await selectRows(
    db,
    scope,
    options.verdicts ? inArray(statusNow(scope), [...options.verdicts]) : undefined,
    options,
  );
}

/** Counts over all links of a page. The counts of a version are stored with its revision. */
export async function countLinks(db: Db, scope: LinkScope): Promise<LinkCounts> {
  const status = statusNow(scope);
  const ofVerdict = (verdict: string) => sql<number>`(count(*) filter (where ${status} = ${verdict}))::int`;
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

/** The links that lead to a page, including those whose anchor is missing there. */
export async function listLinksToPage(
  db: Db,
  scope: Omit<LinkScope, 'pageId'>,
  pageId: string,
  options: Keyset,
): Promise<LinkList> {
  return await selectLinks(db, scope, eq(links.targetPageId, pageId), options);
}

export async function listLinksToFile(
  db: Db,
  scope: Omit<LinkScope, 'pageId'>,
  fileId: string,
  options: Keyset,
): Promise<LinkList> {
  return await selectLinks(db, scope, eq(links.targetFileId, fileId), options);
}

/**
 * How many links are broken in a version and not in its base, of all pages or of one. Links are the same when they have
 * the same file and target, wherever in the file they are; each broken link of the base cancels out one.
 */
export async function countIntroduced(
  db: Db,
  scope: Omit<LinkScope, 'organizationId'>,
  base: Version,
): Promise<number> {
  const brokenIn = (version: Omit<LinkScope, 'organizationId'>, times: 1 | -1) => sql`
    select ${entries.path} as path, ${links.target} as target, ${sql.raw(String(times))} as times
    from ${entries} join ${links} on ${links.setId} = ${entries.linksId}
    where ${and(inScope(version), eq(links.status, 'broken'))}`;
  // One group for both versions: a join of two groups, of which the planner expects one row each, compares each with all.
  const { rows } = await db.execute(sql`
    select coalesce(sum(greatest(times, 0)), 0)::int as introduced from (
      select sum(times) as times from (
        ${brokenIn(scope, 1)} union all ${brokenIn({ spaceId: scope.spaceId, at: base, pageId: null }, -1)}
      ) as links group by path, target
    ) as differences`);
  return (rows[0] as { introduced: number }).introduced;
}

/** How many links of a version name specifications or operations that do not exist at the moment. */
export async function countLostSpecs(db: Db, scope: LinkScope): Promise<number> {
  const [row] = await db
    .select({ count: count() })
    .from(entries)
    .innerJoin(links, eq(links.setId, entries.linksId))
    .where(and(inScope(scope), eq(links.targetKind, 'openapi'), eq(statusNow(scope), 'broken')));
  return row?.count ?? 0;
}

const { spaceId: _space, setId: _set, status: _status, ...fields } = getTableColumns(links);

/** The status of a link at the moment. An operation is missing where its specification has a version without its method and path. */
function statusNow({ organizationId }: Pick<LinkScope, 'organizationId'>): SQL<string> {
  const operation = links.targetAnchor;
  const hasOperation = sql`exists (
    select from ${openapiOperations} where ${openapiOperations.specId} = ${openapiSpecs.id}
      and ${openapiOperations.method} = split_part(${operation}, ' ', 1)
      and ${openapiOperations.path} = substr(${operation}, strpos(${operation}, ' ') + 1))`;
  const exists = sql`exists (
    select from ${openapiSpecs} where ${openapiSpecs.organizationId} = ${organizationId}
      and (${openapiSpecs.slug} = ${links.target} or ${openapiSpecs.sourceUrl} = ${links.target})
      and (${operation} is null or ${openapiSpecs.lastVersionId} is null or ${hasOperation}))`;
  return sql<string>`case when ${links.targetKind} = 'openapi' and not ${exists} then 'broken' else ${links.status} end`;
}

async function selectLinks(
  db: Db,
  scope: Omit<LinkScope, 'pageId'>,
  condition: SQL,
  options: Keyset,
): Promise<LinkList> {
  const [total] = await db
    .select({ count: count() })
    .from(entries)
    .innerJoin(links, eq(links.setId, entries.linksId))
    .where(and(inScope(scope), condition));
  return { count: total?.count ?? 0, rows: await selectRows(db, scope, condition, options) };
}

async function selectRows(
  db: Db,
  scope: Omit<LinkScope, 'pageId'>,
  condition: SQL | undefined,
  { after, limit }: Keyset,
): Promise<readonly LinkRow[]> {
  return await db
    .select({ ...fields, status: statusNow(scope), gitPath: entries.path, pageId: entries.pageId })
    .from(entries)
    .innerJoin(links, eq(links.setId, entries.linksId))
    .where(
      and(
        inScope(scope),
        condition,
        // The first condition follows from the second, and lets the index find the file.
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
}: Partial<LinkScope> & Pick<LinkScope, 'spaceId' | 'at'>): SQL | undefined {
  return and(
    isInVersion(entries, at),
    eq(links.spaceId, spaceId),
    pageId === null
      ? undefined
      : parts.length === 0
        ? eq(entries.pageId, pageId)
        : or(eq(entries.pageId, pageId), inArray(entries.path, [...parts])),
  );
}
