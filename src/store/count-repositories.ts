import { isNull, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import { repositories } from './schema/github.ts';

/** How many repositories reach this server now. */
export async function countRepositories(db: Db): Promise<number> {
  const [row] = await db
    .select({ count: sql<number>`count(*)::int` })
    .from(repositories)
    .where(isNull(repositories.disconnected));
  return row?.count ?? 0;
}
