import { isDeepStrictEqual } from 'node:util';
import type { File, PageResource, SemanticChange } from '../../contract/index.ts';
import type { PageRow, SettingRow } from '../../store/index.ts';
import { presentFile, presentPage, variablesOf } from '../content/present-content.ts';
import type { Presentation } from '../content/presentation.ts';
import type { ContentRows } from '../revisions/content-rows.ts';

/** A version with the view through which its pages and files are presented. */
export interface ComparedSide {
  readonly rows: ContentRows;
  readonly view: Presentation;
}

type Attributes = NonNullable<SemanticChange['attributes']>;

/** What the change from one version to another does, pages first, each kind in the order of the navigation or by name. */
export function findSemanticChanges(base: ComparedSide, head: ComparedSide): SemanticChange[] {
  return [...changesOfPages(base, head), ...changesOfFiles(base, head), ...changesOfSettings(base, head)];
}

function changesOfPages(base: ComparedSide, head: ComparedSide): SemanticChange[] {
  const changes: SemanticChange[] = [];
  for (const row of inOrder(head.rows)) {
    const before = base.rows.pages.get(row.id);
    if (before === undefined) {
      changes.push({ type: 'page_created', page: namePage(row, head) });
      continue;
    }
    if (before === row) continue;
    const attributes = attributesOfPage(before, row, base, head);
    if (attributes !== null) changes.push({ type: 'page_edited', page: namePage(row, head), attributes });
    if (before.parentId !== row.parentId) {
      const parent = {
        ...parentOf(before, base, 'before'),
        ...parentOf(row, head, 'after'),
      };
      changes.push({ type: 'page_moved', page: namePage(row, head), parent });
    }
  }
  const gone = inOrder(base.rows).filter(({ id }) => !head.rows.pages.has(id));
  return [...changes, ...gone.map((row) => ({ type: 'page_deleted' as const, page: namePage(row, base) }))];
}

/** The pages of a version as they stand in its navigation. */
function inOrder({ pages }: ContentRows): PageRow[] {
  const children = Map.groupBy(pages.values(), ({ parentId }) => parentId);
  const ordered: PageRow[] = [];
  const add = (parentId: string | null) => {
    for (const row of (children.get(parentId) ?? []).toSorted((a, b) => a.position - b.position)) {
      ordered.push(row);
      add(row.id);
    }
  };
  add(null);
  return ordered;
}

function parentOf(row: PageRow, side: ComparedSide, name: 'before' | 'after') {
  const parent = row.parentId === null ? undefined : side.rows.pages.get(row.parentId);
  return parent === undefined ? {} : { [name]: namePage(parent, side) };
}

function namePage(row: PageRow, { view }: ComparedSide): NonNullable<SemanticChange['page']> {
  const { id, type, title, path } = presentPage(row, view);
  return { id, type, title, path };
}

/** What differs between two versions of a page; null when readers would see the same. */
function attributesOfPage(
  before: PageRow,
  after: PageRow,
  base: ComparedSide,
  head: ComparedSide,
): Attributes | null {
  const [old, now] = [presentPage(before, base.view), presentPage(after, head.view)];
  const hasOtherText =
    before.gitOid !== after.gitOid ||
    !isDeepStrictEqual(before.settings?.parts ?? null, after.settings?.parts ?? null);
  const attributes: Attributes = {
    ...differing('title', old, now),
    ...differing('description', old, now),
    ...differing('slug', old, now),
    ...differing('emoji', old, now),
    ...differing('target', old, now),
    ...differing('cover', old, now, withoutPlace),
    ...differing('layout', old, now),
    ...differing('variables', old, now),
    ...(hasOtherText
      ? {
          document: {
            ...(before.gitOid === null ? {} : { before: before.gitOid }),
            ...(after.gitOid === null ? {} : { after: after.gitOid }),
          },
        }
      : {}),
  };
  return Object.keys(attributes).length === 0 ? null : attributes;
}

/** References name the version that they are in, which differs always. */
function withoutPlace(cover: PageResource['cover']): unknown {
  if (cover === undefined) return undefined;
  const plain = (ref: object | undefined) => {
    const { kind, file, url } = (ref ?? {}) as Record<string, unknown>;
    return ref === undefined ? undefined : { kind, ...(file ? { file } : {}), ...(url ? { url } : {}) };
  };
  const { ref, refDark, ...position } = cover;
  return { ref: plain(ref), ...(refDark === undefined ? {} : { refDark: plain(refDark) }), ...position };
}

