import { anchorsIn } from './incremental/analysis-of-state.ts';
import { findRenamedHeading } from './links/renamed-heading.ts';
import type { Link, Rename, SpaceAnalysis } from './model.ts';

/** Two trees, and the renames between them. */
export interface ChangedTrees {
  readonly base: SpaceAnalysis;
  readonly head: SpaceAnalysis;
  readonly renames: readonly Rename[];
}

/** The links among those given whose heading the change renamed, each with its new name as the suggestion. */
export function suggestRenamedHeadings(
  links: readonly Link[],
  { base, head, renames }: ChangedTrees,
): ReadonlyMap<Link, Link> {
  const told = new Map<Link, Link>();
  const oldPath = new Map(renames.map(({ from, to }) => [to, from]));
  for (const link of links) {
    const { rule, anchor, resolved, target } = link;
    if (rule !== 'missing-anchor' || anchor === null || resolved === null) continue;
    const after = anchorsIn(head, resolved.path);
    const before = anchorsIn(base, oldPath.get(resolved.path) ?? resolved.path);
    if (before === undefined || after === undefined || before === after) continue;
    const name = findRenamedHeading(before, after, anchor);
    if (name === null) continue;
    const suggestion = target.replace(/#[\s\S]*$/, () => `#${name}`);
    const message = `${link.message?.replace(/\.$/, '')}: the heading is now “${name}”.`;
    told.set(link, { ...link, suggestion, message });
  }
  return told;
}
