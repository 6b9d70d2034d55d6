import { type AnalysedSpace, analyseSpaces, type Engine, type ReadBlobs } from '../engine/index.ts';
import { createIgnores, type IgnoreComments, type IgnoreRule, type Ignores } from '../ignore/index.ts';
import {
  checkedAmong,
  type DetectedSpace,
  type Rename,
  type RepoPath,
  type RepositoryAddress,
  type SpaceAnalysis,
  type TreeEntry,
} from '../model/index.ts';
import { findLostInSpaces, type LostInSpace } from '../move/index.ts';
import { compareSpaces, type SpacesComparison } from './compare-spaces.ts';

/** One of the two trees, with what its own configuration says: what a change to that does is the change's doing. */
export interface ComparedTree<Space extends DetectedSpace = DetectedSpace> {
  readonly tree: readonly TreeEntry[];
  readonly read: ReadBlobs;
  /** All parts of the tree. */
  readonly spaces: readonly Space[];
  readonly ignore: readonly IgnoreRule[];
}

export interface TreesToCompare<Space extends DetectedSpace = DetectedSpace> {
  readonly base: ComparedTree<Space>;
  /** Of its spaces `wanted` are analysed; all that are checked when left out. */
  readonly head: ComparedTree<Space> & { readonly wanted?: readonly Space[] };
  /** From the base to the head. */
  readonly renames: readonly Rename[];
  /** The repository on its host, so that its own web addresses count as links into the tree; null where not known. */
  readonly repository: RepositoryAddress | null;
  readonly comments: CommentSource;
  /** The day it is, `YYYY-MM-DD`: what is ignored until a day. */
  readonly today: string;
  /** Whether to find the addresses that lead nowhere after the change. */
  readonly findsLostAddresses: boolean;
  /** Called before each space is analysed. What it throws ends the comparison. */
  readonly onSpace?: (space: Space, side: 'base' | 'head') => void;
}

/** Where the comments about ignoring come from that stand in the files of both trees. */
export interface CommentSource {
  /** Reads what is needed of the trees that were analysed; left out where comments were read along with the files. */
  load?(base: readonly SpaceAnalysis[], head: readonly SpaceAnalysis[]): Promise<void>;
  /** The comments of a tree's files; undefined for a file that has none or was not read. */
  commentsIn(tree: readonly TreeEntry[]): (file: RepoPath) => IgnoreComments | undefined;
}

/** What a change did. `links`, `introduced` and `existing` are those of the head's spaces in `head`. */
export interface TreeComparison<Space extends DetectedSpace = DetectedSpace> extends SpacesComparison {
  /** All parts of the base, also those that are not checked: what was broken in them is not introduced. */
  readonly base: readonly AnalysedSpace<Space>[];
  readonly head: readonly AnalysedSpace<Space>[];
  /** The addresses that the change takes away without a redirect, by the spaces of the head that had them. */
  readonly lost: readonly LostInSpace<Space>[];
  /** What ignores links in the head, and knows what is wrong with the ignoring. */
  readonly ignores: Ignores;
}

/** Compares the links and addresses of two trees of a repository: a pull request's two commits, a work tree and its base. */
export async function compareTrees<Space extends DetectedSpace>(
  engine: Pick<Engine, 'analyse'>,
  { base, head, renames, repository, comments, today, findsLostAddresses, onSpace }: TreesToCompare<Space>,
): Promise<TreeComparison<Space>> {
  // The base first: then reading the head costs only what differs.
  const older = await analyseSpaces(engine, {
    ...base,
    repository,
    onSpace: (space) => onSpace?.(space, 'base'),
  });
  const newer = await analyseSpaces(engine, {
    ...head,
    wanted: head.wanted ?? checkedAmong(head.spaces),
    renames,
    repository,
    onSpace: (space) => onSpace?.(space, 'head'),
  });
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
  return { ...compared, base: older, head: newer, lost, ignores: ignores.head };
}
