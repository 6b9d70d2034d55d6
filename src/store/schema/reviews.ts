/** Tables of the review of change requests: who was asked for one, what they said, and who wrote what is reviewed. */
import { boolean, index, integer, pgTable, primaryKey, text, unique } from 'drizzle-orm/pg-core';
import { id, moment } from './columns.ts';
import { changeRequests } from './content.ts';
import { teams } from './people.ts';
import { users } from './platform.ts';

/** What somebody said about a change request. */
export const changeRequestReviews = pgTable(
  'change_request_reviews',
  {
    id: id('id').primaryKey(),
    changeRequestId: id('change_request_id')
      .notNull()
      .references(() => changeRequests.id, { onDelete: 'cascade' }),
    reviewerId: id('reviewer_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Who had requested it; null when nobody had. */
    requestedBy: id('requested_by').references(() => users.id, { onDelete: 'set null' }),
    /** `approved` or `changes-requested`. */
    status: text('status').notNull(),
    /** The revision that was reviewed; it may be deleted later. */
    revisionId: id('revision_id').notNull(),
    /**
     * The revision that the review holds for: the reviewed one, or what an update from the space alone made of it. Any
     * other change makes the review stale.
     */
    holdsFor: id('holds_for').notNull(),
    /** Whether the same reviewer reviewed again, or was requested to. */
    superseded: boolean('superseded').notNull().default(false),
    createdAt: moment('created_at').notNull().defaultNow(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (table) => [
    index('change_request_reviews_of_request').on(table.changeRequestId, table.createdAt, table.id),
    index('change_request_reviews_of_user').on(table.reviewerId),
  ],
);

/** Who was requested to review a change request and has not yet: a user or a team. */
export const requestedReviewers = pgTable(
  'requested_reviewers',
  {
    id: id('id').primaryKey(),
    changeRequestId: id('change_request_id')
      .notNull()
      .references(() => changeRequests.id, { onDelete: 'cascade' }),
    userId: id('user_id').references(() => users.id, { onDelete: 'cascade' }),
    teamId: id('team_id').references(() => teams.id, { onDelete: 'cascade' }),
    requestedBy: id('requested_by').references(() => users.id, { onDelete: 'set null' }),
    /** What the change request proposed then. */
    revisionId: id('revision_id').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [
    unique('requested_reviewers_once')
      .on(table.changeRequestId, table.userId, table.teamId)
      .nullsNotDistinct(),
    index('requested_reviewers_of_user').on(table.userId),
    index('requested_reviewers_of_team').on(table.teamId),
  ],
);

/** How often each editor changed what a change request proposes. */
export const changeRequestEdits = pgTable(
  'change_request_edits',
  {
    changeRequestId: id('change_request_id')
      .notNull()
      .references(() => changeRequests.id, { onDelete: 'cascade' }),
    userId: id('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    count: integer('count').notNull(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.changeRequestId, table.userId] })],
);
