import type { File, Page, Reference, Revision } from '../../contract/index.ts';
import type { FileRow } from '../../store/files.ts';
import type { PageRow } from '../../store/pages.ts';
import type { RevisionRow } from '../../store/revisions.ts';
import type { Content } from './locate-content.ts';

/** What every presenter of content needs to know. */
export interface Presentation extends Content {
  readonly publicUrl: string;
  /** Whether what git says is told. */
  readonly metadata: boolean;
}

/** The pages of a revision as a tree; `rows` in the order of the navigation. */
export function presentPages(rows: readonly PageRow[], view: Presentation): Page[] {
  const roots: Page[] = [];
  const byId = new Map<string, Page>();
  for (const row of rows) {
    const page = presentPage(row, view);
    byId.set(row.id, page);
    const siblings = (row.parentId === null ? undefined : byId.get(row.parentId)?.pages) ?? roots;
    siblings.push(page);
  }
  return roots;
}

/** One page, without the pages below it. */
function presentPage(row: PageRow, view: Presentation): Page {
  const { space, publicUrl, metadata } = view;
  return {
    id: row.id,
    title: row.title,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    type: row.type as Page['type'],
    urls: { app: `${publicUrl}/spaces/${space.id}/pages/${row.id}` },
    slug: row.slug,
    path: row.path,
    hidden: row.hidden,
    noIndex: row.hidden,
    noRobotsIndex: row.hidden,
    pages: [],
    ...(row.emoji === null ? {} : { emoji: row.emoji }),
    ...(row.icon === null ? {} : { icon: row.icon }),
    ...(row.description === null ? {} : { description: row.description }),
    ...(row.dialect === null ? {} : { dialect: row.dialect }),
    ...(row.href === null ? {} : { href: row.href }),
    ...(metadata && row.gitOid !== null && row.gitPath !== null
      ? { git: { oid: row.gitOid, path: row.gitPath } }
      : {}),
  };
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
  content: { readonly pages: readonly PageRow[]; readonly files: readonly FileRow[] },
  view: Presentation,
): Revision {
  const { space, revision, publicUrl } = view;
  return {
    object: 'revision',
    id: revision.id,
    parents: revision.parents,
    pages: presentPages(content.pages, view),
    files: content.files.map((row) => presentFile(row, view)),
    reusableContents: [],
    variables: {},
    createdAt: revision.createdAt.toISOString(),
    urls: { app: `${publicUrl}/spaces/${space.id}/revisions/${revision.id}` },
    type: revision.type as Revision['type'],
    ...(view.metadata && revision.commitOid !== null
      ? { git: presentCommit(revision, revision.commitOid) }
      : {}),
  };
}

function presentCommit(revision: RevisionRow, oid: string): NonNullable<Revision['git']> {
  return {
    oid,
    message: revision.message ?? '',
    createdByService: revision.createdByService,
    ...(revision.commitUrl === null ? {} : { url: revision.commitUrl }),
    ...(revision.ref === null ? {} : { ref: revision.ref }),
  };
}

/** The beginning of a reference into this revision. */
export function referenceInto(
  content: Content,
): Pick<Reference, 'organization' | 'space' | 'versionContext'> {
  return {
    organization: content.space.organizationId,
    space: content.space.id,
    versionContext:
      content.changeRequest === null
        ? { type: 'revision', revision: content.revision.id }
        : { type: 'changeRequest', changeRequest: content.changeRequest.id },
  };
}
