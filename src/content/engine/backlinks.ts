import type { Link, RepoPath, SpaceAnalysis } from '../model/index.ts';

const linksTo = new WeakMap<SpaceAnalysis, ReadonlyMap<RepoPath, readonly Link[]>>();

/** Returns the links of other files that lead to `path`, including those whose anchor is missing, in their order. */
export function backlinksOf(analysis: SpaceAnalysis, path: RepoPath): readonly Link[] {
  let index = linksTo.get(analysis);
  if (index === undefined) {
    index = indexLinks(analysis.links);
    linksTo.set(analysis, index);
  }
  return index.get(path) ?? [];
}

function indexLinks(links: readonly Link[]): ReadonlyMap<RepoPath, readonly Link[]> {
  const index = new Map<RepoPath, Link[]>();
  for (const link of links) {
    const path = link.resolved?.path;
    if (path === undefined || path === link.file) continue;
    const group = index.get(path);
    if (group === undefined) index.set(path, [link]);
    else group.push(link);
  }
  return index;
}