function differing<Resource, Name extends keyof Resource & string>(
  name: Name,
  before: Resource,
  after: Resource,
  plain: (value: Resource[Name]) => unknown = (value) => value,
): Attributes {
  const [old, now] = [plain(before[name]), plain(after[name])];
  if (isDeepStrictEqual(old, now)) return {};
  return {
    [name]: { ...(old === undefined ? {} : { before: old }), ...(now === undefined ? {} : { after: now }) },
  };
}

function changesOfFiles(base: ComparedSide, head: ComparedSide): SemanticChange[] {
  const changes: SemanticChange[] = [];
  const name = ({ id, name, contentType, downloadURL }: File) => ({ id, name, contentType, downloadURL });
  const sorted = (side: ComparedSide) =>
    [...side.rows.files.values()].toSorted((a, b) => (a.gitPath < b.gitPath ? -1 : 1));
  for (const row of sorted(head)) {
    const before = base.rows.files.get(row.id);
    if (before === row) continue;
    const now = presentFile(row, head.view);
    if (before === undefined) {
      changes.push({ type: 'file_created', file: name(now) });
      continue;
    }
    if (before.gitOid === row.gitOid && before.name === row.name) continue;
    const old = presentFile(before, base.view);
    const attributes = {
      ...differing('name', old, now),
      ...differing('downloadURL', old, now),
      ...differing('size', old, now),
      ...differing('contentType', old, now),
      ...differing('dimensions', old, now),
    };
    changes.push({ type: 'file_edited', file: name(now), attributes });
  }
  for (const row of sorted(base)) {
    if (head.rows.files.has(row.id)) continue;
    changes.push({ type: 'file_deleted', file: name(presentFile(row, base.view)) });
  }
  return changes;
}

function changesOfSettings(base: ComparedSide, head: ComparedSide): SemanticChange[] {
  const [old, now] = [[...base.rows.settings.values()], [...head.rows.settings.values()]];
  const variables = changedVariables(variablesOf(old), variablesOf(now));
  return [
    ...(Object.keys(variables).length === 0 ? [] : [{ type: 'variables_edited' as const, variables }]),
    ...changesOfReusable(old, now),
  ];
}

function changedVariables(old: Record<string, string>, now: Record<string, string>) {
  const variables: NonNullable<SemanticChange['variables']> = {};
  for (const name of [...new Set([...Object.keys(old), ...Object.keys(now)])].toSorted()) {
    if (old[name] === now[name]) continue;
    variables[name] = {
      ...(old[name] === undefined ? {} : { before: old[name] }),
      ...(now[name] === undefined ? {} : { after: now[name] }),
    };
  }
  return variables;
}

function changesOfReusable(old: readonly SettingRow[], now: readonly SettingRow[]): SemanticChange[] {
  const byId = (rows: readonly SettingRow[]) =>
    new Map(
      rows.flatMap((row) =>
        row.kind === 'reusable' && row.contentId !== null ? [[row.contentId, row]] : [],
      ),
    );
  const [before, after] = [byId(old), byId(now)];
  const name = (row: SettingRow) => ({ id: row.contentId ?? '', title: row.value });
  const changes: SemanticChange[] = [];
  for (const [id, row] of after) {
    const was = before.get(id);
    if (was === undefined) {
      changes.push({ type: 'reusable_content_created', reusableContent: name(row) });
      continue;
    }
    const attributes: Attributes = {
      ...(was.value === row.value ? {} : { title: { before: was.value, after: row.value } }),
      ...(was.gitOid === row.gitOid
        ? {}
        : { document: { before: was.gitOid ?? '', after: row.gitOid ?? '' } }),
    };
    if (Object.keys(attributes).length > 0)
      changes.push({ type: 'reusable_content_edited', reusableContent: name(row), attributes });
  }
  for (const [id, row] of before) {
    if (!after.has(id)) changes.push({ type: 'reusable_content_deleted', reusableContent: name(row) });
  }
  return changes;
}
