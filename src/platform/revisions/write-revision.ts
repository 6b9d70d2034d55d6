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

/** The content of a new revision. */
export interface RevisionDraft {
  /** The space as it was when the content was derived. */
  readonly space: Pick<SpaceRow, 'id' | 'idsVersion'>;
  /** The revision that `derived` was compared with. */
  readonly base: RevisionRow;
  readonly derived: DerivedContent;
  readonly names: ContentNames;
  readonly notices: Notices | null;
  /** Whether it follows `base` in the same history, or starts a new history, as a copy of `base` with changes. */
  readonly history: 'same' | 'new';
}

/** The columns of a revision that its writer decides. */
export type RevisionFacts = Omit<
  NewRevision,
  'id' | 'spaceId' | 'historyId' | 'version' | 'counts' | 'notices' | 'parents'
> &
  Partial<Pick<NewRevision, 'parents'>>;

/**
 * Locks the space and writes a revision in the transaction. The space still shows its current revision.
 *
 * @throws {ContentMoved} if ids were assigned meanwhile, or the base is no longer the newest revision of its history.
 */
export async function writeRevision(
  tx: Db,
  { space, base, derived, names, notices, history }: RevisionDraft,
  facts: RevisionFacts,
): Promise<NewRevision & { readonly id: string }> {
  const locked = await lockSpaceForUpdate(tx, space.id);
  if (locked === null || locked.idsVersion !== space.idsVersion)
    throw new ContentMoved('Ids were assigned meanwhile.');
  if (history === 'same' && (await newestVersion(tx, base.historyId)) !== base.version) {
    throw new ContentMoved('Another revision was first.');
  }
  const historyId = history === 'same' ? base.historyId : newId();
  if (history === 'new') {
    await insertHistory(tx, { id: historyId, spaceId: space.id });
    await copyVersion(tx, base, historyId);
  }
  const revision = {
    id: newId(),
    spaceId: space.id,
    historyId,
    version: history === 'same' ? base.version + 1 : 1,
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
