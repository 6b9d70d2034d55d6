import {
  type Db,
  duplicateContent,
  insertSpace,
  listSiblings,
  loadRevision,
  loadSpace,
  lockOrganization,
  markContentSynced,
  newId,
  positionBetween,
  type SpaceRow,
  setRevision,
  shortenPositions,
} from '../../store/index.ts';
import { notFound } from '../api/api-error.ts';

/** Copies a space, with the content that readers see; the copy is placed directly after it. */
export async function duplicateSpace({ db }: { readonly db: Db }, spaceId: string): Promise<SpaceRow> {
  return await db.transaction(async (tx) => {
    const before = await loadSpace(tx, spaceId);
    if (!before || !(await lockOrganization(tx, before.organizationId))) throw notFound('space with this id');
    const space = await loadSpace(tx, spaceId);
    if (space?.organizationId !== before.organizationId) throw notFound('space with this id');
    const revision = space.revisionId === null ? null : await loadRevision(tx, space.id, space.revisionId);
    if (!revision) throw new Error(`Space ${space.id} has no content, not even an empty one.`);

    const siblings = await listSiblings(tx, space.organizationId, space.parentId);
    const index = siblings.findIndex((sibling) => sibling.id === space.id);
    const next = siblings[index + 1]?.position ?? null;
    const copy = await insertSpace(tx, {
      id: newId(),
      organizationId: space.organizationId,
      parentId: space.parentId,
      title: titleOfCopy(space.title),
      emoji: space.emoji,
      language: space.language,
      visibility: space.visibility === 'in-collection' ? 'in-collection' : 'private',
      defaultLevel: space.defaultLevel,
      mergeRules: space.mergeRules,
      position: positionBetween(space.organizationId, space.position, next),
    });
    const revisionId = newId();
    await duplicateContent(tx, revision, { spaceId: copy.id, historyId: newId(), revisionId });
    await setRevision(tx, copy.id, revisionId);
    // If the space is in sync with its branch, so is the copy: its imports and exports have something to compare with.
    if (space.syncedRevisionId === space.revisionId) await markContentSynced(tx, copy.id, revisionId);
    await shortenPositions(tx, space.organizationId);
    const created = await loadSpace(tx, copy.id);
    if (!created) throw new Error(`Space ${copy.id} was just created but does not exist.`);
    return created;
  });
}

/** Within the maximum length of titles. */
function titleOfCopy(title: string): string {
  return `Copy of ${title}`.slice(0, 256).toWellFormed();
}
