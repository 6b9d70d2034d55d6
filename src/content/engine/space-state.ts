import type { Publication } from '../format-port/index.ts';
import { type LinkContext, SuggestionBudget } from '../links/index.ts';
import type { FileFacts, FormatName, RepoPath, TreeEntry } from '../model/index.ts';
import type { Reading } from '../parse/index.ts';
import { LayeredMap, type TreeIndex } from '../tree/index.ts';
import { type CheckedFile, checkFile, type DependencyTracking } from './check-file.ts';
import type { OpenedSpace, SpaceOptions } from './open-space.ts';
import { type Made, type Snapshot, SpaceFiles } from './space-files.ts';

/** One tree's space, judged, with all that judging the next tree may begin from. */
export interface SpaceState {
  readonly options: SpaceOptions & { readonly name: FormatName };
  readonly space: OpenedSpace;
  readonly snapshot: Snapshot;
  readonly files: SpaceFiles;
  readonly publication: Publication;
  /** In their order. Their bytes are those of this tree or of an earlier one: `judged` has the entries as they are. */
  readonly sources: readonly TreeEntry[];
  readonly checked: LayeredMap<RepoPath, CheckedFile>;
  /** Those of them with a broken link: few of many, which comparisons look at alone. */
  readonly broken: ReadonlySet<RepoPath>;
  /** What looking for suggestions took in all. Beyond the limit, verdicts depend on the order of judging. */
  readonly steps: number;
}

export type FactsOf = (entry: TreeEntry, reading: Reading) => FileFacts | undefined;

/** Judges all sources of a space, and notes what each verdict depends on unless `notes` is null. */
export function checkSpace(
  options: SpaceState['options'],
  space: OpenedSpace,
  factsOf: FactsOf,
  tracking: DependencyTracking | null,
): SpaceState {
  const { open, index } = space;
  const files = new SpaceFiles(tracking?.recorder ?? null);
  const snapshot: Snapshot = {
    index,
    open,
    factsOf,
    entries: space.entries,
    made: new Map<string, Made>(),
    tables: new Map(),
  };
  return files.within(snapshot, () => {
    const publication = open.publish(files);
    const context = linkContextOf(options, snapshot, files);
    const checked = new Map<RepoPath, CheckedFile>();
    const broken = new Set<RepoPath>();
    for (const entry of open.sources) {
      const file = checkFile(context, publication, entry, tracking);
      checked.set(entry.path, file);
      if (file.broken.length > 0) broken.add(entry.path);
    }
    requestPages(publication, index);
    return {
      options,
      space,
      snapshot,
      files,
      publication,
      sources: open.sources,
      checked: new LayeredMap(checked),
      broken,
      steps: context.budget.spent,
    };
  });
}

/** Pages behind symbolic links may be files of other folders, which are not read unless asked for. */
export function requestPages(publication: Publication, index: TreeIndex): void {
  if (index.hasDetours) void publication.pages;
}

export function linkContextOf(
  { renames }: SpaceOptions,
  { index }: Snapshot,
  files: SpaceFiles,
): LinkContext {
  return {
    index,
    factsOf: (entry) => files.factsOf(entry),
    symlinkTarget: (entry) => files.symlinkTarget(entry),
    renames: new Map(renames?.map(({ from, to }) => [from, to])),
    budget: new SuggestionBudget(),
  };
}
