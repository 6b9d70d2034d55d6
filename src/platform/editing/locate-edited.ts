import type { RevisionRow } from '../../store/index.ts';
import type { Caller } from '../access/caller.ts';
import { requireSpaceRight } from '../access/require-space.ts';
import { type Content, locateContent } from '../content/locate-content.ts';
import type { PlatformDeps } from '../deps.ts';
import type { ContentRows } from '../revisions/content-rows.ts';
import { loadContent } from '../revisions/load-content.ts';

/** Content that somebody edits, with all its rows. */
export interface EditedContent extends Content {
  readonly revision: RevisionRow;
  readonly rows: ContentRows;
}

/** Returns the content if the caller may propose changes to it; throws a 404 or 403 otherwise. */
export async function locateEdited(
  deps: PlatformDeps,
  caller: Caller,
  spaceId: string,
  at: { readonly changeRequest?: string; readonly revision?: string },
): Promise<EditedContent> {
  const content = await locateContent(deps.db, caller, {
    spaceId,
    ...(at.revision !== undefined
      ? { revisionId: at.revision }
      : at.changeRequest !== undefined && { changeRequestId: at.changeRequest }),
  });
  requireSpaceRight(content.effectiveRole, 'edit');
  const { rows } = await loadContent(deps, content.space, content.revision.id);
  return { ...content, rows };
}
