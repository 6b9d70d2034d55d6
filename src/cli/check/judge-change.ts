import { compareIgnoring, type Ignores } from '../../content/ignore/index.ts';
import {
  type Change,
  type DetectedSpace,
  joinParts,
  type Link,
  type Rename,
  type SpaceAnalysis,
  type TreeEntry,
} from '../../content/index.ts';
import type { CheckResult } from './check-result.ts';

/** One part of a repository, and what is in it. */
export interface Judged {
  readonly space: DetectedSpace;
  readonly analysis: SpaceAnalysis;
}

export interface ChangeInput {
  /** All parts of the base, also those that are not checked there; null without a base. */
  readonly before: readonly Judged[] | null;
  /** The parts that are checked. */
  readonly after: readonly Judged[];
  /** The tree that was checked. */
  readonly entries: readonly TreeEntry[];
  readonly renames: readonly Rename[];
  readonly ignores: { readonly base: Ignores; readonly head: Ignores };
}

/**
 * All links with what the change did to them, and those that it fixed. The parts of a repository are compared as one,
 * so that a page that moves between them stays the same.
 */
export function judgeChange(input: ChangeInput): Pick<CheckResult, 'links' | 'fixed'> {
  const { before, renames, ignores } = input;
  const after = joinAnalyses(input.after);
  if (before === null) {
    return { links: ignores.head.apply(after.links).map((link) => ({ ...link, change: null })), fixed: [] };
  }
  const compared = compareIgnoring(joinAnalyses(before), after, renames, ignores);
  const introduced = new Set(compared.introduced);
  const changeOf = (link: Link): Change | null => {
    if (link.status !== 'broken') return null;
    return introduced.has(link) ? 'introduced' : 'existing';
  };
  const isMended = findMended(before, input);
  return {
    links: compared.links.map((link) => ({ ...link, change: changeOf(link) })),
    fixed: compared.fixed.filter(isMended).map((link) => ({ ...link, change: 'fixed' })),
  };
}

/** A link is mended where its file still is checked, or was and went away; not where only the checking ended. */
function findMended(
  before: readonly Judged[],
  { after, entries, renames }: ChangeInput,
): (link: Link) => boolean {
  const checked = filesOf(after);
  const wasChecked = filesOf(before.filter(({ space }) => space.isChecked));
  const there = new Set(entries.map(({ path }) => path));
  const newPath = new Map(renames.map(({ from, to }) => [from, to]));
  return ({ file }) => {
    const now = newPath.get(file) ?? file;
    return checked.has(now) || (wasChecked.has(file) && !there.has(now));
  };
}

function filesOf(parts: readonly Judged[]): ReadonlySet<string> {
  return new Set(parts.flatMap(({ analysis }) => analysis.files));
}

function joinAnalyses(judged: readonly Judged[]): SpaceAnalysis {
  const parts = judged.map(({ analysis }) => analysis);
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return only;
  const joined: SpaceAnalysis = {
    directory: '',
    format: 'github',
    pages: [],
    assets: [],
    settings: { reusable: [], variables: {}, redirects: new Map() },
    links: parts.flatMap(({ links }) => links),
    files: parts.flatMap(({ files }) => files),
    dialects: {},
    problems: parts.flatMap(({ problems }) => problems),
  };
  return joinParts(joined, parts);
}
