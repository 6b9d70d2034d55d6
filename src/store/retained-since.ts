import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { schemaReleases } from './schema/server.ts';

/**
 * When the days of retention begin: at a moment of the row, but not before a release that deletes such rows first ran on
 * this database. So nothing old is deleted by the update that brings the retention, before anybody could see that it will be.
 */
export function retainedSince(moment: SQLWrapper): SQL {
  return sql`greatest(${moment}, (select min(${schemaReleases.recordedAt}) from ${schemaReleases}))`;
}
