import type { FileFacts, Rename, TreeEntry } from '../model/index.ts';
import type { TreeIndex } from '../tree/index.ts';
import type { SuggestionBudget } from './similar-anchor.ts';

/** What is needed of one tree to check its links. */
export interface LinkContext {
  readonly index: TreeIndex;
  readonly factsOf: (entry: TreeEntry) => FileFacts | undefined;
  readonly symlinkTarget: (entry: TreeEntry) => string | null | undefined;
  /** Old path → new path. */
  readonly renames: ReadonlyMap<Rename['from'], Rename['to']>;
  readonly budget: SuggestionBudget;
  /** True to check as if nothing made targets that the repository does not contain. */
  readonly withoutGenerators?: boolean;
}
