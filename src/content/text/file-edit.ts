import type { RepoPath } from '../model/index.ts';

/** Text that goes between two offsets of a source. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Other text for a part of a file. A file that is not there is made, from an edit at 0. */
export interface FileEdit extends Replacement {
  readonly file: RepoPath;
}

/** New entries in a file of a tree, found without a look at other edits. */
export interface EntriesEdit extends FileEdit {
  /** Whether it makes the file: the tree has none at that path. */
  readonly isNew: boolean;
}

/** The first edit of each file. One that was found beside it fits the file no more; it is found anew. */
export function firstOfEachFile<Edit extends FileEdit>(edits: readonly Edit[]): ReadonlyMap<RepoPath, Edit> {
  return new Map(edits.toReversed().map((one) => [one.file, one]));
}

/** Puts the edits of one source into it. Of edits that overlap the first counts. */
export function applyEdits(source: string, edits: readonly Replacement[]): string {
  let text = '';
  let end = 0;
  for (const one of edits.toSorted((a, b) => a.start - b.start)) {
    if (one.start < end) continue;
    text += source.slice(end, one.start) + one.text;
    end = one.end;
  }
  return text + source.slice(end);
}
