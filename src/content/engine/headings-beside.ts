import { nameAtEnd } from '../links/index.ts';
import type { Link, RepoPath, SpaceAnalysis } from '../model/index.ts';
import { folderOf, isHostFile } from '../tree/index.ts';
import { anchorsIn } from './analysis-of-state.ts';
import type { Steps } from './steps.ts';

/**
 * Returns whether the fragment of a link to its own page is the name of a heading of another page of the same folder, as if
 * these were one page. The names of a folder are collected once, and only when a link asks: most trees have none that does.
 */
export function findHeadingsBeside(analysis: SpaceAnalysis): (link: Link) => Steps<boolean> {
  const byFolder = new Map<RepoPath, ReadonlySet<string>>();
  let pages: ReadonlyMap<RepoPath, readonly RepoPath[]> | undefined;
  return function* ({ rule, target, anchor, file }) {
    if (rule !== 'missing-anchor' || anchor === null || !target.trim().startsWith('#')) return false;
    const folder = folderOf(file);
    let names = byFolder.get(folder);
    if (names === undefined) {
      pages ??= Map.groupBy(
        analysis.files.filter((each) => !isHostFile(each)),
        folderOf,
      );
      names = yield* namesIn(analysis, pages.get(folder) ?? []);
      byFolder.set(folder, names);
    }
    return names.has(anchor);
  };
}

function* namesIn(analysis: SpaceAnalysis, pages: readonly RepoPath[]): Steps<ReadonlySet<string>> {
  const names = new Set<string>();
  for (const page of pages) {
    for (const { name, heading } of anchorsIn(analysis, page) ?? []) {
      const written = heading === null ? null : nameAtEnd(heading);
      names.add(name);
      if (written !== null) names.add(written);
      yield 1;
    }
  }
  return names;
}
