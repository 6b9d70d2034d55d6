import type { Db } from '../../store/db.ts';
import { loadRevision, type RevisionRow } from '../../store/revisions.ts';
import type { SpaceRow } from '../../store/spaces.ts';
import type { Caller } from '../access/caller.ts';
import { requireSpace } from '../access/require-space.ts';
import { notFound } from '../api/api-error.ts';

/** Which content is asked for: a revision of a space, or the one that readers see when `revisionId` is undefined. */
export interface ContentParams {
  readonly spaceId: string;
  readonly revisionId?: string;
}

export interface Content {
  readonly space: SpaceRow;
  readonly revision: RevisionRow;
}

/** The space and revision that are asked for, where the caller may see them. */
export async function locateContent(db: Db, caller: Caller, params: ContentParams): Promise<Content> {
  const { space } = await requireSpace(db, caller, params.spaceId, 'view');
  const id = params.revisionId ?? space.revisionId;
  const revision = id === null ? null : await loadRevision(db, space.id, id);
  if (!revision) throw notFound('revision with this id in this space');
  return { space, revision };
}

/** Names the version of a revision's content: the commit may move while the content stays. */
export function versionOf(revision: RevisionRow): string {
  return `${revision.id} ${revision.commitOid ?? ''} ${revision.ref ?? ''}`;
}
