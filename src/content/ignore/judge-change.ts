import { joinParts } from '../engine/index.ts';
import type { Comparison, DetectedSpace, Link, Rename, SpaceAnalysis, TreeEntry } from '../model/index.ts';
import { compareIgnoring } from './compare-ignoring.ts';
import type { Ignores } from './ignores.ts';

/** One part of a repository, and what is in it. */
export interface Judged {
  readonly space: DetectedSpace;
  readonly analysis: SpaceAnalysis;
}

export interface ChangeInput {
  /** All parts of the base, also those that are not checked there. */
  readonly before: readonly Judged[];
  /** The parts that are checked. */
  readonly after: readonly Judged[];
  /** The tree that was checked. */
  readonly entries: readonly TreeEntry[];
  readonly renames: readonly Rename[];
  readonly ignores: { readonly base: Ignores; readonly head: Ignores };
}

export interface JudgedChange extends Comparison {
  /** All links of the checked parts, in their order, with what is ignored there. */
  readonly links: readonly Link[];
}

/**
 * What a change did to the links of a repository. Its parts are compared as one, so that a page that moves between them
 * stays the same. Each tree must have been judged by its own configuration: what a change to that does is the change's
 * doing.
 */
export function judgeChange(input: ChangeInput): JudgedChange {
  const { before, after, renames, ignores } = input;
  const compared = compareIgnoring(joinAnalyses(before), joinAnalyses(after), renames, ignores);
  return { ...compared, fixed: compared.fixed.filter(findMended(before, input)) };
}

/** The links of one tree that nothing is measured against, with what is ignored there. */
export function judgeAlone(parts: readonly Judged[], ignores: Ignores): readonly Link[] {
  return ignores.apply(joinAnalyses(parts).links);
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
