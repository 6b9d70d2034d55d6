import { count, desc, eq, gte, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import { revisions } from './schema/content.ts';
import { deliveries } from './schema/github.ts';
import { spaces } from './schema/platform.ts';

/** Webhook deliveries of the last day by event and state. */
export async function countRecentDeliveries(
  db: Db,
): Promise<readonly { readonly event: string; readonly state: string; readonly count: number }[]> {
  return await db
    .select({ event: deliveries.event, state: deliveries.state, count: count() })
    .from(deliveries)
    .where(gte(deliveries.receivedAt, sql`now() - interval '1 day'`))
    .groupBy(deliveries.event, deliveries.state)
    .orderBy(deliveries.event, deliveries.state);
}

/** The live pages, links and broken links of spaces. At most `limit` spaces, those with the most broken links first. */
export async function measureSpaces(
  db: Db,
  limit: number,
): Promise<
  readonly {
    readonly id: string;
    readonly title: string;
    readonly pages: number;
    readonly links: number;
    readonly broken: number;
  }[]
> {
  const number = (field: 'pages' | 'links' | 'broken') =>
    sql<number>`coalesce((${revisions.counts}->>${sql.raw(`'${field}'`)})::int, 0)`;
  const broken = number('broken');
  return await db
    .select({
      id: spaces.id,
      title: spaces.title,
      pages: number('pages'),
      links: number('links'),
      broken,
    })
    .from(spaces)
    .innerJoin(revisions, eq(revisions.id, spaces.revisionId))
    .where(sql`${spaces.deletedAt} is null`)
    .orderBy(desc(broken), spaces.id)
    .limit(limit);
}
