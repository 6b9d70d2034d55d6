import { type SQL, sql } from 'drizzle-orm';
import { daysAgo } from './days-ago.ts';
import type { Db } from './db.ts';
import { retainedSince } from './retained-since.ts';
import { commentedPages, comments, notifications } from './schema/comments.ts';
import { changeRequests } from './schema/content.ts';
import { conversationIssues, conversations, issueClusters } from './schema/conversations.ts';
import { answers, callWindows, deliveries, pullChangeRequests, reports } from './schema/github.ts';
import {
  auditEvents,
  invites,
  mails,
  signInFailures,
  signInLinks,
  signInRequests,
  usedAssertions,
} from './schema/people.ts';
import { apiTokens, gitOperations, sessions, spaces } from './schema/platform.ts';
import { modelUsage, organizationModelUsage } from './schema/server.ts';
import { siteFeedback, sitePreviews, siteVisitorKeys } from './schema/sites.ts';
import { translationMemory } from './schema/translations.ts';
import { SESSION_DAYS } from './sessions.ts';
import { hasExpiredLongAgo } from './sign-in-requests.ts';
import { RESTORABLE_DAYS } from './space-kind.ts';
import { SERVICE_TOKEN_NAME } from './tokens.ts';

/** How long completed rows are retained, in days. `docs/operation.md` states the same. */
export const RETENTION_DAYS = {
  deliveries: 30,
  failedDeliveries: 90,
  reports: 180,
  gitOperations: 180,
  /** After they were revoked or expired. */
  endedTokens: 90,
  /** After they were revoked or expired. */
  endedInvites: 30,
  mails: 30,
  /** Unless `AUDIT_DAYS` says otherwise. */
  auditEvents: 730,
  /** After they were archived, or last changed. */
  archivedChangeRequests: 180,
  /** After they were merged. */
  mergedChangeRequests: 730,
  /** After the last page that had their text changed. */
  unneededTranslations: 180,
  /** The same for translations that a person wrote. */
  unneededCorrections: 730,
  /** After another key of the site signs. */
  replacedVisitorKeys: 30,
  siteFeedback: 365,
  /** After they were saved last: as long as their revisions. */
  sitePreviews: 30,
  notifications: 90,
  /** After their pull request was last seen open. */
  pullChangeRequests: 180,
  modelUsage: 90,
  /** After they came, or changed, last; unless `CONVERSATION_DAYS` says otherwise. */
  conversations: 365,
} as const;

/** The shortest retention of the audit log, in days; a trigger lets no younger event be deleted. */
export const MIN_AUDIT_DAYS = 30;

/** How much the payloads of completed deliveries take together, in bytes; beyond that, the oldest are emptied. */
export const PAYLOAD_BYTES = 256 * 1024 * 1024;

/** How many git operations of each space stay whatever their age: the newest shows what is live. */
const RETAINED_OPERATIONS = 100;

/** How much of what readers said each site keeps. */
const RETAINED_FEEDBACK = 10_000;

/** Rows of one statement: few enough that nobody waits for its locks. */
const BATCH = 1_000;

/** How many rows were deleted. */
export interface RemovedRows {
  readonly deliveries: number;
  readonly reports: number;
  readonly gitOperations: number;
  readonly tokens: number;
  readonly changeRequests: number;
  readonly translations: number;
}

/**
 * Deletes rows whose work was completed long ago: deliveries with their payloads, reports of pull requests, git
 * operations, revoked and expired tokens, sessions that are over, change requests that were archived or merged, and
 * translations of texts that are gone. What is not done, and what readers see, stays. Running it twice, or in two processes
 * at once, does no harm.
 */
