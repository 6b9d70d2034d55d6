import {
  type AnalysedSpace,
  analyseSpaces,
  doInTurns,
  type Engine,
  type ReadBlobs,
  shareConventions,
} from '../engine/index.ts';
import { createIgnores, type IgnoreComments, type IgnoreRule, type Ignores } from '../ignore/index.ts';
import {
  checkedAmong,
  type DetectedSpace,
  type Rename,
  type RepoPath,
  type RepositoryAddress,
  type SpaceAnalysis,
  type TreeEntry,
  type UnjudgedLinks,
} from '../model/index.ts';
import { findLostInSpaces, type LostInSpace } from '../move/index.ts';
import { compareSpaces, type SpacesComparison } from './compare-spaces.ts';
import { breakLinksTakenAway, findUnjudged } from './links-taken-away.ts';

/** One of the two trees with its own configuration, so that the effect of a changed configuration is part of the result. */
export interface ComparedTree<Space extends DetectedSpace = DetectedSpace> {
  readonly tree: readonly TreeEntry[];
  readonly read: ReadBlobs;
  /** All parts of the tree. */
  readonly spaces: readonly Space[];
  readonly ignore: readonly IgnoreRule[];
}

export interface TreesToCompare<Space extends DetectedSpace = DetectedSpace> {
  readonly base: ComparedTree<Space>;
  /** `wanted` are the spaces to analyse; all that are checked when absent. */
  readonly head: ComparedTree<Space> & { readonly wanted?: readonly Space[] };
  /** From the base to the head. */
  readonly renames: readonly Rename[];
  /** The repository on its host, so that its own web addresses count as links into the tree; null when unknown. */
  readonly repository: RepositoryAddress | null;
  readonly comments: CommentSource;
  /** The current day, `YYYY-MM-DD`, for ignore rules with a last day. */
  readonly today: string;
  /** Whether to find the addresses that the change removes without a redirect. */
  readonly findsLostAddresses: boolean;
  /** Called before each space is analysed. An error that it throws stops the comparison. */
  readonly onSpace?: (space: Space, side: 'base' | 'head') => void;
}

/** The source of the ignore comments in the files of both trees. */
export interface CommentSource {
  /** Reads what is needed of the analysed trees; absent when the comments were read together with the files. */
  load?(base: readonly SpaceAnalysis[], head: readonly SpaceAnalysis[]): Promise<void>;
  /** Returns the comments of a tree's files; undefined for a file that has none or was not read. */
  commentsIn(tree: readonly TreeEntry[]): (file: RepoPath) => IgnoreComments | undefined;
}

/** The effect of a change. `links`, `introduced` and `existing` are those of the spaces in `head`. */
export interface TreeComparison<Space extends DetectedSpace = DetectedSpace> extends SpacesComparison {
  /** All parts of the base, including those that are not checked: what was broken in them is not introduced. */
  readonly base: readonly AnalysedSpace<Space>[];
  readonly head: readonly AnalysedSpace<Space>[];
  /** The addresses that the change removes without a redirect, by the spaces of the head that had them. */
  readonly lost: readonly LostInSpace<Space>[];
  /** Links into the repository that the change adds or touches and that could not be checked. */
  readonly unjudged: UnjudgedLinks;
  /** The ignore rules of the head, with their problems. */
  readonly ignores: Ignores;
}

/** Compares the links and addresses of two trees of a repository: a pull request's two commits, a work tree and its base. */
export async function compareTrees<Space extends DetectedSpace>(
  engine: Pick<Engine, 'analyse'>,
  { base, head, renames, repository, comments, today, findsLostAddresses, onSpace }: TreesToCompare<Space>,
): Promise<TreeComparison<Space>> {
  // The base comes first, so that reading the head costs only what differs.
  const before = await analyseSpaces(engine, {
    ...base,
    repository,
    onSpace: (space) => onSpace?.(space, 'base'),
  });
  const after = await analyseSpaces(engine, {
    ...head,
    wanted: head.wanted ?? checkedAmong(head.spaces),
    renames,
    repository,
    onSpace: (space) => onSpace?.(space, 'head'),
  });
  const { base: older, head: analysed } = await doInTurns(shareConventions(before, after));
  const newer = await breakLinksTakenAway({ ...base, spaces: older }, { ...head, spaces: analysed }, renames);
  await comments.load?.(
    older.map(({ analysis }) => analysis),
    newer.map(({ analysis }) => analysis),
  );
  const ignoresOf = ({ tree, ignore }: ComparedTree<Space>) =>
    createIgnores({ rules: ignore, commentsOf: comments.commentsIn(tree), today });
  const ignores = { base: ignoresOf(base), head: ignoresOf(head) };
  const lost = findsLostAddresses
    ? await findLostInSpaces({ ...base, spaces: older }, { ...head, spaces: newer }, renames)
    : [];
  const compared = compareSpaces({ base: older, head: newer, tree: head.tree, renames, ignores });
  const unjudged = findUnjudged(older, newer, renames);
  return { ...compared, base: older, head: newer, lost, unjudged, ignores: ignores.head };
}
