import { type GitInfo, isLanguage, type MergeRules, type Space } from '../../contract/index.ts';
import {
  type ChangeRequestCounts,
  countChangeRequests,
  countOpenComments,
  type Db,
  type SpaceRow,
} from '../../store/index.ts';
import { presentLevel } from '../access/default-level.ts';
import { permissionsAt, type Standing, spaceRights } from '../access/roles.ts';

/** What a space shows the numbers of. */
export interface SpaceCounts {
  readonly changeRequests: ChangeRequestCounts;
  readonly openComments: number;
}

const noCounts: SpaceCounts = { changeRequests: { total: 0, open: 0, draft: 0 }, openComments: 0 };

/** Returns a function that returns the counts of each of these spaces. */
export async function loadSpaceCounts(
  db: Db,
  spaceIds: readonly string[],
): Promise<(spaceId: string) => SpaceCounts> {
  const [changeRequests, openComments] = await Promise.all([
    countChangeRequests(db, spaceIds),
    countOpenComments(db, spaceIds),
  ]);
  return (spaceId) => ({
    changeRequests: changeRequests.get(spaceId) ?? noCounts.changeRequests,
    openComments: openComments.get(spaceId) ?? 0,
  });
}

/** The public fields of a space. */
export function presentSpace(
  row: SpaceRow,
  standing: Standing,
  publicUrl: string,
  { changeRequests, openComments }: SpaceCounts = noCounts,
): Space {
  const permissions = permissionsAt(spaceRights, standing);
  return {
    object: 'space',
    id: row.id,
    title: row.title,
    visibility: row.visibility as Space['visibility'],
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    editMode: row.editMode as Space['editMode'],
    mergeRules: (row.mergeRules as MergeRules | null) ?? { type: 'inherit' },
    defaultLevel: presentLevel(row.defaultLevel),
    urls: { location: `${publicUrl}/v1/spaces/${row.id}`, app: `${publicUrl}/spaces/${row.id}` },
    organization: row.organizationId,
    // Who may not read the comments is not told that there are any.
    comments: permissions.comment ? openComments : 0,
    changeRequests: changeRequests.total,
    changeRequestsOpen: changeRequests.open,
    changeRequestsDraft: changeRequests.draft,
    // Nothing is merged into a locked space.
    permissions: { ...permissions, merge: permissions.merge && row.editMode !== 'locked' },
    ...(row.emoji === null ? {} : { emoji: row.emoji }),
    ...(row.deletedAt === null ? {} : { deletedAt: row.deletedAt.toISOString() }),
    ...(row.parentId === null ? {} : { parent: row.parentId }),
    // A release before 0.2.0 stored any text.
    ...(row.language !== null && isLanguage(row.language) ? { language: row.language } : {}),
    ...(row.gitSync === null ? {} : { gitSync: presentGitInfo(row) }),
    ...(row.revisionId === null ? {} : { revision: row.revisionId }),
  };
}

/** Where a space's content comes from; empty before the first import. */
export function presentGitInfo(row: SpaceRow): GitInfo {
  if (row.gitSync === null) return {};
  return { ...(row.gitSync as GitInfo), hasEdits: row.revisionId !== row.syncedRevisionId };
}
