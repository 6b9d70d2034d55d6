/** Tables of the scheduler: what was carried from spaces to where they came from. */
import { integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { id, moment } from './columns.ts';

/** How the last export of a binding's space ended. */
export const exports = pgTable('exports', {
  bindingId: id('binding_id').primaryKey(),
  /** The revision of the space that was looked at. */
  revisionId: id('revision_id').notNull(),
  /** The commit of the bound branch that was live in the space then; null where none was. */
  baseOid: text('base_oid'),
  /**
   * `same`: nothing differs. `pushed`: on the branch. `proposed`: in a pull request that is open. `declined`: its pull
   * request was closed, so this revision is not proposed again. `failed`: see `error`; tried again.
   */
  outcome: text('outcome').$type<ExportOutcome>().notNull(),
  /** The branch of the pull request, and its number. */
  branch: text('branch'),
  pullNumber: integer('pull_number'),
  commitOid: text('commit_oid'),
  /** Why it could not be pushed, or failed, in a sentence; and the files that both sides changed. */
  error: text('error'),
  paths: jsonb('paths').$type<readonly string[]>().notNull(),
  /** When it and its branch were last seen to be the same: what was merged since is new. */
  sameSince: moment('same_since'),
  updatedAt: moment('updated_at').notNull().defaultNow(),
});

export type ExportOutcome = 'same' | 'pushed' | 'proposed' | 'declined' | 'failed';
