import { and, eq, ne } from 'drizzle-orm';
import type { Db } from './db.ts';
import type { StoredReport } from './reports.ts';
import { reportRuns, reports } from './schema/github.ts';

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
  const { told, annotations, name, directory, baseOid } = run;
  await db.transaction(async (tx) => {
    await tx
      .delete(reportRuns)
      .where(
        and(eq(reportRuns.reportId, run.reportId), eq(reportRuns.name, name), ne(reportRuns.id, run.id)),
      );
    await tx
      .insert(reportRuns)
      .values(run)
      .onConflictDoUpdate({ target: reportRuns.id, set: { told, annotations, name, directory, baseOid } });
  });
}

/** Forgets a check run of a report, or all where it is none of them. */
export async function forgetRuns(db: Db, reportId: string, runId: number | null): Promise<void> {
  const all = eq(reportRuns.reportId, reportId);
  if (runId !== null) {
    const gone = await db
      .delete(reportRuns)
      .where(and(all, eq(reportRuns.id, runId)))
      .returning({ id: reportRuns.id });
    if (gone.length > 0) return;
  }
  await db.delete(reportRuns).where(all);
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
