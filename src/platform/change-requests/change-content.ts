import type { TreeEntry } from '../../content/index.ts';
import { treeIndexOf } from '../../content/tree/index.ts';
import type { ContentChange } from '../../contract/index.ts';
import {
  type ChangeRequestRow,
  type Db,
  loadChangeRequest,
  type SpaceRow,
  upsertTexts,
} from '../../store/index.ts';
import type { PlatformDeps } from '../deps.ts';
import { toTreeMap } from '../revisions/derive-revision.ts';
import { loadContent } from '../revisions/load-content.ts';
import { createStoredReader } from '../revisions/read-stored.ts';
import { ContentMoved } from '../revisions/write-revision.ts';
import { applyContentChanges } from './apply-changes.ts';
import { proposeContent } from './propose-content.ts';
import { requireUnmerged } from './require-unmerged.ts';

/** Records in the audit log, in the transaction of the change, that there is a new revision of the change request. */
type RecordChange = (
  tx: Db,
  changed: { readonly space: SpaceRow; readonly row: ChangeRequestRow; readonly revisionId: string },
) => Promise<void>;

/** Changes files of a change request; makes either all of the changes or none. */
export async function changeContent(
  deps: PlatformDeps,
  space: SpaceRow,
  changeRequestId: string,
  changes: readonly ContentChange[],
  {
    editor,
    record,
    planned,
  }: {
    readonly editor: string;
    readonly record?: RecordChange;
    /** The revision that the changes were planned for; another one is as if another writer was first. */
    readonly planned?: string;
  },
): Promise<void> {
  const row = requireUnmerged(await loadChangeRequest(deps.db, space.id, changeRequestId));
  if (planned !== undefined && row.revisionId !== planned)
    throw new ContentMoved('The change request was changed meanwhile.');
  const { revision: head, rows } = await loadContent(deps, space, row.revisionId);
  const before = toTreeMap(rows);
  const { tree, fresh } = applyContentChanges(before, changes, {
    directory: head.directory,
    fileOfPage: (id) => rows.pages.get(id)?.gitPath ?? undefined,
    fileAt: await readSymlinks(deps, space.id, before),
  });
  // Not only pages: an export also needs the bytes of configuration files, which are stored nowhere else.
  await upsertTexts(
    deps.db,
    space.id,
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
    editor,
    record: async (tx, revisionId) => await record?.(tx, { space, row, revisionId }),
  });
}

/** Returns a function that resolves the paths of symbolic links. */
async function readSymlinks(
  deps: PlatformDeps,
  spaceId: string,
  tree: ReadonlyMap<string, TreeEntry>,
): Promise<(path: string) => string> {
  const entries = [...tree.values()];
  const links = entries.filter((entry) => entry.mode === 'symlink');
  if (links.length === 0) return (path) => path;
  const targets = new Map<string, string>();
  const oids = [...new Set(links.map((link) => link.oid))];
  for await (const { oid, bytes } of createStoredReader(deps, spaceId)(oids)) {
    targets.set(oid, Buffer.from(bytes).toString('utf8'));
  }
  const index = treeIndexOf(entries);
  return (path) => {
    const located = index.locate(path, (link) => targets.get(link.oid) ?? null);
    return located.kind === 'file' ? located.entry.path : path;
  };
}
