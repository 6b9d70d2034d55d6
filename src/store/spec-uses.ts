import { type SQL, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import type { LinkLocation } from './links.ts';
import { entries, links, pages } from './schema/content.ts';
import type { SpaceScope } from './search-scopes.ts';
import { textRows } from './text-rows.ts';

/** A use of a specification: a link to it or, at line 0 and with the path `/` + id, a page that is computed from it. */
export interface SpecUse extends LinkLocation {
  readonly spaceId: string;
  readonly pageId: string | null;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

export type SpecUseLocation = Pick<SpecUse, 'spaceId' | 'gitPath' | 'ordinal'>;

/** The number of uses of a specification, by any of its names, in the content of spaces, and those after `after`, by space and position. */
export async function listSpecUses(
  db: Db,
  scopes: readonly SpaceScope[],
  names: readonly string[],
  { after, limit }: { readonly after: SpecUseLocation | null; readonly limit: number },
): Promise<{ readonly count: number; readonly rows: readonly SpecUse[] }> {
  if (scopes.length === 0) return { count: 0, rows: [] };
  const uses = usesIn(scopes, names);
  const isAfter =
    after === null
      ? sql`true`
      : sql`("spaceId" collate "C", "gitPath" collate "C", ordinal) > (${after.spaceId}, ${after.gitPath}, ${after.ordinal}::int)`;
  const [total, found] = await Promise.all([
    db.execute<{ count: number }>(sql`select count(*)::int as count from (${uses}) as uses`),
    db.execute<SpecUse & Record<string, unknown>>(sql`
      select * from (${uses}) as uses where ${isAfter}
      order by "spaceId" collate "C", "gitPath" collate "C", ordinal limit ${limit}`),
  ]);
  return { count: total.rows[0]?.count ?? 0, rows: found.rows };
}

function usesIn(scopes: readonly SpaceScope[], names: readonly string[]): SQL {
  const versions = sql.join(
    scopes.map(
      ({ spaceId, historyId, version }) => sql`(${spaceId}::text, ${historyId}::text, ${version}::int)`,
    ),
    sql`, `,
  );
  const isNamed = (name: SQL) => sql`${name} in ${textRows(names)}`;
  return sql`
    with scopes(space_id, history_id, version) as (values ${versions})
    select v.space_id as "spaceId", e.path as "gitPath", l.ordinal, e.page_id as "pageId",
      l.line, l."column", l.end_line as "endLine", l.end_column as "endColumn"
    from scopes v
      join ${links} l on l.space_id = v.space_id and l.target_kind = 'openapi' and ${isNamed(sql`l.target`)}
      join ${entries} e on e.history_id = v.history_id and e.links_id = l.set_id
        and e.since <= v.version and e.until > v.version
    union all
    select v.space_id, '/' || p.id, 0, p.id, 0, 0, 0, 0
    from scopes v
      join ${pages} p on p.history_id = v.history_id and p.since <= v.version and p.until > v.version
    where p.type = 'computed' and exists (
      select from jsonb_each(coalesce(p.settings #> '{computed,dependencies}', '{}')) as named(key, source)
      where source ->> 'kind' = 'openapi' and ${isNamed(sql`source ->> 'spec'`)})`;
}
