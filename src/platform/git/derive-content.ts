import { createHash } from 'node:crypto';
import type { SpaceAnalysis } from '../../content/index.ts';
import type { FileRow } from '../../store/files.ts';
import type { PageRow } from '../../store/pages.ts';
import type { RevisionCounts } from '../../store/revisions.ts';
import { contentTypeOf } from './content-type.ts';
import { type DerivedLink, deriveLinks } from './derive-links.ts';
import { type DerivedPage, derivePages } from './derive-pages.ts';
import type { StoredFile } from './keep-files.ts';
import type { ContentNames } from './name-content.ts';

export type DerivedFile = Omit<FileRow, 'revisionId'>;

/** All rows of a revision, but for the revision's own id. */
export interface DerivedContent {
  readonly pages: readonly DerivedPage[];
  readonly files: readonly DerivedFile[];
  readonly links: readonly DerivedLink[];
  readonly counts: RevisionCounts;
  /** The same for contents that say the same, whenever they were derived. */
  readonly digest: string;
}

/** Turns what the content engine found into rows. Pure, but for the ids that `names` gives. */
export function deriveContent(
  analysis: SpaceAnalysis,
  options: {
    readonly names: ContentNames;
    readonly previous: ReadonlyMap<string, PageRow>;
    readonly stored: readonly StoredFile[];
    readonly treeUrl: string | undefined;
    readonly now: Date;
  },
): DerivedContent {
  const pages = derivePages(analysis.pages, options);
  const files = options.stored.map((file) => toFile(file, options.names));
  const links = deriveLinks(analysis.links, {
    pageIds: firstByPath(pages),
    fileIds: new Map(files.map((file) => [file.gitPath, file.id])),
    treeUrl: options.treeUrl,
  });
  const countOf = (status: string) => links.filter((link) => link.status === status).length;
  return {
    pages,
    files,
    links,
    counts: {
      pages: pages.filter((page) => page.type === 'document').length,
      files: files.length,
      links: links.length,
      broken: countOf('broken'),
      inApp: countOf('in-app'),
      unchecked: countOf('unchecked'),
    },
    digest: digestOf(pages, files, links),
  };
}

function toFile(file: StoredFile, names: ContentNames): DerivedFile {
  return {
    id: names.idOf('file', file.path),
    name: file.path.slice(file.path.lastIndexOf('/') + 1),
    contentType: contentTypeOf(file.path),
    size: file.size,
    width: file.dimensions?.width ?? null,
    height: file.dimensions?.height ?? null,
    gitPath: file.path,
    gitOid: file.oid,
  };
}

/** A page that stands several times in the navigation is linked to where it stands first. */
function firstByPath(pages: readonly DerivedPage[]): ReadonlyMap<string, string> {
  const ids = new Map<string, string>();
  for (const { gitPath, id } of pages) {
    if (gitPath !== null && !ids.has(gitPath)) ids.set(gitPath, id);
  }
  return ids;
}

function digestOf(
  pages: readonly DerivedPage[],
  files: readonly DerivedFile[],
  links: readonly DerivedLink[],
): string {
  const hash = createHash('sha256');
  for (const { createdAt: _created, updatedAt: _updated, ...page } of pages)
    hash.update(JSON.stringify(page));
  for (const file of files) hash.update(JSON.stringify(file));
  for (const link of links) hash.update(JSON.stringify(link));
  return hash.digest('hex');
}
