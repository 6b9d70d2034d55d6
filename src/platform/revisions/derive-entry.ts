import type { TreeEntry } from '../../content/index.ts';
import type { EntryRow } from '../../store/index.ts';

/** A file of the tree as a row; the previous row object itself if nothing differs. */
export function deriveEntry(
  { path, oid, mode, size }: TreeEntry,
  before: EntryRow | undefined,
  { pageId, linksId }: Pick<EntryRow, 'pageId' | 'linksId'>,
): EntryRow {
  const sameBytes = before?.oid === oid;
  if (sameBytes && before.mode === mode && before.pageId === pageId && before.linksId === linksId)
    return before;
  return { path, oid, mode, size: size ?? (sameBytes ? before.size : null), pageId, linksId };
}

/** A row as an entry of the tree. */
export function toTreeEntry({ path, oid, mode, size }: EntryRow): TreeEntry {
  return { path, oid, mode: mode as TreeEntry['mode'], ...(size === null ? {} : { size }) };
}
