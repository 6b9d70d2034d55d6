import { and, desc, eq, isNotNull } from 'drizzle-orm';
import type { Db } from './db.ts';
import { gitOperations } from './schema/platform.ts';

/** The revision that the last export to a branch left there; null when there was none. It may have been removed since. */
export async function loadLastExported(db: Db, spaceId: string, ref: string): Promise<string | null> {
  const [row] = await db
    .select({ revisionId: gitOperations.revisionId })
    .from(gitOperations)
    .where(
      and(
        eq(gitOperations.spaceId, spaceId),
        eq(gitOperations.direction, 'export'),
        eq(gitOperations.ref, ref),
        eq(gitOperations.state, 'success'),
        isNotNull(gitOperations.revisionId),
      ),
    )
    .orderBy(desc(gitOperations.sequence))
    .limit(1);
  return row?.revisionId ?? null;
}
