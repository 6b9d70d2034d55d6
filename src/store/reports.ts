import { and, asc, eq, lt, ne, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import { reports } from './schema/github.ts';

export type StoredReport = typeof reports.$inferSelect;

/** What was checked in a pull request; each kind has a report and a check run of its own. */
export type ReportKind = StoredReport['kind'];

/** The conclusion of a report that is not complete. */
export const IN_PROGRESS = 'in_progress';

export interface NewReport {
  /** The id of the report if it is inserted. */
  readonly id: string;
  readonly kind: ReportKind;
  readonly repositoryId: number;
  readonly repository: string;
  readonly pullNumber: number;
  readonly headOid: string;
  readonly baseOid: string;
}

/**
 * The report of a pull request's head, inserted when absent. When the base has changed (the pull request was retargeted to
 * another branch), the report starts anew with another check run.
 */
export async function reserveReport(db: Db, newReport: NewReport): Promise<StoredReport> {
  const fresh = { baseOid: newReport.baseOid, conclusion: IN_PROGRESS, report: {} };
  const ofHead = [reports.repositoryId, reports.pullNumber, reports.headOid, reports.kind];
  await db
    .insert(reports)
    .values({ ...newReport, ...fresh })
    .onConflictDoUpdate({ target: ofHead, set: fresh, setWhere: ne(reports.baseOid, newReport.baseOid) });
  const [row] = await db
    .select()
    .from(reports)
    .where(
      and(
        eq(reports.repositoryId, newReport.repositoryId),
        eq(reports.pullNumber, newReport.pullNumber),
        eq(reports.headOid, newReport.headOid),
        eq(reports.kind, newReport.kind),
      ),
    );
  if (row === undefined) throw new Error('The database returned no row for a report that it stored.');
  return row;
}

export async function saveReport(db: Db, reportId: string, report: unknown): Promise<void> {
  await db.update(reports).set({ report, createdAt: sql`now()` }).where(eq(reports.id, reportId));
}

/** Records the conclusion of the completed check run. */
export async function concludeReport(db: Db, reportId: string, conclusion: string): Promise<void> {
  await db.update(reports).set({ conclusion }).where(eq(reports.id, reportId));
}

export async function loadReport(db: Db, reportId: string): Promise<StoredReport | null> {
  const [row] = await db.select().from(reports).where(eq(reports.id, reportId));
  return row ?? null;
}

/** The reports of a pull request whose check runs are not completed. */
export async function listUnfinishedReports(
  db: Db,
  pull: Pick<NewReport, 'repositoryId' | 'pullNumber' | 'kind'>,
): Promise<readonly StoredReport[]> {
  return await db
    .select()
    .from(reports)
    .where(
      and(
        eq(reports.repositoryId, pull.repositoryId),
        eq(reports.pullNumber, pull.pullNumber),
        eq(reports.kind, pull.kind),
        eq(reports.conclusion, IN_PROGRESS),
      ),
    );
}

/** Pull requests with a check run that has been in progress for longer than `olderThanMs`, the oldest first. */
export async function listStuckPulls(
  db: Db,
  { olderThanMs, limit }: { readonly olderThanMs: number; readonly limit: number },
): Promise<readonly Pick<StoredReport, 'repositoryId' | 'repository' | 'pullNumber'>[]> {
  const rows = await db
    .select({
      repositoryId: reports.repositoryId,
      repository: reports.repository,
      pullNumber: reports.pullNumber,
    })
    .from(reports)
    .where(
      and(
        eq(reports.conclusion, IN_PROGRESS),
        lt(reports.createdAt, sql`now() - ${olderThanMs} * interval '1 ms'`),
      ),
    )
    .orderBy(asc(reports.createdAt))
    .limit(limit);
  return [...new Map(rows.map((row) => [`${row.repositoryId}/${row.pullNumber}`, row])).values()];
}

/** Whether a pull request has a report of a kind, for any head. */
export async function hasReport(
  db: Db,
  { repositoryId, pullNumber, kind }: Pick<NewReport, 'repositoryId' | 'pullNumber' | 'kind'>,
): Promise<boolean> {
  const [row] = await db
    .select({ id: reports.id })
    .from(reports)
    .where(
      and(eq(reports.repositoryId, repositoryId), eq(reports.pullNumber, pullNumber), eq(reports.kind, kind)),
    )
    .limit(1);
  return row !== undefined;
}

/** The reports of a kind about a commit; at most 100. */
export async function findReports(
  db: Db,
  { repositoryId, headOid, kind }: Pick<NewReport, 'repositoryId' | 'headOid' | 'kind'>,
): Promise<readonly StoredReport[]> {
  return await db
    .select()
    .from(reports)
    .where(and(eq(reports.repositoryId, repositoryId), eq(reports.headOid, headOid), eq(reports.kind, kind)))
    .limit(100);
}

/** Restarts a completed report with another check run, once for each delivery that requests it. Null when nothing changed. */
export async function restartReport(
  db: Db,
  reportId: string,
  delivery: string,
): Promise<StoredReport | null> {
  const [row] = await db
    .update(reports)
    .set({ rerunBy: delivery, conclusion: IN_PROGRESS, report: {} })
    .where(
      and(
        eq(reports.id, reportId),
        ne(reports.conclusion, IN_PROGRESS),
        sql`${reports.rerunBy} is distinct from ${delivery}`,
      ),
    )
    .returning();
  return row ?? null;
}
