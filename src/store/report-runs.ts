import { and, eq, ne } from 'drizzle-orm';
import type { Db } from './db.ts';
import type { StoredReport } from './reports.ts';
import { type RunVerdict, reportRuns, reports } from './schema/github.ts';

export type { RunAction, RunVerdict } from './schema/github.ts';

/** A check run that shows a report, all of it or the part of one space. */
export type ReportRun = typeof reportRuns.$inferSelect;

/** The check runs of a report that were created for its base, in order of name. */
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

/** Stores a check run, in place of an older one of the same name. */
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

/** Stores the verdict of a check run, if that is still known. */
export async function saveVerdict(db: Db, runId: number, verdict: RunVerdict): Promise<void> {
  await db.update(reportRuns).set({ verdict }).where(eq(reportRuns.id, runId));
}

/** Deletes a check run of a report; all of them for null. */
export async function deleteReportRuns(db: Db, reportId: string, runId: number | null): Promise<void> {
  await db
    .delete(reportRuns)
    .where(and(eq(reportRuns.reportId, reportId), runId === null ? undefined : eq(reportRuns.id, runId)));
}

/** A check run with its report; null when it is not ours, or was replaced by another. */
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
