import type { ChangeRequest, File, PageResource, Revision } from '../../contract/index.ts';
import type { FileRow, PageRow, RevisionRow, SettingRow } from '../../store/index.ts';
import { presentSettings } from './present-settings.ts';
import type { Presentation } from './presentation.ts';

/** The pages of a revision as a tree; `rows` are in the order of the navigation. */
export function presentPages(rows: readonly PageRow[], view: Presentation): PageResource[] {
  const roots: PageResource[] = [];
  const byId = new Map<string, PageResource>();
  const leftOut = new Set<string>();
  for (const row of rows) {
    if (!view.computed && (row.type === 'computed' || (row.parentId !== null && leftOut.has(row.parentId)))) {
      leftOut.add(row.id);
      continue;
    }
    const page = presentPage(row, view);
    byId.set(row.id, page);
    const siblings = (row.parentId === null ? undefined : byId.get(row.parentId)?.pages) ?? roots;
    siblings.push(page);
  }
  return roots;
}

/** One page, without the pages below it. */
export function presentPage(row: PageRow, view: Presentation): PageResource {
  const { space, publicUrl, metadata } = view;
  return {
    id: row.id,
    title: row.title,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    type: typeOf(row),
    urls: { app: `${publicUrl}/spaces/${space.id}/pages/${row.id}` },
    slug: row.slug,
    path: row.path,
    hidden: row.hidden,
    noIndex: row.hidden || row.settings?.noIndex === true,
    noRobotsIndex: row.hidden || row.settings?.noRobotsIndex === true,
    pages: [],
    ...presentSettings({ ...row, type: typeOf(row) }, view),
    ...(row.emoji === null ? {} : { emoji: row.emoji }),
    ...(row.icon === null ? {} : { icon: row.icon }),
    ...(row.description === null ? {} : { description: row.description }),
    ...(row.dialect === null ? {} : { dialect: row.dialect }),
    ...(row.href === null ? {} : { href: row.href, target: { kind: 'url' as const, url: row.href } }),
    ...(metadata && row.gitOid !== null && row.gitPath !== null
      ? { git: { oid: row.gitOid, path: row.gitPath } }
      : {}),
  };
}

/** The published description has groups at the top level only: one below another page is a page without text. */
function typeOf({ type, parentId }: PageRow): PageResource['type'] {
  return type === 'group' && parentId !== null ? 'document' : (type as PageResource['type']);
}

export function presentFile(row: FileRow, view: Presentation): File {
  const { space, revision, publicUrl, metadata } = view;
  return {
    id: row.id,
    name: row.name,
    contentType: row.contentType,
    downloadURL: `${publicUrl}/v1/spaces/${space.id}/revisions/${revision.id}/files/${row.id}/download`,
    size: row.size,
    ...(row.width === null || row.height === null
      ? {}
      : { dimensions: { width: row.width, height: row.height } }),
    ...(metadata ? { git: { oid: row.gitOid, path: row.gitPath } } : {}),
  };
}

export function presentRevision(
  content: {
    readonly pages: readonly PageRow[];
    readonly files: readonly FileRow[];
    readonly settings: readonly SettingRow[];
  },
  view: Presentation,
  mergedFrom: ChangeRequest | null,
): Revision {
  const { space, revision, publicUrl } = view;
  return {
    object: 'revision',
    id: revision.id,
    parents: revision.parents,
    pages: presentPages(content.pages, view),
    files: content.files.map((row) => presentFile(row, view)),
    reusableContents: content.settings
      .filter((row) => row.kind === 'reusable')
      .map(({ name, value, contentId, gitOid }) => ({
        id: contentId ?? '',
        title: value,
        ...(view.metadata && gitOid !== null ? { git: { oid: gitOid, path: name } } : {}),
      })),
    variables: variablesOf(content.settings),
    createdAt: revision.createdAt.toISOString(),
    urls: { app: `${publicUrl}/spaces/${space.id}/revisions/${revision.id}` },
    // `merge` is only for revisions whose change request is known.
    ...(mergedFrom === null
      ? { type: revision.type === 'merge' ? 'update' : (revision.type as Revision['type']) }
      : { type: 'merge', mergedFrom }),
    ...(view.metadata && revision.commitOid !== null
      ? { git: presentCommit(revision, revision.commitOid) }
      : {}),
  };
}

/** The variables of a space, by their names. */
export function variablesOf(settings: readonly SettingRow[]): Record<string, string> {
  return Object.fromEntries(
    settings.flatMap(({ kind, name, value }) => (kind === 'variable' ? [[name, value]] : [])),
  );
}

export function presentCommit(revision: RevisionRow, oid: string): NonNullable<Revision['git']> {
  return {
    oid,
    message: revision.message ?? '',
    createdByService: revision.createdByService,
    ...(revision.commitUrl === null ? {} : { url: revision.commitUrl }),
    ...(revision.ref === null ? {} : { ref: revision.ref }),
  };
}
