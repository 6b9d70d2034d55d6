import type { DetectedSpace, Engine, Link, ReadBlobs, Rename, TreeEntry } from '../../content/index.ts';

export interface AnalyseAllOptions {
  readonly tree: readonly TreeEntry[];
  readonly spaces: readonly DetectedSpace[];
  readonly read: ReadBlobs;
  readonly renames?: readonly Rename[];
}

/** All links of a repository: those of its spaces, and those of the files around them as plain Markdown. */
export async function analyseAll(engine: Engine, options: AnalyseAllOptions): Promise<readonly Link[]> {
  const { tree, read, renames = [] } = options;
  const hasRoot = options.spaces.some((space) => space.directory === '');
  const around: DetectedSpace = { directory: '', title: null, format: 'github' };
  const spaces = hasRoot ? options.spaces : [...options.spaces, around];
  const links: Link[] = [];
  for (const space of spaces) {
    const { directory, format } = space;
    const siblingDirectories = spaces.filter((one) => one !== space).map((one) => one.directory);
    const analysis = await engine.analyse({ tree, directory, format, siblingDirectories, renames, read });
    links.push(...analysis.links);
  }
  return links;
}
