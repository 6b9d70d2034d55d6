import { findRenamedHeading } from '../links/index.ts';
import type { FileFacts, Link, Rename, RepoPath, SpaceAnalysis } from '../model/index.ts';
import { checkedFileIn } from './analysis-of-state.ts';

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
 * stand in a file that the page takes in, and the page itself may have moved with the same change.
 */
export function suggestRenamedHeadings(
  links: readonly Link[],
  { base, head, renames }: ChangedTrees,
): ReadonlyMap<Link, Link> {
  const told = new Map<Link, Link>();
  const oldPath = new Map(renames.map(({ from, to }) => [to, from]));
  const newPath = new Map(renames.map(({ from, to }) => [from, to]));
  for (const link of links) {
    const { anchor } = link;
    const led = ledTo(link, newPath);
    if (anchor === null || led === null) continue;
    const name = newName(anchor, partsOf(head, led.page), (path) => factsIn(base, oldPath.get(path) ?? path));
    if (name === null) continue;
    const suggestion = led.written.replace(/#[\s\S]*$/, () => `#${name}`);
    const message = `${link.message?.replace(/\.$/, '')}${led.joint} the heading is now “${name}”.`;
    told.set(link, { ...link, suggestion, message });
  }
  return told;
}

/** The page whose heading a broken link is after, and the link to it as it is to be written but for the heading. */
function ledTo(
  { rule, resolved, target, suggestion, destination }: Link,
  newPath: ReadonlyMap<RepoPath, RepoPath>,
): { readonly page: RepoPath; readonly written: string; readonly joint: ':' | ', and' } | null {
  if (rule === 'missing-anchor')
    return resolved === null ? null : { page: resolved.path, written: target, joint: ':' };
  const page = destination === null ? undefined : newPath.get(destination);
  const isMoved = page !== undefined && suggestion?.includes('#') === true;
  return isMoved ? { page, written: suggestion, joint: ', and' } : null;
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
