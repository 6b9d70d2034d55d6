import { judgedFileIn } from './incremental/analysis-of-state.ts';
import { findRenamedHeading } from './links/renamed-heading.ts';
import type { FileFacts, Link, Rename, RepoPath, SpaceAnalysis } from './model.ts';

/** Two trees, and the renames between them. */
export interface ChangedTrees {
  readonly base: SpaceAnalysis;
  readonly head: SpaceAnalysis;
  readonly renames: readonly Rename[];
}

/** Of one page, so many of the files that it takes in are looked through. */
const MAX_PARTS = 50;

/**
 * The links among those given whose heading the change renamed, each with its new name as the suggestion. The heading may
 * stand in a file that the page takes in.
 */
export function suggestRenamedHeadings(
  links: readonly Link[],
  { base, head, renames }: ChangedTrees,
): ReadonlyMap<Link, Link> {
  const told = new Map<Link, Link>();
  const oldPath = new Map(renames.map(({ from, to }) => [to, from]));
  for (const link of links) {
    const { rule, anchor, resolved, target } = link;
    if (rule !== 'missing-anchor' || anchor === null || resolved === null) continue;
    const name = newName(anchor, partsOf(head, resolved.path), (path) =>
      factsIn(base, oldPath.get(path) ?? path),
    );
    if (name === null) continue;
    const suggestion = target.replace(/#[\s\S]*$/, () => `#${name}`);
    const message = `${link.message?.replace(/\.$/, '')}: the heading is now “${name}”.`;
    told.set(link, { ...link, suggestion, message });
  }
  return told;
}

/** The name of a heading that one of a page's files had; null when that is not certain. */
function newName(
  anchor: string,
  files: ReadonlyMap<RepoPath, FileFacts>,
  before: (path: RepoPath) => FileFacts | undefined,
): string | null {
  for (const [path, after] of files) {
    const old = before(path);
    if (old === undefined || old === after) continue;
    const name = findRenamedHeading(old, after, anchor);
    if (name === null) continue;
    // The same name in two of the files is two names on the page.
    const holders = [...files.values()].filter((one) => one.anchors.some((other) => other.name === name));
    return holders.length === 1 ? name : null;
  }
  return null;
}

/** A page and the files that it takes in, at any depth. */
function partsOf(analysis: SpaceAnalysis, page: RepoPath): ReadonlyMap<RepoPath, FileFacts> {
  const parts = new Map<RepoPath, FileFacts>();
  const open = [page];
  for (let path = open.shift(); path !== undefined && parts.size < MAX_PARTS; path = open.shift()) {
    const file = judgedFileIn(analysis, path);
    if (file?.facts === undefined || parts.has(path)) continue;
    parts.set(path, file.facts);
    for (const { carrier, resolved } of file.links) {
      if (carrier === 'include' && resolved !== null) open.push(resolved.path);
    }
  }
  return parts;
}

function factsIn(analysis: SpaceAnalysis, path: RepoPath): FileFacts | undefined {
  return judgedFileIn(analysis, path)?.facts;
}
