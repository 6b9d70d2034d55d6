import {
  type DetectedSpace,
  type Engine,
  type ReadBlobs,
  type Rename,
  type RepositoryAddress,
  type SpaceAnalysis,
  siblingsOf,
  type TreeEntry,
} from '../../content/index.ts';

export interface AnalyseAllOptions {
  readonly tree: readonly TreeEntry[];
  readonly spaces: readonly DetectedSpace[];
  readonly read: ReadBlobs;
  readonly renames?: readonly Rename[];
  /** The repository on its host, where known. */
  readonly repository?: RepositoryAddress | null;
}

/** All of a repository, each of its parts in turn. */
export async function analyseAll(
  engine: Engine,
  options: AnalyseAllOptions,
): Promise<readonly SpaceAnalysis[]> {
  const { tree, spaces, read, renames = [], repository = null } = options;
  const analyses: SpaceAnalysis[] = [];
  for (const space of spaces) {
    const { directory, format } = space;
    const siblingDirectories = siblingsOf(space, spaces);
    const address = repository === null ? {} : { repository };
    analyses.push(
      await engine.analyse({ tree, directory, format, siblingDirectories, renames, read, ...address }),
    );
  }
  return analyses;
}
