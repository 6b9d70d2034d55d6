import type { TreeEntry } from '../../content/index.ts';
import {
  type ChangeRequestRow,
  carryReviews,
  countIntroduced,
  type Db,
  loadRevision,
  lockChangeRequestForUpdate,
  type RevisionCounts,
  type RevisionOrigin,
  type RevisionRow,
  recordEdit,
  type SpaceRow,
  updateChangeRequest,
  updateRevisionCounts,
} from '../../store/index.ts';
import { followComments } from '../comments/follow-job.ts';
import type { PlatformDeps } from '../deps.ts';
import { deriveRevision } from '../revisions/derive-revision.ts';
import { loadContent } from '../revisions/load-content.ts';
import { createStoredReader } from '../revisions/read-stored.ts';
import { ContentMoved, writeRevision } from '../revisions/write-revision.ts';

export interface Proposal {
  readonly space: SpaceRow;
  readonly row: ChangeRequestRow;
  /** What the change request proposes so far. */
  readonly head: RevisionRow;
  readonly tree: readonly TreeEntry[];
  /** Bytes that are in no revision yet, but stored already. */
  readonly fresh?: ReadonlyMap<string, Uint8Array>;
  /** The revision of the space that it is compared with from now on. */
  readonly baseRevisionId: string;
  readonly type: 'edits' | 'update';
  /** The user whose changes they are; null when they are the space's. */
  readonly editor: string | null;
  /** Records the change in the audit log, in its transaction; called with the id of the new revision, if there is one. */
  readonly record?: (tx: Db, revisionId: string) => Promise<void>;
}

/**
 * Stores a tree as what a change request proposes. An unchanged tree creates no revision.
 *
 * @throws {ContentMoved} if another writer was first.
 */
export async function proposeContent(deps: PlatformDeps, proposal: Proposal): Promise<void> {
  const { space, row, head, tree, fresh, baseRevisionId, type, editor, record } = proposal;
  const content = await deriveRevision(deps, {
    space,
    base: head,
    tree,
    directory: head.directory,
    readBlobs: createStoredReader(deps, space.id, fresh === undefined ? {} : { fresh }),
    origin: head.origin as RevisionOrigin,
    becomesCurrent: false,
    draft: {
      head: await deps.deriver.contents.load(deps.db, head),
      base: (await loadContent(deps, space, row.baseRevisionId)).rows,
    },
  });
  const { entries } = content.derived.changes;
  const isSame = content.derived.unchanged && entries.removed.length === 0 && entries.added.length === 0;
  const written = await deps.db.transaction(async (tx) => {
    // The space is locked before the change request, here as in a merge.
    const revision = isSame
      ? null
      : await writeRevision(
          tx,
          {
            space,
            base: head,
            ...content,
            history: row.revisionId === row.baseRevisionId ? 'new' : 'same',
          },
          { type, directory: head.directory, format: content.format, origin: head.origin },
        );
    const locked = await lockChangeRequestForUpdate(tx, row.id);
    if (locked === null || locked.revisionId !== row.revisionId || locked.status === 'merged') {
      throw new ContentMoved('The change request was changed meanwhile.');
    }
    const isEdited = editor !== null && (revision !== null || type === 'update');
    await updateChangeRequest(tx, row.id, {
      baseRevisionId,
      ...(revision ? { revisionId: revision.id } : {}),
      ...(isEdited ? { editors: [...new Set([...locked.editors, editor])] } : {}),
    });
    if (isEdited) await recordEdit(tx, row.id, editor);
    // Also where a decision leaves the files as they are: what it takes from the space is new to the reviewers.
    if (type === 'update' && (isEdited || revision !== null))
      await carryReviews(tx, row.id, { from: row.revisionId, to: isEdited ? '' : (revision?.id ?? '') });
    if (revision === null) {
      if (isEdited) await record?.(tx, row.revisionId);
      return null;
    }
    await record?.(tx, revision.id);
    await followComments(deps, tx, space.id);
    const base = await loadRevision(tx, space.id, baseRevisionId);
    if (base === null) throw new Error(`Space ${space.id} has no revision ${baseRevisionId}.`);
    const introduced = await countIntroduced(tx, { spaceId: space.id, at: revision, pageId: null }, base);
    await updateRevisionCounts(tx, revision.id, { ...(revision.counts as RevisionCounts), introduced });
    return revision;
  });
  if (written) deps.deriver.contents.set({ ...written, commitOid: null }, content.derived.rows);
}
