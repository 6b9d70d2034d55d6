import { loadRevision, type RevisionRow, type SpaceRow } from '../../store/index.ts';
import type { PlatformDeps } from '../deps.ts';
import type { ContentRows } from './content-rows.ts';

/** A revision with all its rows. */
export interface LoadedContent {
  readonly revision: RevisionRow;
  readonly rows: ContentRows;
}

/** @throws if the space does not have the revision, to which its own rows refer. */
export async function loadContent(
  deps: Pick<PlatformDeps, 'db' | 'deriver'>,
  space: Pick<SpaceRow, 'id'>,
  revisionId: string | null,
): Promise<LoadedContent> {
  const revision = revisionId === null ? null : await loadRevision(deps.db, space.id, revisionId);
  if (revision === null) throw new Error(`Space ${space.id} has no revision ${revisionId}.`);
  return { revision, rows: await deps.deriver.contents.load(deps.db, revision) };
}
