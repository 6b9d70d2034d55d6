import {
  applyChanges,
  type Db,
  lockSpaceForUpdate,
  moveRevisionCommit,
  type RevisionCounts,
  type RevisionRow,
  refreshStatistics,
  type SpaceRow,
  showRevision,
  succeedOperation,
  updateRevisionNotices,
} from '../../store/index.ts';
import { followComments } from '../comments/follow-job.ts';
import type { DerivedRevision } from '../revisions/derive-revision.ts';
import { ContentMoved, writeRevision } from '../revisions/write-revision.ts';
import { gitSyncOf } from './git-sync.ts';
import { TakenOver } from './operation-failure.ts';
import type { OperationContext } from './record-progress.ts';
import { commitFields, type SourceCommit, toRevisionOrigin } from './source-commit.ts';
import type { StoredImport } from './stored-request.ts';

/** The result of a run, and the space that it is for. */
export interface Outcome {
  readonly space: SpaceRow;
  /** The current content; for a standalone import the revision that it is based on. */
  readonly current: RevisionRow;
  readonly source: SourceCommit;
  readonly content: DerivedRevision;
  /** The revision of the branch's own content, if edits were merged with it; null if the outcome is the branch's content. */
  readonly syncedRevisionId?: string | null;
  /** How many lost files and pages were fetched again; 0 when absent. */
  readonly restored?: number;
}

/** Writes the revision, shows it (unless it is standalone) and completes the operation, in one transaction. */
export async function publishRevision(context: OperationContext, outcome: Outcome): Promise<void> {
  const { run, deps } = context;
  const { space, current, source, content, syncedRevisionId = null, restored = 0 } = outcome;
  const written = await deps.db.transaction(async (tx) => {
    const revision = await writeRevision(
      tx,
      { space, base: current, ...content, history: run.standalone ? 'new' : 'same' },
      {
        ...factsOf(context, outcome),
        standalone: run.standalone,
        ...(syncedRevisionId === null ? {} : { type: 'merge', parents: [current.id, syncedRevisionId] }),
      },
    );
    await completeOperation(tx, context, {
      revisionId: revision.id,
      commitOid: source.oid,
      unchanged: false,
      message: `${describe(content.derived.counts)}${describeRestored(restored)}`,
    });
    if (!run.standalone) {
      await followComments(deps, tx, space.id);
      await showToReaders(tx, context, {
        space,
        current,
        revisionId: revision.id,
        syncedRevisionId: syncedRevisionId ?? revision.id,
      });
    }
    return revision;
  });
  deps.deriver.contents.set({ ...written, commitOid: source.oid }, content.derived.rows);
  // The revision is written already, so a failure here must not fail the operation.
  await refreshStatistics(deps.db, content.derived.changes).catch((error: unknown) => {
    deps.log.warn({ err: error }, 'The statistics of the database were not refreshed.');
  });
}

/** Writes the branch's own content as a revision that readers do not see. The operation continues. */
export async function writeBranchRevision(
  context: OperationContext,
  outcome: Outcome,
): Promise<{ readonly id: string }> {
  const { space, current, content } = outcome;
  return await context.deps.db.transaction((tx) =>
    writeRevision(
      tx,
      { space, base: current, ...content, history: 'new' },
      { ...factsOf(context, outcome), standalone: true },
    ),
  );
}

function factsOf({ run }: OperationContext, { content, source }: Outcome) {
  const request = run.request as StoredImport;
  return {
    type: 'edits',
    directory: request.directory,
    format: content.format,
    origin: toRevisionOrigin(request, run.ref),
    ...commitFields(source),
  };
}

/**
 * For content that is already current: only its commit changes and, if `content` is passed, the files that readers do
 * not see.
 */
export async function publishUnchanged(
  context: OperationContext,
  {
    space,
    current,
    source,
    content,
    syncedRevisionId,
    restored = 0,
  }: Omit<Outcome, 'content'> & { readonly content?: DerivedRevision },
): Promise<void> {
  const { run, deps } = context;
  await deps.db.transaction(async (tx) => {
    const locked = await lockSpaceForUpdate(tx, space.id);
    if (locked === null || locked.idsVersion !== space.idsVersion)
      throw new ContentMoved('Ids were assigned meanwhile.');
    await completeOperation(tx, context, {
      revisionId: current.id,
      commitOid: source.oid,
      unchanged: true,
      message: `The content is the same as before, so no new revision was needed.${describeRestored(restored)}`,
    });
    if (run.standalone) return;
    if (content) {
      await applyChanges(tx, space.id, current, content.derived.changes);
      await updateRevisionNotices(tx, current.id, content.notices);
    }
    await moveRevisionCommit(tx, current.id, {
      ...commitFields(source),
      createdByService: current.createdByService && current.commitOid === source.oid,
    });
    await showToReaders(tx, context, {
      space,
      current,
      revisionId: current.id,
      ...(syncedRevisionId == null ? {} : { syncedRevisionId }),
    });
  });
  if (content) deps.deriver.contents.set({ ...current, commitOid: source.oid }, content.derived.rows);
}

async function completeOperation(
  tx: Db,
  { run }: OperationContext,
  result: Parameters<typeof succeedOperation>[2],
): Promise<void> {
  // This comes first, because it locks the operation: a run that was taken over writes nothing.
  if (!(await succeedOperation(tx, run, result))) throw new TakenOver('Another run took over.');
}

async function showToReaders(
  tx: Db,
  { run }: OperationContext,
  result: {
    readonly space: SpaceRow;
    readonly current: RevisionRow;
    readonly revisionId: string;
    readonly syncedRevisionId?: string;
  },
): Promise<void> {
  const { space, current, revisionId, syncedRevisionId } = result;
  const locked = await lockSpaceForUpdate(tx, space.id);
  if (locked?.revisionId !== current.id) throw new ContentMoved('The content was changed meanwhile.');
  const request = run.request as StoredImport;
  const gitSync = gitSyncOf(request);
  await showRevision(tx, space.id, {
    revisionId,
    gitSync,
    ...(syncedRevisionId === undefined ? {} : { syncedRevisionId }),
  });
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function describeRestored(count: number): string {
  if (count === 0) return '';
  return ` The bytes of ${plural(count, 'file')} that were lost on this server were fetched again.`;
}

function describe(counts: RevisionCounts): string {
  return `Imported ${plural(counts.pages, 'page')} and ${plural(counts.files, 'file')} with ${plural(counts.links, 'link')}, ${counts.broken} of them broken.`;
}
