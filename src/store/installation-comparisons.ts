/** Which installations are compared with GitHub: requested by one process, shared by all. */
import { and, eq, inArray, notInArray, type SQL, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import { newId } from './new-id.ts';
import { deliveries, installationComparisons } from './schema/github.ts';

/** An installation that this process compares. */
export interface ClaimedComparison {
  readonly installationId: number;
  /** Names this claim: what another process claimed since is not this one's any more. */
  readonly claim: string;
  readonly listedAt: Date | null;
  /** Whether GitHub could not deliver webhooks of it since it was compared last. */
  readonly isMissed: boolean;
  readonly comparedAt: Date | null;
  /** The last repository that a process compared which did not come to the end; null at the beginning. */
  readonly afterRepository: number | null;
}

/** Requests a comparison of these installations, and forgets all others. */
export async function requestComparisons(db: Db, installationIds: readonly number[]): Promise<void> {
  const ids = sql`(select unnest(${sql.param([...installationIds])}::bigint[]))`;
  await db.delete(installationComparisons).where(notInArray(installationComparisons.installationId, ids));
  await db.execute(sql`
    insert into ${installationComparisons} (installation_id, requested_at)
    select id, now() from ${ids} as listed(id)
    on conflict (installation_id) do update set requested_at = now()`);
}

/** Records that webhooks of these installations were missed: they are compared first, and their repositories listed again. */
export async function recordMissed(db: Db, installationIds: readonly number[]): Promise<void> {
  if (installationIds.length === 0) return;
  await db
    .update(installationComparisons)
    .set({ missedAt: sql`coalesce(${installationComparisons.missedAt}, now())` })
    .where(inArray(installationComparisons.installationId, [...installationIds]));
}

/**
 * Claims an installation whose comparison is due for `holdMs`: those with missed webhooks first, then those that were not
 * compared for longest. Null when none is due that no other process holds.
 */
export async function claimComparison(db: Db, holdMs: number): Promise<ClaimedComparison | null> {
  const claim = newId();
  const { rows } = await db.execute<
    Record<'installation_id' | 'listed_at' | 'missed_at' | 'compared_at' | 'after', string | null>
  >(sql`
    update ${installationComparisons} set
      claim = ${claim}, claimed_until = now() + ${holdMs} * interval '1 ms', settled_at = requested_at
    where installation_id = (
      select installation_id from ${installationComparisons}
      where (claim is null and requested_at > coalesce(settled_at, '-infinity')) or claimed_until < now()
      order by missed_at nulls last, compared_at nulls first, installation_id
      limit 1 for update skip locked)
    returning installation_id, listed_at, missed_at, compared_at, after_repository as after`);
  const [row] = rows;
  if (row === undefined) return null;
  const dateOf = (moment: string | null) => (moment === null ? null : new Date(moment));
  return {
    installationId: Number(row.installation_id),
    claim,
    listedAt: dateOf(row.listed_at),
    isMissed: row.missed_at !== null,
    comparedAt: dateOf(row.compared_at),
    afterRepository: row.after === null ? null : Number(row.after),
  };
}

/** Holds a claim for longer, and records what was done. False where another process has claimed the installation since. */
export async function renewComparison(
  db: Db,
  { installationId, claim }: ClaimedComparison,
  holdMs: number,
  progress: { readonly isListed?: true; readonly afterRepository?: number } = {},
): Promise<boolean> {
  const { isListed, ...done } = progress;
  const rows = await db
    .update(installationComparisons)
    .set({
      claimedUntil: sql`now() + ${holdMs} * interval '1 ms'`,
      ...(isListed && { listedAt: sql`now()` }),
      ...done,
    })
    .where(isHeld(installationId, claim))
    .returning({ id: installationComparisons.installationId });
  return rows.length > 0;
}

/**
 * Gives a claim back. What failed is tried again from where it stopped when it is requested next; what was stopped, by
 * whichever process comes first.
 */
export async function releaseComparison(
  db: Db,
  { installationId, claim }: ClaimedComparison,
  outcome: 'complete' | 'failed' | 'stopped',
): Promise<void> {
  const { settledAt, missedAt } = installationComparisons;
  await db
    .update(installationComparisons)
    .set({
      claim: null,
      claimedUntil: null,
      ...(outcome === 'stopped' ? { settledAt: null } : {}),
      ...(outcome === 'complete'
        ? {
            comparedAt: sql`${settledAt}`,
            afterRepository: null,
            missedAt: sql`case when ${missedAt} > ${settledAt} then ${missedAt} end`,
          }
        : {}),
    })
    .where(isHeld(installationId, claim));
}

/** Whether every installation was compared since its comparison was last requested. */
export async function areComparisonsComplete(db: Db): Promise<boolean> {
  const open = await db
    .select({ id: installationComparisons.installationId })
    .from(installationComparisons)
    .where(
      sql`${installationComparisons.comparedAt} is null or ${installationComparisons.comparedAt} < ${installationComparisons.requestedAt}`,
    )
    .limit(1);
  return open.length === 0;
}

/** The repositories of an installation whose webhooks GitHub could not deliver since a moment; at most 1,000. */
export async function listMissedRepositories(
  db: Db,
  installationId: number,
  since: Date,
): Promise<readonly number[]> {
  const rows = await db
    .selectDistinct({ id: deliveries.repositoryId })
    .from(deliveries)
    .where(
      and(
        sql`${deliveries.receivedAt} >= ${since}`,
        eq(deliveries.installationId, installationId),
        inArray(deliveries.state, ['failed', 'redelivered']),
      ),
    )
    .limit(1_000);
  return rows.flatMap(({ id }) => id ?? []);
}

/** Forgets all: they are of no use to another GitHub App. */
export async function deleteComparisons(db: Db): Promise<void> {
  await db.delete(installationComparisons);
}

function isHeld(installationId: number, claim: string): SQL | undefined {
  return and(
    eq(installationComparisons.installationId, installationId),
    eq(installationComparisons.claim, claim),
  );
}
