import { type SQL, sql } from 'drizzle-orm';

/** The moment so many days before the transaction started, by the database's clock. */
export function daysAgo(days: number): SQL {
  return sql`(now() - make_interval(days => ${days}))`;
}
