import {
  type Db,
  insertHistory,
  insertRevision,
  insertSpace,
  lockOrganization,
  newId,
  type SpaceRow,
  setRevision,
} from '../../store/index.ts';

export interface NewSpace {
  readonly organizationId: string;
  readonly parentId: string | null;
  readonly title: string;
  readonly emoji?: string | undefined;
  readonly language?: string | undefined;
  readonly editMode?: string | undefined;
}

const noChanges = { removed: [], added: [] };

/** Creates a space with an empty first revision, so that its content can be read from the start. */
export async function createSpace(db: Db, space: NewSpace): Promise<SpaceRow> {
  return await db.transaction(async (tx) => {
    await lockOrganization(tx, space.organizationId);
    const row = await insertSpace(tx, { id: newId(), ...space });
    const [revisionId, historyId] = [newId(), newId()];
    await insertHistory(tx, { id: historyId, spaceId: row.id });
    await insertRevision(
      tx,
      {
        id: revisionId,
        spaceId: row.id,
        historyId,
        version: 1,
        type: 'edits',
        format: 'github',
        counts: { pages: 0, files: 0, links: 0, broken: 0, inApp: 0, unchecked: 0 },
      },
      { pages: noChanges, files: noChanges, entries: noChanges, settings: noChanges, links: new Map() },
    );
    await setRevision(tx, row.id, revisionId);
    return { ...row, revisionId };
  });
}
