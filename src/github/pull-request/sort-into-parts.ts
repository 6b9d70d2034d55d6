import type { TreeComparison } from '../../content/compare/index.ts';
import type { AnalysedSpace, Link, Rename, SpaceAnalysis } from '../../content/index.ts';
import type { ReportPart } from '../../content/report/index.ts';
import type { RepositorySpace } from '../repository/index.ts';

/** One part of a tree, by the name that reports give it. */
export type NamedSpace = AnalysedSpace<RepositorySpace>;

/**
 * Sorts what a change did into the head's parts, as reports tell it. A link that was fixed belongs to the part that
 * holds its file now, or that holds the folder of its old part; else to the last.
 */
export function sortIntoParts(
  { introduced, existing, fixed, base: baseParts, head: headParts }: TreeComparison<RepositorySpace>,
  renames: readonly Rename[],
): readonly ReportPart[] {
  const newPath = new Map(renames.map(({ from, to }) => [from, to]));
  const last = headParts.length - 1;
  const places = new Map(headParts.map(({ space }, at) => [space.directory, at]));
  const placeOf = (part: NamedSpace) => places.get(part.space.directory) ?? last;
  const now = placesOfFiles(headParts, placeOf);
  const then = placesOfFiles(baseParts, placeOf);
  const inHead = ({ file }: Link) => now.get(file) ?? last;
  const groups = {
    introduced: Map.groupBy(introduced, inHead),
    existing: Map.groupBy(existing, inHead),
    fixed: Map.groupBy(fixed, ({ file }) => now.get(newPath.get(file) ?? file) ?? then.get(file) ?? last),
    base: Map.groupBy(baseParts, placeOf),
  };
  const parts = headParts.map(({ space: { title, directory }, analysis }, at) => ({
    space: { title, directory, pages: countPages(analysis.pages), links: analysis.links.length },
    introduced: groups.introduced.get(at) ?? [],
    existing: groups.existing.get(at) ?? [],
    fixed: groups.fixed.get(at) ?? [],
    baseLinks: linksOf(groups.base.get(at) ?? []),
  }));
  // What is beside the spaces need not be told of where it holds no link.
  return parts.filter(
    ({ space, baseLinks }, at) =>
      headParts[at]?.space.role === 'space' || space.links > 0 || baseLinks.length > 0,
  );
}

function placesOfFiles(
  parts: readonly NamedSpace[],
  placeOf: (part: NamedSpace) => number,
): ReadonlyMap<string, number> {
  return new Map(parts.flatMap((part) => part.analysis.files.map((file) => [file, placeOf(part)] as const)));
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
