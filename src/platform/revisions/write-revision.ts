import {
  copyVersion,
  type Db,
  insertHistory,
  insertRevision,
  lockSpaceForUpdate,
  type NewRevision,
  type Notices,
  newestVersion,
  newId,
  type RevisionRow,
  type SpaceRow,
  saveContentIds,
  upsertMovedPages,
} from '../../store/index.ts';
import type { DerivedContent } from './content-rows.ts';
import type { ContentNames } from './name-content.ts';

/** Another writer changed the space's content since it was read, so the revision must be derived again. */
export class ContentMoved extends Error {
  override readonly name = 'ContentMoved';
}

/** What a new revision is made from. */
export interface RevisionDraft {
  /** As it was when the content was derived. */
  readonly space: Pick<SpaceRow, 'id' | 'idsVersion'>;
  /** The revision that `derived` was compared with. */
  readonly base: RevisionRow;
  readonly derived: DerivedContent;
  readonly names: ContentNames;
  readonly notices: Notices | null;
  /** Follows `base` in its history, or begins a history of its own beside it. */
  readonly place: 'after' | 'beside';
}

/** The columns of a revision that its writer decides. */
export type RevisionFacts = Omit<
  NewRevision,
  'id' | 'spaceId' | 'historyId' | 'version' | 'counts' | 'notices' | 'parents'
> &
  Partial<Pick<NewRevision, 'parents'>>;

/**
 * Writes a revision in the transaction, after locking the space. The space still shows its current revision.
 *
 * @throws {ContentMoved} when ids were assigned meanwhile, or the base is no longer the newest of its history.
 */
export async function writeRevision(
  tx: Db,
  { space, base, derived, names, notices, place }: RevisionDraft,
  facts: RevisionFacts,
): Promise<NewRevision & { readonly id: string }> {
  const locked = await lockSpaceForUpdate(tx, space.id);
  if (locked === null || locked.idsVersion !== space.idsVersion)
    throw new ContentMoved('Ids were assigned meanwhile.');
  if (place === 'after' && (await newestVersion(tx, base.historyId)) !== base.version) {
    throw new ContentMoved('Another revision came first.');
  }
  const historyId = place === 'after' ? base.historyId : newId();
  if (place === 'beside') {
    await insertHistory(tx, { id: historyId, spaceId: space.id });
    await copyVersion(tx, base, historyId);
  }
  const revision = {
    id: newId(),
    spaceId: space.id,
    historyId,
    version: place === 'after' ? base.version + 1 : 1,
    parents: [base.id],
    counts: derived.counts,
    notices,
    ...facts,
  };
  await insertRevision(tx, revision, derived.changes);
  await saveContentIds(tx, space.id, names.changes());
  await upsertMovedPages(tx, space.id, derived.moved);
  return revision;
}
