import {
  type DetectedSpace,
  type Engine,
  type Link,
  type ReadBlobs,
  type Rename,
  siblingsOf,
  type TreeEntry,
} from '../../content/index.ts';

export interface AnalyseAllOptions {
  readonly tree: readonly TreeEntry[];
  readonly spaces: readonly DetectedSpace[];
  readonly read: ReadBlobs;
  readonly renames?: readonly Rename[];
}

/** All links of a repository, those of each of its parts in turn. */
export async function analyseAll(engine: Engine, options: AnalyseAllOptions): Promise<readonly Link[]> {
  const { tree, spaces, read, renames = [] } = options;
  const links: Link[] = [];
  for (const space of spaces) {
    const { directory, format } = space;
    const siblingDirectories = siblingsOf(space, spaces);
    const analysis = await engine.analyse({ tree, directory, format, siblingDirectories, renames, read });
    links.push(...analysis.links);
  }
  return links;
}
