import { findRenamedHeading } from '../links/index.ts';
import type { FileFacts, Link, Rename, RepoPath, SpaceAnalysis } from '../model/index.ts';
import { checkedFileIn } from './analysis-of-state.ts';

/** The analyses of two trees, and the renames between them. */
export interface ChangedTrees {
  readonly base: SpaceAnalysis;
  readonly head: SpaceAnalysis;
  readonly renames: readonly Rename[];
}

/** How many of the files that a page includes are searched. */
const MAX_PARTS = 50;

/**
 * Returns the links whose heading the change renamed, each mapped to a copy that suggests the new name. The heading may be
 * in a file that the page includes, and the page itself may have been moved by the same change.
 */
export function suggestRenamedHeadings(
  links: readonly Link[],
  { base, head, renames }: ChangedTrees,
): ReadonlyMap<Link, Link> {
  const suggested = new Map<Link, Link>();
  const oldPath = new Map(renames.map(({ from, to }) => [to, from]));
  const newPath = new Map(renames.map(({ from, to }) => [from, to]));
  for (const link of links) {
    const { anchor } = link;
    const target = headingTarget(link, newPath);
    if (anchor === null || target === null) continue;
    const name = newName(anchor, partsOf(head, target.page), (path) =>
      factsIn(base, oldPath.get(path) ?? path),
    );
    if (name === null) continue;
    const suggestion = target.written.replace(/#[\s\S]*$/, () => `#${name}`);
    const message = `${link.message?.replace(/\.$/, '')}${target.joint} the heading is now “${name}”.`;
    suggested.set(link, { ...link, suggestion, message });
  }
  return suggested;
}

/** The page whose heading a broken link points to, and the destination to write except for its fragment. */
function headingTarget(
  { rule, resolved, target, suggestion, destination }: Link,
  newPath: ReadonlyMap<RepoPath, RepoPath>,
): { readonly page: RepoPath; readonly written: string; readonly joint: ':' | ', and' } | null {
  if (rule === 'missing-anchor')
    return resolved === null ? null : { page: resolved.path, written: target, joint: ':' };
  const page = destination === null ? undefined : newPath.get(destination);
  const isMoved = page !== undefined && suggestion?.includes('#') === true;
  return isMoved ? { page, written: suggestion, joint: ', and' } : null;
}

/** The new name of a heading that was in one of a page's files; null unless it is certain. */
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
    // The same name in two of the files becomes two names on the page.
    const owners = [...files.values()].filter(({ anchors }) =>
      anchors.some((anchor) => anchor.name === name),
    );
    return owners.length === 1 ? name : null;
  }
  return null;
}

/** A page and the files that it includes, at any depth. */
function partsOf(analysis: SpaceAnalysis, page: RepoPath): ReadonlyMap<RepoPath, FileFacts> {
  const parts = new Map<RepoPath, FileFacts>();
  const open = [page];
  for (let path = open.shift(); path !== undefined && parts.size < MAX_PARTS; path = open.shift()) {
    const file = checkedFileIn(analysis, path);
    if (file?.facts === undefined || parts.has(path)) continue;
    parts.set(path, file.facts);
    for (const { carrier, resolved } of file.links) {
      if (carrier === 'include' && resolved !== null) open.push(resolved.path);
    }
  }
  return parts;
}

function factsIn(analysis: SpaceAnalysis, path: RepoPath): FileFacts | undefined {
  return checkedFileIn(analysis, path)?.facts;
}
