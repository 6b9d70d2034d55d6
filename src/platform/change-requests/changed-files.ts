import type { ChangedFile } from '../../contract/index.ts';
import type { EntryRow, FileRow, PageRow } from '../../store/index.ts';
import type { ContentRows } from '../revisions/content-rows.ts';

/** The files that differ between two versions, by path. A file is moved where its page or file kept its id, or all of its bytes. */
export function findChangedFiles(base: ContentRows, head: ContentRows): ChangedFile[] {
  const pages = { base: byPath(base.pages), head: byPath(head.pages) };
  const files = { base: byPath(base.files), head: byPath(head.files) };
  const added: EntryRow[] = [];
  const changed: ChangedFile[] = [];
  for (const [path, entry] of head.entries) {
    const before = base.entries.get(path);
    if (before === undefined) added.push(entry);
    else if (before.oid !== entry.oid || before.mode !== entry.mode) {
      changed.push(present({ path, before, after: entry }));
    }
  }
  const removed = new Map([...base.entries].filter(([path]) => !head.entries.has(path)));
  for (const entry of added) {
    const origin = originOf(entry, removed);
    if (origin !== undefined) removed.delete(origin.path);
    changed.push(present({ path: entry.path, before: origin, after: entry }));
  }
  for (const [path, before] of removed) changed.push(present({ path, before, after: undefined }));
  return changed.toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));

  function originOf(entry: EntryRow, among: ReadonlyMap<string, EntryRow>): EntryRow | undefined {
    const id = pages.head.get(entry.path)?.id ?? files.head.get(entry.path)?.id;
    const known = id === undefined ? undefined : (base.pages.get(id)?.gitPath ?? base.files.get(id)?.gitPath);
    if (known != null && among.has(known)) return among.get(known);
    return [...among.values()].find(({ oid, size }) => oid === entry.oid && size !== 0);
  }

  function present({
    path,
    before,
    after,
  }: {
    readonly path: string;
    readonly before: EntryRow | undefined;
    readonly after: EntryRow | undefined;
  }): ChangedFile {
    const isMoved = before !== undefined && before.path !== path;
    const page = pageOf(
      before === undefined ? undefined : pages.base.get(before.path),
      after === undefined ? undefined : pages.head.get(path),
    );
    const file = after === undefined ? files.base.get(path) : files.head.get(path);
    return {
      object: 'changed-file',
      path,
      ...(isMoved ? { previousPath: before.path } : {}),
      kind: before === undefined ? 'added' : after === undefined ? 'removed' : isMoved ? 'moved' : 'changed',
      changed: before?.oid !== after?.oid || before?.mode !== after?.mode,
      ...(before === undefined ? {} : { before: blobOf(before) }),
      ...(after === undefined ? {} : { after: blobOf(after) }),
      ...(page === undefined ? {} : { page }),
      ...(file === undefined
        ? {}
        : { file: { id: file.id, name: file.name, contentType: file.contentType } }),
    };
  }
}

function byPath<Row extends Pick<PageRow | FileRow, 'gitPath'>>(
  rows: ReadonlyMap<string, Row>,
): ReadonlyMap<string, Row> {
  const found = new Map<string, Row>();
  for (const row of rows.values()) {
    // A file that is several times in the navigation is shown as the first of its pages.
    if (row.gitPath !== null && !found.has(row.gitPath)) found.set(row.gitPath, row);
  }
  return found;
}

function pageOf(before: PageRow | undefined, after: PageRow | undefined): ChangedFile['page'] {
  const shown = after ?? before;
  if (shown === undefined) return undefined;
  return {
    id: shown.id,
    title: shown.title,
    path: shown.path,
    ...(before !== undefined && before.id !== shown.id ? { previousId: before.id } : {}),
    isNew: before === undefined,
    isGone: after === undefined,
  };
}

function blobOf({ oid, size }: EntryRow): NonNullable<ChangedFile['before']> {
  return { oid, ...(size === null ? {} : { size }) };
}
