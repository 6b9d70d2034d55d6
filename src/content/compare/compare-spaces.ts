import { type AnalysedSpace, joinParts } from '../engine/index.ts';
import type { Ignores } from '../ignore/index.ts';
import type { Comparison, Link, Rename, SpaceAnalysis, TreeEntry } from '../model/index.ts';
import { compareIgnoring } from './compare-ignoring.ts';

export interface SpacesToCompare {
  /** All parts of the base, including those that are not checked. */
  readonly base: readonly AnalysedSpace[];
  /** The parts of the head that are checked. */
  readonly head: readonly AnalysedSpace[];
  /** The head's tree. */
  readonly tree: readonly TreeEntry[];
  readonly renames: readonly Rename[];
  readonly ignores: { readonly base: Ignores; readonly head: Ignores };
}

export interface SpacesComparison extends Comparison {
  /** All links of the checked parts of the head, in their order, after its ignore rules are applied. */
  readonly links: readonly Link[];
}

/**
 * Compares the links of a repository's parts. They are compared as a whole, so that a page that moves between parts is
 * the same page.
 */
export function compareSpaces(input: SpacesToCompare): SpacesComparison {
  const { base, head, renames, ignores } = input;
  const compared = compareIgnoring(joinAnalyses(base), joinAnalyses(head), renames, ignores);
  return { ...compared, fixed: compared.fixed.filter(fixedBy(input)) };
}

/** A link is fixed if its file is still checked, or was checked and removed; not if its file is only no longer checked. */
function fixedBy({ base, head, tree, renames }: SpacesToCompare): (link: Link) => boolean {
  const checked = filesOf(head);
  const wasChecked = filesOf(base.filter(({ space }) => space.isChecked));
  const there = new Set(tree.map(({ path }) => path));
  const newPath = new Map(renames.map(({ from, to }) => [from, to]));
  return ({ file }) => {
    const now = newPath.get(file) ?? file;
    return checked.has(now) || (wasChecked.has(file) && !there.has(now));
  };
}

function filesOf(parts: readonly AnalysedSpace[]): ReadonlySet<string> {
  return new Set(parts.flatMap(({ analysis }) => analysis.files));
}

function joinAnalyses(spaces: readonly AnalysedSpace[]): SpaceAnalysis {
  const parts = spaces.map(({ analysis }) => analysis);
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
    notices: parts.flatMap(({ notices }) => notices),
  };
  return joinParts(joined, parts);
}
