import {
  type Db,
  findSpecsNamed,
  type LinkLocation,
  type LinkRow,
  listComputedPages,
  specsOf,
} from '../../store/index.ts';
import type { Content } from './locate-content.ts';

/**
 * What pages are computed from, as links that are in no file: their paths begin with a slash, which no path of a tree
 * does, so they sort before all other links. `pageId` null is for all pages of the revision.
 */
export async function listComputedLinks(
  db: Db,
  { space, revision }: Content,
  pageId: string | null,
): Promise<readonly LinkRow[]> {
  const pages = await listComputedPages(db, revision, pageId);
  const names = new Set(pages.flatMap(specsOf));
  const specs = await findSpecsNamed(db, space.organizationId, [...names]);
  const existing = new Set(specs.map(({ slug }) => slug));
  return pages.flatMap((page) =>
    specsOf(page).map((spec, ordinal) => ({
      ...withoutLocation,
      gitPath: `/${page.id}`,
      ordinal,
      pageId: page.id,
      target: spec,
      status: existing.has(spec) ? 'in-app' : 'broken',
    })),
  );
}

/** The rows after the location of a computed link; none after any other location. */
export function linksAfter(rows: readonly LinkRow[], after: LinkLocation | null): readonly LinkRow[] {
  if (after === null) return rows;
  if (!isComputed(after)) return [];
  return rows.filter(
    ({ gitPath, ordinal }) =>
      gitPath > after.gitPath || (gitPath === after.gitPath && ordinal > after.ordinal),
  );
}

/** Whether a link is in no file, because its page is computed. */
export function isComputed({ gitPath }: LinkLocation): boolean {
  return gitPath.startsWith('/');
}

const withoutLocation = {
  line: 0,
  column: 0,
  endLine: 0,
  endColumn: 0,
  relation: 'dependsOn',
  rule: null,
  message: null,
  suggestion: null,
  targetKind: 'openapi',
  targetPageId: null,
  targetFileId: null,
  targetAnchor: null,
  targetUrl: null,
} as const;
