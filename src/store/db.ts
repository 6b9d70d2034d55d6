import type { NodePgDatabase, NodePgQueryResultHKT } from 'drizzle-orm/node-postgres';
import type { PgDatabase } from 'drizzle-orm/pg-core';
import type * as schema from './schema/index.ts';

/** The database or a transaction in it: every query takes one as its first argument. */
export type Db = PgDatabase<NodePgQueryResultHKT, typeof schema>;

/** The database itself, from which transactions start. */
export type Database = NodePgDatabase<typeof schema>;
