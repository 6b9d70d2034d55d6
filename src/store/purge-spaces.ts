import { sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import { spaces } from './schema/platform.ts';
import { RESTORABLE_DAYS } from './spaces.ts';

/**
 * Removes the spaces that were deleted too long ago to be restored, with all their rows: content, history, change
 * requests, git operations. One at a time, the oldest first, so that nobody waits for all of them. Answers how many went.
 */
export async function purgeSpaces(db: Db, signal: AbortSignal): Promise<number> {
  for (let purged = 0; ; purged++) {
    signal.throwIfAborted();
    const { rowCount } = await db.execute(sql`
      delete from ${spaces} where id in (
        select id from ${spaces} where deleted_at <= now() - make_interval(days => ${RESTORABLE_DAYS})
        order by deleted_at limit 1 for update skip locked)`);
    if (rowCount === 0) return purged;
  }
}