export async function removeOldRows(
  db: Db,
  signal: AbortSignal,
  {
    auditDays = RETENTION_DAYS.auditEvents,
    conversationDays = RETENTION_DAYS.conversations,
  }: { readonly auditDays?: number; readonly conversationDays?: number } = {},
): Promise<RemovedRows> {
  await removeAll(
    db,
    signal,
    sql`delete from ${answers} where key in (
      select key from ${answers} where used_at < ${daysAgo(RETENTION_DAYS.deliveries)} limit ${BATCH})`,
  );
  // No rate of calls looks back as far as a day.
  await removeAll(
    db,
    signal,
    sql`delete from ${callWindows} where key in (
      select key from ${callWindows} where not exists (
        select from unnest(starts) as start where start > ${daysAgo(1)}) limit ${BATCH} for update skip locked)`,
  );
  await removeAll(
    db,
    signal,
    sql`delete from ${sessions} where id in (
      select id from ${sessions} where expires_at < now() or last_used_at < ${daysAgo(SESSION_DAYS.idle)} limit ${BATCH})`,
  );
  await removeSignInRows(db, signal, auditDays);
  await removeAll(
    db,
    signal,
    sql`delete from ${siteVisitorKeys} where id in (
      select id from ${siteVisitorKeys} where retired_at < ${daysAgo(RETENTION_DAYS.replacedVisitorKeys)}
      limit ${BATCH})`,
  );
  await removeAll(
    db,
    signal,
    sql`delete from ${siteFeedback} where id in (
      select id from (
        select id, created_at, row_number() over (partition by site_id order by created_at desc, id desc) as nth
        from ${siteFeedback}) as numbered
      where nth > ${RETAINED_FEEDBACK} or created_at < ${daysAgo(RETENTION_DAYS.siteFeedback)} limit ${BATCH})`,
  );
  await removeAll(
    db,
    signal,
    sql`delete from ${sitePreviews} where id in (
      select id from ${sitePreviews} where updated_at < ${daysAgo(RETENTION_DAYS.sitePreviews)} limit ${BATCH})`,
  );
  await removeAll(
    db,
    signal,
    sql`delete from ${modelUsage} where day in (
      select day from ${modelUsage} where day < ${daysAgo(RETENTION_DAYS.modelUsage)} limit ${BATCH})`,
  );
  await removeAll(
    db,
    signal,
    sql`delete from ${organizationModelUsage} where ctid = any(array(
      select ctid from ${organizationModelUsage}
      where day < ${daysAgo(RETENTION_DAYS.modelUsage)} limit ${BATCH}))`,
  );
  await removeCommentRows(db, signal);
  await removeAll(
    db,
    signal,
    sql`delete from ${conversations} where id in (
      select id from ${conversations} where ingested_at < ${daysAgo(conversationDays)} limit ${BATCH})`,
  );
  await removeAll(
    db,
    signal,
    sql`delete from ${issueClusters} where id in (
      select id from ${issueClusters} as c where (
        select count(*) from ${conversationIssues} as issue where issue.cluster_id = c.id) < 2 limit ${BATCH})`,
  );
  // A process of 0.1.0 beside this one creates tokens without an expiry.
  await db.execute(sql`
    update ${apiTokens} set expires_at = now() + interval '1 year'
    where expires_at is null and revoked_at is null and name <> ${SERVICE_TOKEN_NAME}`);
  return {
    deliveries: await removeAll(
      db,
      signal,
      sql`delete from ${deliveries} where id in (
        select id from ${deliveries} where received_at < ${daysAgo(RETENTION_DAYS.deliveries)} and (
          state in ('done', 'ignored', 'redelivered')
          or (state = 'failed' and received_at < ${daysAgo(RETENTION_DAYS.failedDeliveries)}))
        limit ${BATCH} for update skip locked)`,
    ),
    reports: await removeAll(
      db,
      signal,
      sql`delete from ${reports} where id in (
        select id from ${reports} where created_at < ${daysAgo(RETENTION_DAYS.reports)} limit ${BATCH})`,
    ),
    gitOperations: await removeAll(
      db,
      signal,
      sql`delete from ${gitOperations} where id in (
        select id from (
          select id, state, ended_at, row_number() over (partition by space_id order by sequence desc) as nth
          from ${gitOperations}) as numbered
        where nth > ${RETAINED_OPERATIONS} and state in ('success', 'failure', 'skipped')
          and ended_at < ${daysAgo(RETENTION_DAYS.gitOperations)}
        limit ${BATCH})`,
    ),
    tokens: await removeAll(
      db,
      signal,
      sql`delete from ${apiTokens} where id in (
        select id from ${apiTokens} where least(revoked_at, expires_at) < ${daysAgo(RETENTION_DAYS.endedTokens)} limit ${BATCH})`,
    ),
    // The newest of a space stays, since the next one counts up from its number.
    changeRequests: await removeAll(
      db,
      signal,
      sql`delete from ${changeRequests} where id in (
        select id from ${changeRequests} as old where (
          (status = 'archived'
            and ${retainedSince(sql`old.updated_at`)} < ${daysAgo(RETENTION_DAYS.archivedChangeRequests)})
          or (status = 'merged'
            and ${retainedSince(sql`old.merged_at`)} < ${daysAgo(RETENTION_DAYS.mergedChangeRequests)}))
          and exists (select from ${changeRequests} as newer
            where newer.space_id = old.space_id and newer.number > old.number)
        limit ${BATCH} for update of old skip locked)`,
    ),
    translations: await removeAll(
      db,
      signal,
      sql`delete from ${translationMemory} where (translation_id, key) in (
        select translation_id, key from ${translationMemory} where unneeded_since <
          case origin when 'person' then ${daysAgo(RETENTION_DAYS.unneededCorrections)}
            else ${daysAgo(RETENTION_DAYS.unneededTranslations)} end
        limit ${BATCH} for update skip locked)`,
    ),
  };
}

