import type { NodePgDatabase, NodePgQueryResultHKT } from 'drizzle-orm/node-postgres';
import type { PgDatabase } from 'drizzle-orm/pg-core';
import type * as schema from './schema/index.ts';

/** The database or a transaction in it: the first parameter of every query. */
export type Db = PgDatabase<NodePgQueryResultHKT, typeof schema>;

/** The database itself, on which transactions are started. */
export type Database = NodePgDatabase<typeof schema>;
