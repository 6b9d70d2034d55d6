import { hasText, type PageIndex } from '../content/page-index.ts';
import type { SpaceContents } from '../content/space-contents.ts';
import type { VariantLocation } from '../locate-path.ts';

/** More are not listed. */
const MAX_CHANGES = 200;

/** A page that a proposed change adds, changes or removes. */
export interface PreviewedChange {
  readonly kind: 'added' | 'changed' | 'removed';
  readonly title: string;
  /** Below the site; null for one that is removed. */
  readonly paths: readonly string[] | null;
}

/** What pages of a preview say about it. */
export interface ShownPreview {
  /** Of the proposed change. */
  readonly title: string;
  readonly url: string;
  readonly changes: readonly PreviewedChange[];
  /** Another one for each state of it. */
  readonly version: string;
}

/** The pages in which two states of a site differ, in the order of its navigation, those that are removed at the end. */
export async function findChangedPages(
  contents: SpaceContents,
  {
    before,
    after,
  }: {
    readonly before: readonly VariantLocation[];
    readonly after: readonly VariantLocation[];
  },
): Promise<readonly PreviewedChange[]> {
  const changes: PreviewedChange[] = [];
  for (const [at, { siteSpace }] of after.entries()) {
    const base = before[at]?.siteSpace;
    if (base === undefined || base.row.space.revisionId === siteSpace.row.space.revisionId) continue;
    const [was, is] = [await contents.load(base.row.space), await contents.load(siteSpace.row.space)];
    changes.push(...comparePages(was?.pages ?? null, is?.pages ?? null, siteSpace.path));
  }
  return changes
    .toSorted((a, b) => Number(a.kind === 'removed') - Number(b.kind === 'removed'))
    .slice(0, MAX_CHANGES);
}

function comparePages(was: PageIndex | null, is: PageIndex | null, path: string): readonly PreviewedChange[] {
  const changes: PreviewedChange[] = [];
  for (const { row } of is?.byId.values() ?? []) {
    if (!hasText(row)) continue;
    const base = was?.byId.get(row.id)?.row;
    const isSame = base?.gitOid === row.gitOid && base.title === row.title && base.path === row.path;
    if (isSame) continue;
    changes.push({
      kind: base === undefined ? 'added' : 'changed',
      title: row.title,
      paths: [path, row.path],
    });
  }
  for (const { row } of was?.byId.values() ?? [])
    if (hasText(row) && is?.byId.get(row.id) === undefined)
      changes.push({ kind: 'removed', title: row.title, paths: null });
  return changes;
}
