import { type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';

/** Where the next page of a list that is ordered by age starts. */
export interface AgeKey {
  readonly createdAt: Date;
  readonly id: string;
}

/** Whether a row comes after a key in a list that is ordered by age; no condition without a key. */
export function isYounger(
  table: { readonly createdAt: AnyPgColumn; readonly id: AnyPgColumn },
  after: AgeKey | null,
): SQL | undefined {
  return after === null
    ? undefined
    : sql`(${table.createdAt}, ${table.id}) > (${after.createdAt.toISOString()}::timestamptz, ${after.id})`;
}

/** The same for a list that has the newest first. */
export function isOlder(
  table: { readonly createdAt: AnyPgColumn; readonly id: AnyPgColumn },
  after: AgeKey | null,
): SQL | undefined {
  return after === null
    ? undefined
    : sql`(${table.createdAt}, ${table.id}) < (${after.createdAt.toISOString()}::timestamptz, ${after.id})`;
}
