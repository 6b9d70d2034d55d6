import {
  type DetectedSpace,
  type Rename,
  type RepositoryAddress,
  type SpaceAnalysis,
  siblingsOf,
  type TreeEntry,
} from '../model/index.ts';
import type { Engine } from './engine.ts';
import type { ReadBlobs } from './read-texts.ts';

/** A part of a repository with its analysis. */
export interface AnalysedSpace<Space extends DetectedSpace = DetectedSpace> {
  readonly space: Space;
  readonly analysis: SpaceAnalysis;
}

export interface SpacesToAnalyse<Space extends DetectedSpace> {
  /** The whole repository's tree. */
  readonly tree: readonly TreeEntry[];
  readonly read: ReadBlobs;
  /** All parts of the tree: each part leaves out the folders of the others. */
  readonly spaces: readonly Space[];
  /** The parts to analyse; all when absent. */
  readonly wanted?: readonly Space[];
  /** Renames that led to this tree; none when absent. */
  readonly renames?: readonly Rename[];
  /** The repository on its host; null or absent when unknown. */
  readonly repository?: RepositoryAddress | null;
  /** Called before each space is analysed. An error that it throws stops the analysis. */
  readonly onSpace?: (space: Space) => void;
}

/** Analyses the parts of a repository sequentially, in their order. */
export async function analyseSpaces<Space extends DetectedSpace>(
  engine: Pick<Engine, 'analyse'>,
  { tree, read, spaces, wanted = spaces, renames = [], repository = null, onSpace }: SpacesToAnalyse<Space>,
): Promise<readonly AnalysedSpace<Space>[]> {
  const analysed: AnalysedSpace<Space>[] = [];
  for (const space of wanted) {
    onSpace?.(space);
    const analysis = await engine.analyse({
      tree,
      read,
      renames,
      directory: space.directory,
      format: space.format,
      siblingDirectories: siblingsOf(space, spaces),
      ...(repository === null ? {} : { repository }),
    });
    analysed.push({ space, analysis });
  }
  return analysed;
}
