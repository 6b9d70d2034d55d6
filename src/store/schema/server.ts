/** Tables of the server itself. */
import { sql } from 'drizzle-orm';
import { pgTable, text } from 'drizzle-orm/pg-core';
import { moment } from './columns.ts';

/** What this server keeps for itself and nobody else may read, such as the credentials of its GitHub App. */
export const serverSecrets = pgTable('server_secrets', {
  name: text('name').primaryKey(),
  /** As the sealer made it. */
  sealed: text('sealed').notNull(),
  updatedAt: moment('updated_at').notNull().default(sql`now()`),
});
