import { and, asc, eq, inArray, isNull, lt, or, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import { insertRows } from './insert-rows.ts';
import { bindings, repositories } from './schema/github.ts';
import { type ExternalState, externalLinks, externalUses } from './schema/sync.ts';
import { textRows } from './text-rows.ts';

export type ExternalLink = typeof externalLinks.$inferSelect;
export type ExternalUse = Pick<
  typeof externalUses.$inferInsert,
  'bindingId' | 'url' | 'fragment' | 'path' | 'line'
>;

/** Replaces the external links of a binding's pages. */
export async function replaceUses(db: Db, bindingId: string, uses: readonly ExternalUse[]): Promise<void> {
  await db.delete(externalUses).where(eq(externalUses.bindingId, bindingId));
  await insertRows(db, externalUses, uses, { skipExisting: true });
  const urls = [...new Set(uses.map(({ url }) => url))].map((url) => ({ url }));
  await insertRows(db, externalLinks, urls, { skipExisting: true });
}

/** The addresses that a binding's pages link to and that were not checked since `before`; at most `limit`. */
export async function listUnchecked(
  db: Db,
  bindingId: string,
  before: Date,
  limit: number,
): Promise<readonly string[]> {
  const rows = await db
    .select({ url: externalLinks.url })
    .from(externalLinks)
    .where(
      and(
        sql`exists (select 1 from ${externalUses} u where u.url = ${externalLinks.url} and u.binding_id = ${bindingId})`,
        or(isNull(externalLinks.checkedAt), lt(externalLinks.checkedAt, before)),
      ),
    )
    .orderBy(asc(externalLinks.url))
    .limit(limit);
  return rows.map(({ url }) => url);
}

/** An address with the fragments that pages link to (at most 1,000); null when no page links to it any more. */
export async function loadExternalLink(
  db: Db,
  url: string,
): Promise<{ readonly link: ExternalLink; readonly fragments: readonly string[] } | null> {
  const [link] = await db.select().from(externalLinks).where(eq(externalLinks.url, url));
  if (link === undefined) return null;
  const uses = await db
    .selectDistinct({ fragment: externalUses.fragment })
    .from(externalUses)
    .where(eq(externalUses.url, url))
    .limit(1_000);
  if (uses.length === 0) return null;
  return { link, fragments: uses.flatMap(({ fragment }) => (fragment === '' ? [] : [fragment])) };
}

export async function saveExternalLink(db: Db, { url, ...rest }: ExternalLink): Promise<void> {
  await db.update(externalLinks).set(rest).where(eq(externalLinks.url, url));
}

export interface ExternalFinding extends ExternalLink {
  /** Fragments that the target does not have. */
  readonly missing: readonly string[];
  readonly uses: readonly { readonly path: string; readonly line: number }[];
}

const MAX_FINDINGS = 500;

/** The addresses that a binding's pages link to and that need attention, the worst first; at most 500. */
export async function listExternalFindings(db: Db, bindingId: string): Promise<readonly ExternalFinding[]> {
  const rows = await db
    .select({
      link: externalLinks,
      uses: sql<
        { path: string; line: number; fragment: string }[]
      >`json_agg(json_build_object('path', ${externalUses.path}, 'line', ${externalUses.line}, 'fragment', ${externalUses.fragment}) order by ${externalUses.path}, ${externalUses.line})`,
    })
    .from(externalLinks)
    .innerJoin(externalUses, eq(externalUses.url, externalLinks.url))
    .where(
      and(
        eq(externalUses.bindingId, bindingId),
        or(
          inArray(externalLinks.state, ['dead', 'failing', 'redirected']),
          sql`${externalLinks.fragments} -> ${externalUses.fragment} = 'false'::jsonb`,
        ),
      ),
    )
    .groupBy(externalLinks.url)
    .orderBy(
      sql`array_position(array['dead', 'failing'], ${externalLinks.state}) nulls last`,
      asc(externalLinks.url),
    )
    .limit(MAX_FINDINGS);
  return rows.map(({ link, uses }) => ({
    ...link,
    missing: [
      ...new Set(uses.flatMap(({ fragment }) => (link.fragments[fragment] === false ? [fragment] : []))),
    ],
    // Links of one line to several fragments of the address are one use.
    uses: [...new Map(uses.map(({ path, line }) => [`${line} ${path}`, { path, line }])).values()],
  }));
}

/** The number of addresses that a binding's pages link to, by state. */
export async function countExternal(db: Db, bindingId: string): Promise<ReadonlyMap<ExternalState, number>> {
  return (await countExternalOf(db, [bindingId])).get(bindingId) ?? new Map();
}

/** The same for several bindings; those without external links are omitted. */
export async function countExternalOf(
  db: Db,
  bindingIds: readonly string[],
): Promise<ReadonlyMap<string, ReadonlyMap<ExternalState, number>>> {
  if (bindingIds.length === 0) return new Map();
  const rows = await db
    .select({
      bindingId: externalUses.bindingId,
      state: externalLinks.state,
      count: sql<number>`count(distinct ${externalUses.url})::int`,
    })
    .from(externalUses)
    .innerJoin(externalLinks, eq(externalLinks.url, externalUses.url))
    .where(inArray(externalUses.bindingId, [...bindingIds]))
    .groupBy(externalUses.bindingId, externalLinks.state);
  const counts = new Map<string, Map<ExternalState, number>>();
  for (const { bindingId, state, count } of rows) {
    counts.set(bindingId, (counts.get(bindingId) ?? new Map<ExternalState, number>()).set(state, count));
  }
  return counts;
}

/** The number of addresses in each state, whoever links to them. */
export async function countAllExternal(db: Db): Promise<ReadonlyMap<ExternalState, number>> {
  const rows = await db
    .select({ state: externalLinks.state, count: sql<number>`count(*)::int` })
    .from(externalLinks)
    .groupBy(externalLinks.state);
  return new Map(rows.map(({ state, count }) => [state, count]));
}

/** Those of the addresses that were checked, by address. */
export async function loadCheckedExternalLinks(
  db: Db,
  urls: readonly string[],
): Promise<ReadonlyMap<string, ExternalLink>> {
  if (urls.length === 0) return new Map();
  const rows = await db
    .select()
    .from(externalLinks)
    .where(sql`${externalLinks.url} in ${textRows(urls)} and ${externalLinks.checkedAt} is not null`);
  return new Map(rows.map((row) => [row.url, row]));
}

/** The connected repositories whose pages link to an address. */
export async function listLinkingRepositories(
  db: Db,
  url: string,
): Promise<readonly { readonly repositoryId: number; readonly installationId: number }[]> {
  return await db
    .selectDistinct({ repositoryId: repositories.id, installationId: repositories.installationId })
    .from(externalUses)
    .innerJoin(bindings, eq(bindings.id, externalUses.bindingId))
    .innerJoin(repositories, eq(repositories.id, bindings.repositoryId))
    .where(and(eq(externalUses.url, url), isNull(bindings.disconnected), isNull(repositories.disconnected)));
}

const DELETED_AT_ONCE = 1_000;

/**
 * Deletes the uses of bindings that are gone or have no space, then the addresses that no page links to. Returns how many
 * addresses were deleted.
 */
export async function deleteUnusedExternalLinks(db: Db, signal: AbortSignal): Promise<number> {
  await db.execute(sql`
    delete from ${externalUses} u where not exists (
      select 1 from ${bindings} b where b.id = u.binding_id and b.space_id is not null)`);
  for (let deleted = 0; ; ) {
    signal.throwIfAborted();
    const { rowCount } = await db.execute(sql`
      delete from ${externalLinks} where url in (
        select l.url from ${externalLinks} l where not exists (select 1 from ${externalUses} u where u.url = l.url)
        limit ${DELETED_AT_ONCE})`);
    deleted += rowCount ?? 0;
    if ((rowCount ?? 0) < DELETED_AT_ONCE) return deleted;
  }
}
