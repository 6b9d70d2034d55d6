import { and, count, desc, eq, gt, inArray, isNotNull, lt, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import type { Notices, RevisionCounts } from './revisions.ts';
import { revisions } from './schema/content.ts';
import { gitOperations } from './schema/platform.ts';
import { textRows } from './text-rows.ts';

export type GitOperationRow = typeof gitOperations.$inferSelect;

export interface OperationError {
  readonly code: string;
  readonly message: string;
  readonly path?: string;
  readonly line?: number;
  /** All files that prevent the operation. */
  readonly paths?: readonly string[];
}

export async function insertGitOperation(
  db: Db,
  operation: Pick<
    typeof gitOperations.$inferInsert,
    'id' | 'spaceId' | 'direction' | 'request' | 'sealedCredentials' | 'timestamp' | 'ref' | 'standalone'
  >,
): Promise<void> {
  await db.insert(gitOperations).values({ ...operation, state: 'pending' });
}

/** The open operations of a space, in the order of their events; at most 1,000. */
export async function loadOpenOperations(db: Db, spaceId: string): Promise<readonly GitOperationRow[]> {
  return await db
    .select()
    .from(gitOperations)
    .where(and(eq(gitOperations.spaceId, spaceId), isOpen()))
    .orderBy(gitOperations.timestamp, gitOperations.sequence)
    .limit(1_000);
}

/** The spaces that have open operations. */
export async function listSpacesWithOpenOperations(db: Db): Promise<readonly string[]> {
  const rows = await db
    .selectDistinct({ spaceId: gitOperations.spaceId })
    .from(gitOperations)
    .where(isOpen());
  return rows.map((row) => row.spaceId);
}

/** Whether one of the spaces has an open operation. */
export async function hasOpenOperations(db: Db, spaceIds: readonly string[]): Promise<boolean> {
  const rows = await db
    .select({ id: gitOperations.id })
    .from(gitOperations)
    .where(and(sql`${gitOperations.spaceId} in ${textRows(spaceIds)}`, isOpen()))
    .limit(1);
  return rows.length > 0;
}

/** The newest of the operations that were executed with one result for one source: a directory of a branch of a repository. */
export interface ExecutedOperation {
  readonly direction: string;
  readonly state: string;
  readonly url: string;
  readonly ref: string;
  readonly directory: string;
  readonly timestamp: Date;
}

/** What was executed for a space's content, successfully or not, of events that are newer than a time. */
export async function listExecutedSince(
  db: Db,
  spaceId: string,
  since: Date,
): Promise<readonly ExecutedOperation[]> {
  const source = {
    direction: gitOperations.direction,
    state: gitOperations.state,
    ref: gitOperations.ref,
    url: sql<string>`${gitOperations.request} ->> 'url'`,
    directory: sql<string>`${gitOperations.request} ->> 'directory'`,
  };
  return await db
    .select({ ...source, timestamp: sql`max(${gitOperations.timestamp})`.mapWith(gitOperations.timestamp) })
    .from(gitOperations)
    .where(
      and(
        eq(gitOperations.spaceId, spaceId),
        gt(gitOperations.timestamp, since),
        sql`${gitOperations.state} in ('success', 'failure')`,
        sql`not ${gitOperations.standalone}`,
      ),
    )
    .groupBy(...Object.values(source));
}

/** The revision that was last exported to a branch; null when none was. It may have been deleted since. */
export async function loadLastExported(db: Db, spaceId: string, ref: string): Promise<string | null> {
  const [row] = await db
    .select({ revisionId: gitOperations.revisionId })
    .from(gitOperations)
    .where(
      and(
        eq(gitOperations.spaceId, spaceId),
        eq(gitOperations.direction, 'export'),
        eq(gitOperations.ref, ref),
        eq(gitOperations.state, 'success'),
        isNotNull(gitOperations.revisionId),
      ),
    )
    .orderBy(desc(gitOperations.sequence))
    .limit(1);
  return row?.revisionId ?? null;
}

/** Starts another run of an open operation. Null when the operation is complete by now. */
export async function beginOperation(db: Db, id: string): Promise<GitOperationRow | null> {
  const [row] = await db
    .update(gitOperations)
    .set({
      state: 'running',
      attempts: sql`${gitOperations.attempts} + 1`,
      startedAt: sql`coalesce(${gitOperations.startedAt}, now())`,
      stage: 'repo_fetch',
      progress: null,
    })
    .where(and(eq(gitOperations.id, id), isOpen()))
    .returning();
  return row ?? null;
}

export type OperationRun = Pick<GitOperationRow, 'id' | 'attempts'>;

/** Records the progress of a run. Returns false when another run has superseded it. */
export async function updateOperationProgress(
  db: Db,
  run: OperationRun,
  progress: Partial<Pick<GitOperationRow, 'stage' | 'progress' | 'commitOid'>>,
): Promise<boolean> {
  const rows = await db
    .update(gitOperations)
    .set(progress)
    .where(ownedBy(run))
    .returning({ id: gitOperations.id });
  return rows.length > 0;
}

/** Completes a run successfully. Returns false, and changes nothing, when another run has superseded it: its result is void. */
export async function succeedOperation(
  db: Db,
  run: OperationRun,
  result: Pick<GitOperationRow, 'revisionId' | 'commitOid' | 'message' | 'unchanged'>,
): Promise<boolean> {
  return await completeRun(db, run, { ...result, state: 'success', stage: 'finalize', error: null });
}

/** Completes a run as failed, without a retry. */
export async function failOperation(db: Db, run: OperationRun, error: OperationError): Promise<boolean> {
  return await completeRun(db, run, { state: 'failure', error, message: error.message });
}

async function completeRun(db: Db, run: OperationRun, result: Partial<GitOperationRow>): Promise<boolean> {
  const rows = await db
    .update(gitOperations)
    .set({ ...result, progress: null, sealedCredentials: null, notBefore: null, endedAt: sql`now()` })
    .where(ownedBy(run))
    .returning({ id: gitOperations.id });
  return rows.length > 0;
}

/** Records a temporary error: the operation stays `running` with this error until its next run. */
export async function postponeOperation(
  db: Db,
  run: OperationRun,
  options: { readonly error: OperationError; readonly delaySeconds: number },
): Promise<boolean> {
  const rows = await db
    .update(gitOperations)
    .set({
      error: options.error,
      failures: sql`${gitOperations.failures} + 1`,
      notBefore: sql`now() + make_interval(secs => ${options.delaySeconds})`,
      progress: null,
    })
    .where(ownedBy(run))
    .returning({ id: gitOperations.id });
  return rows.length > 0;
}

/** Completes open operations that are not needed any more. */
export async function skipOperations(db: Db, ids: readonly string[], message: string): Promise<void> {
  if (ids.length === 0) return;
  await db
    .update(gitOperations)
    .set({
      state: 'skipped',
      message,
      error: null,
      progress: null,
      sealedCredentials: null,
      endedAt: sql`now()`,
    })
    .where(and(inArray(gitOperations.id, [...ids]), isOpen()));
}

/** An operation with facts about the revision that it wrote. */
export interface ListedOperation {
  readonly operation: GitOperationRow;
  readonly counts: RevisionCounts | null;
  readonly notices: Notices | null;
}

/** The number of operations of a space, and those before `before`, newest first. */
export async function listGitOperations(
  db: Db,
  spaceId: string,
  options: { readonly before: number | null; readonly limit: number },
): Promise<{
  readonly count: number;
  readonly rows: readonly ListedOperation[];
}> {
  const ofSpace = eq(gitOperations.spaceId, spaceId);
  const [total] = await db.select({ count: count() }).from(gitOperations).where(ofSpace);
  const rows = await db
    .select({ operation: gitOperations, counts: revisions.counts, notices: revisions.notices })
    .from(gitOperations)
    .leftJoin(revisions, eq(revisions.id, gitOperations.revisionId))
    .where(and(ofSpace, options.before === null ? undefined : lt(gitOperations.sequence, options.before)))
    .orderBy(desc(gitOperations.sequence))
    .limit(options.limit);
  return {
    count: total?.count ?? 0,
    rows: rows.map((row) => ({
      operation: row.operation,
      counts: row.counts as RevisionCounts | null,
      notices: row.notices as Notices | null,
    })),
  };
}

/** Not complete. */
function isOpen() {
  return sql`${gitOperations.state} in ('pending', 'running')`;
}

function ownedBy(run: OperationRun) {
  return and(
    eq(gitOperations.id, run.id),
    eq(gitOperations.attempts, run.attempts),
    eq(gitOperations.state, 'running'),
  );
}
