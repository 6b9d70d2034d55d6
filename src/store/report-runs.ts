import { and, eq, ne } from 'drizzle-orm';
import type { Db } from './db.ts';
import type { StoredReport } from './reports.ts';
import { type RunVerdict, reportRuns, reports } from './schema/github.ts';

export type { RunAction, RunVerdict } from './schema/github.ts';

/** A check run that tells a report, of the whole or of one space. */
export type ReportRun = typeof reportRuns.$inferSelect;

/** The check runs of a report that were made against its base, in order of name. */
export async function listRuns(
  db: Db,
  { id, baseOid }: Pick<StoredReport, 'id' | 'baseOid'>,
): Promise<readonly ReportRun[]> {
  return await db
    .select()
    .from(reportRuns)
    .where(and(eq(reportRuns.reportId, id), eq(reportRuns.baseOid, baseOid)))
    .orderBy(reportRuns.name);
}

/** Notes a check run as it is now. It takes the place of an older one of the same name. */
export async function saveRun(db: Db, run: ReportRun): Promise<void> {
  const { verdictDigest, verdict, annotations, name, directory, baseOid } = run;
  await db.transaction(async (tx) => {
    await tx
      .delete(reportRuns)
      .where(
        and(eq(reportRuns.reportId, run.reportId), eq(reportRuns.name, name), ne(reportRuns.id, run.id)),
      );
    await tx.insert(reportRuns).values(run).onConflictDoUpdate({
      target: reportRuns.id,
      set: { verdictDigest, verdict, annotations, name, directory, baseOid },
    });
  });
}

/** Keeps what a check run says now, if it is known still. */
export async function saveVerdict(db: Db, runId: number, verdict: RunVerdict): Promise<void> {
  await db.update(reportRuns).set({ verdict }).where(eq(reportRuns.id, runId));
}

/** Forgets a check run of a report; all for null. */
export async function deleteReportRuns(db: Db, reportId: string, runId: number | null): Promise<void> {
  await db
    .delete(reportRuns)
    .where(and(eq(reportRuns.reportId, reportId), runId === null ? undefined : eq(reportRuns.id, runId)));
}

/** The report that a check run tells, and of which space; null when it is none of ours, or another took its place. */
export async function findReportOfRun(
  db: Db,
  repositoryId: number,
  runId: number,
): Promise<{ readonly report: StoredReport; readonly run: ReportRun } | null> {
  const [row] = await db
    .select({ report: reports, run: reportRuns })
    .from(reportRuns)
    .innerJoin(reports, eq(reports.id, reportRuns.reportId))
    .where(and(eq(reportRuns.id, runId), eq(reports.repositoryId, repositoryId)));
  return row ?? null;
}
