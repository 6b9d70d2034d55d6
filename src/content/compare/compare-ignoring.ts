import { compareAnalyses, suggestRenamedHeadings } from '../engine/index.ts';
import type { Ignores } from '../ignore/index.ts';
import type { Comparison, Link, Rename, SpaceAnalysis } from '../model/index.ts';

export interface IgnoringComparison extends Comparison {
  /** All links of the newer tree after its ignore rules are applied. */
  readonly links: readonly Link[];
}

/**
 * Compares the links that are not ignored. A link that the change ignores is neither fixed nor broken; a broken link that
 * the change stops ignoring is introduced by it.
 */
export function compareIgnoring(
  base: SpaceAnalysis,
  head: SpaceAnalysis,
  renames: readonly Rename[],
  ignores: { readonly base: Ignores; readonly head: Ignores },
): IgnoringComparison {
  const links = ignores.head.apply(head.links);
  const before = ignores.base.apply(base.links);
  const compare = (older: readonly Link[], newer: readonly Link[]) =>
    compareAnalyses({ links: older }, { links: newer }, renames);
  // Where nothing is ignored, files whose verdicts both trees share can be skipped.
  const isPlain = isSame(base.links, before) && isSame(head.links, links);
  const compared = isPlain ? compareAnalyses(base, head, renames) : compare(before, links);
  const newlyIgnored = compare(ignoredOf(base.links, before), ignoredOf(head.links, links)).introduced;
  const { fixed } = compare(compared.fixed, newlyIgnored);
  const suggested = suggestRenamedHeadings(compared.introduced, { base, head, renames });
  const withSuggestion = (link: Link) => suggested.get(link) ?? link;
  return {
    introduced: compared.introduced.map(withSuggestion),
    existing: compared.existing,
    fixed,
    links: suggested.size === 0 ? links : links.map(withSuggestion),
  };
}

function isSame(all: readonly Link[], counting: readonly Link[]): boolean {
  return all.every((link, at) => counting[at] === link);
}

/** Broken links that the ignore rules changed. */
function ignoredOf(all: readonly Link[], counting: readonly Link[]): readonly Link[] {
  return all.filter((link, at) => link.status === 'broken' && counting[at] !== link);
}