/**
 * Empties payloads of deliveries whose work is complete, while all of them take more than `maxBytes`: the oldest first,
 * those of failed ones last. The rows stay. Returns how many payloads were emptied.
 */
export async function removeLargePayloads(
  db: Db,
  signal: AbortSignal,
  maxBytes: number = PAYLOAD_BYTES,
): Promise<number> {
  return await removeAll(
    db,
    signal,
    // The condition stands outside, too: a delivery that is received again meanwhile has a new payload.
    sql`update ${deliveries} set payload = '' where state in ('done', 'ignored', 'failed') and payload <> '' and id in (
      select id from (
        select id, payload <> '' as is_stored, sum(octet_length(payload)) over (
          order by (state = 'failed') desc, received_at desc, id) as total
        from ${deliveries} where state in ('done', 'ignored', 'failed')) as summed
      where total > ${maxBytes} and is_stored limit ${BATCH})`,
  );
}

async function removeAll(db: Db, signal: AbortSignal, statement: SQL): Promise<number> {
  for (let removed = 0; ; ) {
    signal.throwIfAborted();
    const { rowCount } = await db.execute(statement);
    removed += rowCount ?? 0;
    if ((rowCount ?? 0) < BATCH) return removed;
  }
}

/**
 * Deletes the spaces that were marked deleted too long ago to be restored, with all their rows: content, history, change
 * requests, git operations. Each in a statement of its own, the oldest first, so that no lock is held for long. Returns
 * how many were deleted.
 */
export async function purgeSpaces(db: Db, signal: AbortSignal): Promise<number> {
  for (let purged = 0; ; purged++) {
    signal.throwIfAborted();
    const { rowCount } = await db.execute(sql`
      delete from ${spaces} where id in (
        select id from ${spaces} where deleted_at <= ${daysAgo(RESTORABLE_DAYS)}
        order by deleted_at limit 1 for update skip locked)`);
    if (rowCount === 0) return purged;
  }
}

/** Deletes comments of change requests that are gone, pages that no comment is about any more, and old notifications. */
async function removeCommentRows(db: Db, signal: AbortSignal): Promise<void> {
  for (const statement of [
    sql`delete from ${comments} where id in (
      select id from ${comments} where change_request_id is null and not in_space limit ${BATCH})`,
    sql`delete from ${commentedPages} where (space_id, scope, page_id) in (
      select space_id, scope, page_id from ${commentedPages} as page
      where page.checked_at < ${daysAgo(1)} and not exists (select from ${comments} as c
        where c.space_id = page.space_id and c.page_id = page.page_id and c.scope = page.scope)
      limit ${BATCH} for update skip locked)`,
    sql`delete from ${notifications} where id in (
      select id from ${notifications} where created_at < ${daysAgo(RETENTION_DAYS.notifications)} limit ${BATCH})`,
    // What is mirrored goes with its pull request; the comments stay on both sides.
    sql`delete from ${pullChangeRequests} where ctid = any(array(
      select ctid from ${pullChangeRequests}
      where seen_at < ${daysAgo(RETENTION_DAYS.pullChangeRequests)} limit ${BATCH}))`,
  ]) {
    await removeAll(db, signal, statement);
  }
}

/** Deletes what signing in leaves behind, and what says who did what, once it is old enough. */
async function removeSignInRows(db: Db, signal: AbortSignal, auditDays: number): Promise<void> {
  for (const statement of [
    sql`delete from ${signInLinks} where hash in (
      select hash from ${signInLinks} where expires_at < ${daysAgo(1)} limit ${BATCH})`,
    sql`delete from ${signInRequests} where hash in (
      select hash from ${signInRequests} where ${hasExpiredLongAgo()}
        or (tested_by is not null and created_at < now() - interval '1 hour') limit ${BATCH})`,
    sql`delete from ${usedAssertions} where (provider_id, assertion_id) in (
      select provider_id, assertion_id from ${usedAssertions} where expires_at < now() limit ${BATCH})`,
    sql`delete from ${signInFailures} where key in (
      select key from ${signInFailures} where last_at < ${daysAgo(1)} limit ${BATCH})`,
    sql`delete from ${invites} where id in (
      select id from ${invites} where least(revoked_at, expires_at) < ${daysAgo(RETENTION_DAYS.endedInvites)} limit ${BATCH})`,
    sql`delete from ${mails} where id in (
      select id from ${mails} where created_at < ${daysAgo(RETENTION_DAYS.mails)} limit ${BATCH})`,
    sql`delete from ${auditEvents} where id in (
      select id from ${auditEvents} where at < ${daysAgo(auditDays)} limit ${BATCH})`,
  ]) {
    await removeAll(db, signal, statement);
  }
}
