import type { Resolution } from '../../contract/index.ts';
import {
  type ChangeRequestRow,
  carryReviews,
  listOpenCommentsInSpace,
  loadChangeRequest,
  loadSpace,
  lockChangeRequestForUpdate,
  lockSpaceForUpdate,
  type RevisionOrigin,
  type SpaceRow,
  setRevision,
  updateChangeRequest,
  upsertTexts,
} from '../../store/index.ts';
import type { Caller } from '../access/caller.ts';
import { ApiError, notFound } from '../api/api-error.ts';
import { followComments } from '../comments/follow-job.ts';
import type { PlatformDeps } from '../deps.ts';
import { deriveRevision, toTreeMap } from '../revisions/derive-revision.ts';
import { loadContent } from '../revisions/load-content.ts';
import { mergeTrees } from '../revisions/merge-trees.ts';
import { createStoredReader } from '../revisions/read-stored.ts';
import { ContentMoved, writeRevision } from '../revisions/write-revision.ts';
import { enforceMergeRules } from './enforce-merge-rules.ts';
import type { MergeSides } from './find-conflicts.ts';
import { proposeContent } from './propose-content.ts';
import { recordChangeRequest } from './record-change-request.ts';
import { requireUnmerged } from './require-unmerged.ts';
import { resolveConflicts } from './resolve-conflicts.ts';

/** Merges a change request into the current content of its space. */
export async function mergeChangeRequest(
  deps: PlatformDeps,
  spaceId: string,
  changeRequestId: string,
  caller: Caller,
): Promise<void> {
  const userId = caller.user.id;
  const { space, row, base, current, head } = await loadSides(deps, spaceId, changeRequestId);
  if (space.editMode === 'locked') {
    throw new ApiError(
      'space-locked',
      'The space is locked, so nothing is merged; set its editMode to live first.',
    );
  }
  await enforceMergeRules(deps.db, space, { row, userId });
  if (head.revision.id === base.revision.id) {
    throw new ApiError(
      'nothing-to-change',
      `Change request ${row.number} proposes no change, so there is nothing to merge.`,
    );
  }
  const merged = mergeTrees(toTreeMap(base.rows), toTreeMap(current.rows), toTreeMap(head.rows));
  refuseConflicts(merged.conflicts);
  const content = await deriveRevision(deps, {
    space,
    base: current.revision,
    tree: [...merged.tree.values()],
    directory: current.revision.directory,
    readBlobs: createStoredReader(deps, space.id),
    origin: current.revision.origin as RevisionOrigin,
    becomesCurrent: true,
    draft: { head: head.rows, base: base.rows },
  });
  const written = await deps.db.transaction(async (tx) => {
    const revision = await writeRevision(
      tx,
      { space, base: current.revision, ...content, history: 'same' },
      {
        type: 'merge',
        parents: [current.revision.id, head.revision.id],
        directory: current.revision.directory,
        format: content.format,
        origin: current.revision.origin,
      },
    );
    if ((await lockSpaceForUpdate(tx, space.id))?.revisionId !== current.revision.id) {
      throw new ContentMoved('The content of the space was changed meanwhile.');
    }
    const locked = await lockChangeRequestForUpdate(tx, row.id);
    if (locked === null || locked.revisionId !== row.revisionId || locked.status !== row.status) {
      throw new ContentMoved('The change request was changed meanwhile.');
    }
    await setRevision(tx, space.id, revision.id);
    await listOpenCommentsInSpace(tx, row.id);
    await followComments(deps, tx, space.id);
    await updateChangeRequest(tx, row.id, {
      status: 'merged',
      mergedRevisionId: revision.id,
      mergedBy: userId,
      mergedAt: new Date(),
    });
    await recordChangeRequest(
      tx,
      caller,
      'change-request.merge',
      { space, row },
      { after: { revision: revision.id } },
    );
    return revision;
  });
  deps.deriver.contents.set({ ...written, commitOid: null }, content.derived.rows);
}

