import type { Publication } from '../format-port/index.ts';
import { type LinkContext, SuggestionBudget } from '../links/index.ts';
import type { FileFacts, FormatName, RepoPath, TreeEntry } from '../model/index.ts';
import type { Reading } from '../parse/index.ts';
import { LayeredMap, type TreeIndex } from '../tree/index.ts';
import { type CheckedFile, checkFile, type DependencyTracking } from './check-file.ts';
import type { OpenedSpace, SpaceOptions } from './open-space.ts';
import { type Made, type Snapshot, SpaceFiles } from './space-files.ts';
import { type Steps, WORK_PER_TURN } from './steps.ts';

/** The checked space of one tree, with everything that checking the next tree can start from. */
export interface SpaceState {
  readonly options: SpaceOptions & { readonly name: FormatName };
  readonly space: OpenedSpace;
  readonly snapshot: Snapshot;
  readonly files: SpaceFiles;
  readonly publication: Publication;
  /** In the order of the tree. Their oids may be those of an earlier tree: `checked` has the current entries. */
  readonly sources: readonly TreeEntry[];
  readonly checked: LayeredMap<RepoPath, CheckedFile>;
  /** The checked files with a broken link: usually few, and all that comparisons need. */
  readonly broken: ReadonlySet<RepoPath>;
  /** All steps of the search for suggestions. Beyond the limit, verdicts depend on the order of checking. */
  readonly steps: number;
}

export type FactsOf = (entry: TreeEntry, reading: Reading) => FileFacts | undefined;

/** Checks all sources of a space, and records the dependencies of each verdict unless `tracking` is null. */
export function* checkSpace(
  options: SpaceState['options'],
  space: OpenedSpace,
  factsOf: FactsOf,
  tracking: DependencyTracking | null,
): Steps<SpaceState> {
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
  return yield* files.stepsWithin(
    snapshot,
    (function* () {
      const publication = open.publish(files);
      // As much work as a turn has: a long table of contents is read at once.
      yield WORK_PER_TURN;
      const context = linkContextOf(options, snapshot, files);
      const checked = new Map<RepoPath, CheckedFile>();
      const broken = new Set<RepoPath>();
      for (const entry of open.sources) {
        const file = yield* checkFile(context, publication, entry, tracking);
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
    })(),
  );
}

/** Computes the navigation if there are symbolic links: their pages may be files of other folders, read only on request. */
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
