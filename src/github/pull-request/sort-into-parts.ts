import type { TreeComparison } from '../../content/compare/index.ts';
import type { AnalysedSpace, Link, Rename, SpaceAnalysis } from '../../content/index.ts';
import type { ReportPart } from '../../content/report/index.ts';
import type { RepositorySpace } from '../repository/index.ts';

/** A part of a tree with its title in reports. */
export type NamedSpace = AnalysedSpace<RepositorySpace>;

/**
 * Groups the results of a comparison by the head's parts. A fixed link belongs to the part that contains its file now, or
 * that has the directory of its old part; else to the last.
 */
export function sortIntoParts(
  { introduced, existing, fixed, base: baseParts, head: headParts }: TreeComparison<RepositorySpace>,
  renames: readonly Rename[],
): readonly ReportPart[] {
  const newPath = new Map(renames.map(({ from, to }) => [from, to]));
  const last = headParts.length - 1;
  const indexes = new Map(headParts.map(({ space }, at) => [space.directory, at]));
  const indexOf = (part: NamedSpace) => indexes.get(part.space.directory) ?? last;
  const headIndexes = indexFiles(headParts, indexOf);
  const baseIndexes = indexFiles(baseParts, indexOf);
  const inHead = ({ file }: Link) => headIndexes.get(file) ?? last;
  const groups = {
    introduced: Map.groupBy(introduced, inHead),
    existing: Map.groupBy(existing, inHead),
    fixed: Map.groupBy(
      fixed,
      ({ file }) => headIndexes.get(newPath.get(file) ?? file) ?? baseIndexes.get(file) ?? last,
    ),
    base: Map.groupBy(baseParts, indexOf),
  };
  const parts = headParts.map(({ space: { title, directory }, analysis }, at) => ({
    space: { title, directory, pages: countPages(analysis.pages), links: analysis.links.length },
    introduced: groups.introduced.get(at) ?? [],
    existing: groups.existing.get(at) ?? [],
    fixed: groups.fixed.get(at) ?? [],
    baseLinks: linksOf(groups.base.get(at) ?? []),
  }));
  // Parts beside the spaces are left out when they have no link.
  return parts.filter(
    ({ space, baseLinks }, at) =>
      headParts[at]?.space.role === 'space' || space.links > 0 || baseLinks.length > 0,
  );
}

function indexFiles(
  parts: readonly NamedSpace[],
  indexOf: (part: NamedSpace) => number,
): ReadonlyMap<string, number> {
  return new Map(parts.flatMap((part) => part.analysis.files.map((file) => [file, indexOf(part)] as const)));
}

function linksOf(parts: readonly NamedSpace[]): readonly Link[] {
  const [only] = parts;
  return parts.length === 1 && only !== undefined
    ? only.analysis.links
    : parts.flatMap(({ analysis }) => analysis.links);
}

function countPages(pages: SpaceAnalysis['pages']): number {
  return pages.reduce((sum, page) => sum + (page.type === 'document' ? 1 : 0) + countPages(page.pages), 0);
}