/** Merges what has changed in the space since into a change request, with decisions about files that both changed. */
export async function updateChangeRequestFromSpace(
  deps: PlatformDeps,
  spaceId: string,
  changeRequestId: string,
  { resolutions, caller }: { readonly resolutions: readonly Resolution[]; readonly caller: Caller },
): Promise<void> {
  const { space, row, base, current, head } = await loadSides(deps, spaceId, changeRequestId);
  if (current.revision.id === base.revision.id) {
    throw new ApiError('nothing-to-change', `Change request ${row.number} is already up to date.`);
  }
  if (head.revision.id === base.revision.id) {
    await deps.db.transaction(async (tx) => {
      const locked = await lockChangeRequestForUpdate(tx, row.id);
      if (locked?.revisionId !== row.revisionId)
        throw new ContentMoved('The change request was changed meanwhile.');
      const { id } = current.revision;
      await updateChangeRequest(tx, row.id, { baseRevisionId: id, revisionId: id });
      await carryReviews(tx, row.id, { from: row.revisionId, to: id });
      await recordChangeRequest(
        tx,
        caller,
        'change-request.update-from-space',
        { space, row },
        { after: { revision: id } },
      );
      await followComments(deps, tx, space.id);
    });
    return;
  }
  const sides = {
    base: toTreeMap(base.rows),
    space: toTreeMap(current.rows),
    changeRequest: toTreeMap(head.rows),
  };
  const resolved = await resolveConflicts(deps, space, sides, resolutions);
  refuseConflicts(resolved.conflicts);
  await upsertTexts(
    deps.db,
    space.id,
    [...resolved.fresh].map(([oid, bytes]) => ({ oid, bytes })),
  );
  await proposeContent(deps, {
    space,
    row,
    head: head.revision,
    tree: [...resolved.tree.values()],
    fresh: resolved.fresh,
    baseRevisionId: current.revision.id,
    type: 'update',
    // Whoever decides what a file says writes it.
    editor: resolutions.length === 0 ? null : caller.user.id,
    record: async (tx, revision) =>
      await recordChangeRequest(
        tx,
        caller,
        'change-request.update-from-space',
        { space, row },
        { after: { revision, ...(resolutions.length === 0 ? {} : { resolutions: resolutions.length }) } },
      ),
  });
}

/** What a merge into the space would meet now. */
export async function loadMergeSides(
  deps: PlatformDeps,
  space: SpaceRow,
  row: ChangeRequestRow,
): Promise<MergeSides & { readonly conflicts: readonly string[] }> {
  const [base, current, head] = await Promise.all(
    [row.baseRevisionId, space.revisionId, row.revisionId].map(async (id) =>
      toTreeMap((await loadContent(deps, space, id)).rows),
    ),
  );
  const sides = { base: base as Tree, space: current as Tree, changeRequest: head as Tree };
  const isDone = row.status === 'merged' || row.baseRevisionId === space.revisionId;
  const conflicts = isDone ? [] : mergeTrees(sides.base, sides.space, sides.changeRequest).conflicts;
  return { ...sides, conflicts };
}

type Tree = MergeSides['base'];

/** The three sides of a merge, as they are now. */
async function loadSides(deps: PlatformDeps, spaceId: string, changeRequestId: string) {
  const space: SpaceRow | null = await loadSpace(deps.db, spaceId);
  if (space === null) throw notFound('space with this id');
  const row = requireUnmerged(await loadChangeRequest(deps.db, space.id, changeRequestId));
  const base = await loadContent(deps, space, row.baseRevisionId);
  const current = await loadContent(deps, space, space.revisionId);
  const head = await loadContent(deps, space, row.revisionId);
  return { space, row, base, current, head };
}

const MAX_NAMED = 100;

function refuseConflicts(paths: readonly string[]): void {
  const [first] = paths;
  if (first === undefined) return;
  const more = paths.length > 1 ? ` and ${paths.length - 1} more` : '';
  throw new ApiError(
    'conflict',
    `Both the space and the change request changed ${first}${more}, so nothing was merged; make these files the same on one side and try again.`,
    paths.slice(0, MAX_NAMED).map((path) => ({ path, message: 'was changed on both sides' })),
  );
}
