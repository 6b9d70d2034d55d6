import {
  type Link,
  MAX_PAGE_PARTS,
  type Oid,
  type RepoPath,
  type SpaceAnalysis,
  type TreeEntry,
} from '../model/index.ts';
import { checkedFileIn } from './analysis-of-state.ts';

/** A file that is included in a page's text, or the reason why it is not. */
export type PagePart = PartPosition & (ShownPart | MissingPart);

interface PartPosition {
  /** The file that includes it: the page's own, or another part. */
  readonly in: RepoPath;
  /** As written there. */
  readonly target: string;
}

interface ShownPart {
  readonly path: RepoPath;
  readonly oid: Oid;
}

interface MissingPart {
  /** One sentence for people. */
  readonly problem: string;
}

/**
 * Returns the files that a page includes, at any depth, as the link check resolved them; null when there are none.
 * Content that exists only in the publisher's app is left out.
 */
export function partsOfPage(
  analysis: SpaceAnalysis,
  page: RepoPath,
  entryAt: (path: RepoPath) => TreeEntry | undefined,
): readonly PagePart[] | null {
  const parts: PagePart[] = [];
  const files = new Set([page]);
  for (const file of files) {
    const known = new Set<string>();
    for (const { target, status, message, resolved } of includesIn(analysis, file)) {
      if (known.has(target) || status === 'in-app' || parts.length === MAX_PAGE_PARTS) continue;
      known.add(target);
      const entry = status !== 'ok' || resolved === null ? undefined : entryAt(resolved.path);
      if (entry === undefined)
        parts.push({ in: file, target, problem: message ?? 'It is not a file of the repository.' });
      else {
        parts.push({ in: file, target, path: entry.path, oid: entry.oid });
        files.add(entry.path);
      }
    }
  }
  return parts.length === 0 ? null : parts;
}

const includes = new WeakMap<readonly Link[], readonly Link[]>();

const none: readonly Link[] = [];

/** Analyses share the list of a file whose verdicts are unchanged, so that most lists are searched once. */
function includesIn(analysis: SpaceAnalysis, file: RepoPath): readonly Link[] {
  const links = checkedFileIn(analysis, file)?.links ?? none;
  let found = includes.get(links);
  if (found === undefined) {
    const own = links.filter(
      ({ kind, carrier }) => (kind === 'block' || kind === 'import') && carrier === 'include',
    );
    found = own.length === 0 ? none : own;
    includes.set(links, found);
  }
  return found;
}
