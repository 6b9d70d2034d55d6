import { nameAtEnd } from '../links/index.ts';
import type { Link, RepoPath, SpaceAnalysis } from '../model/index.ts';
import { folderOf, isHostFile } from '../tree/index.ts';
import { anchorsIn } from './analysis-of-state.ts';

/**
 * Returns whether the fragment of a link to its own page is the name of a heading of another page of the same folder, as if
 * these were one page. The names of a folder are collected once, and only when a link asks: most trees have none that does.
 */
export function findHeadingsBeside(analysis: SpaceAnalysis): (link: Link) => boolean {
  const byFolder = new Map<RepoPath, ReadonlySet<string>>();
  let pages: ReadonlyMap<RepoPath, readonly RepoPath[]> | undefined;
  return ({ rule, target, anchor, file }) => {
    if (rule !== 'missing-anchor' || anchor === null || !target.trim().startsWith('#')) return false;
    const folder = folderOf(file);
    let names = byFolder.get(folder);
    if (names === undefined) {
      pages ??= Map.groupBy(
        analysis.files.filter((each) => !isHostFile(each)),
        folderOf,
      );
      names = new Set((pages.get(folder) ?? []).flatMap((page) => namesIn(analysis, page)));
      byFolder.set(folder, names);
    }
    return names.has(anchor);
  };
}

function namesIn(analysis: SpaceAnalysis, page: RepoPath): readonly string[] {
  return (anchorsIn(analysis, page) ?? []).flatMap(({ name, heading }) => {
    const written = heading === null ? null : nameAtEnd(heading);
    return written === null ? [name] : [name, written];
  });
}
