import type { ContentChange } from '../../contract/index.ts';
import { loadChangeRequest } from '../../store/change-requests.ts';
import type { SpaceRow } from '../../store/spaces.ts';
import { keepTexts } from '../../store/texts.ts';
import type { PlatformDeps } from '../deps.ts';
import { toTreeMap } from '../revisions/derive-revision.ts';
import { loadContent } from '../revisions/load-content.ts';
import { applyChanges } from './apply-changes.ts';
import { proposeContent } from './propose-content.ts';
import { requireUnmerged } from './require-unmerged.ts';

/** Changes files of a change request: all of the changes, or none. */
export async function changeContent(
  deps: PlatformDeps,
  space: SpaceRow,
  changeRequestId: string,
  changes: readonly ContentChange[],
): Promise<void> {
  const row = requireUnmerged(await loadChangeRequest(deps.db, space.id, changeRequestId));
  const { revision: head, rows } = await loadContent(deps, space, row.revisionId);
  const { tree, fresh } = applyChanges(toTreeMap(rows), changes, {
    directory: head.directory,
    fileOfPage: (id) => rows.pages.get(id)?.gitPath ?? undefined,
  });
  // All of them, whatever they are: an export needs the bytes of configuration files too, which nobody else keeps.
  await keepTexts(
    deps.db,
    [...fresh].map(([oid, bytes]) => ({ oid, bytes })),
  );
  await proposeContent(deps, {
    space,
    row,
    head,
    tree: [...tree.values()],
    fresh,
    baseRevisionId: row.baseRevisionId,
    type: 'edits',
  });
}
