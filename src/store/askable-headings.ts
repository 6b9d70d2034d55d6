/** Headings of sections that can be asked as they are. */
import { sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import { pages, sections } from './schema/content.ts';
import { siteFeedback, sites } from './schema/sites.ts';
import type { SearchScope } from './search.ts';

/** Sections that are looked at; more say no more. */
const MAX_SECTIONS = 20_000;

export interface AskableHeading {
  readonly spaceId: string;
  readonly pageId: string;
  readonly heading: string;
}

/**
 * Headings with a text below them: first those that are questions, then those that begin like one in English, then those of
 * the pages that readers found helpful most often.
 */
export async function listAskableHeadings(
  db: Db,
  {
    organizationId,
    scopes,
    limit,
  }: {
    readonly organizationId: string;
    readonly scopes: readonly Pick<SearchScope, 'spaceId' | 'historyId' | 'version'>[];
    readonly limit: number;
  },
): Promise<readonly AskableHeading[]> {
  if (scopes.length === 0) return [];
  const versions = sql.join(
    scopes.map(
      ({ spaceId, historyId, version }) => sql`(${spaceId}::text, ${historyId}::text, ${version}::int)`,
    ),
    sql`, `,
  );
  const { rows } = await db.execute<{ spaceId: string; pageId: string; heading: string }>(sql`
    with v(space_id, history_id, version) as (values ${versions}),
      found as (
        select v.space_id, p.id as page_id, p.path, s.ordinal, s.heading
        from v join ${pages} p on p.history_id = v.history_id and p.since <= v.version and p.until > v.version
        join ${sections} s on s.set_id = p.sections_id
        where length(s.heading) between 6 and 120 and length(s.body) >= 20
        limit ${MAX_SECTIONS}),
      liked as (
        select space_id, page_id, sum(case when helpful then 1 else -1 end) as score from ${siteFeedback}
        where site_id in (select id from ${sites} where organization_id = ${organizationId})
        group by space_id, page_id)
    select found.space_id as "spaceId", found.page_id as "pageId", found.heading
    from found left join liked using (space_id, page_id)
    order by (found.heading ~ '[?？؟]\\s*$') desc,
      (found.heading ~* '^(how|what|why|when|where|which|who|can|does|do|is|are) ') desc,
      coalesce(liked.score, 0) desc, found.path collate "C", found.ordinal, found.space_id
    limit ${limit}`);
  return rows;
}
